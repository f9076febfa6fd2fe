/**
 * What benches of queries share: a service's reading parts over a data directory, statements timed in turn, and answers compared.
 * Deliberately not here: what is measured.
 */
import { join } from 'node:path'
import { compile } from '@deployment-annotations/apl/compile'
import type { Plan, Statement } from '@deployment-annotations/apl/plan'
import { openEventStore } from '../packages/event-store/src/event-store.ts'
import { READ_LIMITS } from '../packages/event-store/src/reading/reader.ts'
import { EmbeddedStore } from '../packages/event-store/src/stores/embedded-store.ts'
import { openRecords } from '../packages/records/src/open-records.ts'
import { RecordCaches } from '../packages/records/src/record-caches.ts'
import { readCatalogue } from '../packages/service/src/query/catalogue.ts'
import { DATASET, END_NS, START_NS } from './query-data.ts'

const RANGE = { startNs: START_NS, endNs: END_NS }
const SPAN = `_time >= fromUnixTimestamp64Nano(${START_NS}, 'UTC') AND _time < fromUnixTimestamp64Nano(${END_NS}, 'UTC')`

/** Beside other work a statement takes longer than a service would let it. */
const STATEMENT_MS_MAX = 300_000

/** The parts of a service that answer queries. `ours` and `byHand` run one statement each. */
export async function openReading(dataDir: string) {
  const records = await openRecords(dataDir)
  const store = await EmbeddedStore.open(join(dataDir, 'engine'), records)
  const events = await openEventStore(store, records, { fieldsMax: 1024 })
  await new RecordCaches(records, [events.datasets]).refresh()
  const reader = store.openReader({ ...READ_LIMITS, msMax: STATEMENT_MS_MAX })
  const { table } = events.datasets.get(DATASET)
  const { signal } = new AbortController()
  const planOf = (apl: string): Plan =>
    compile(apl, {
      datasets: readCatalogue({ datasets: events.datasets, sources: [], mayRead: () => true }),
      range: RANGE,
      nowNs: END_NS,
    })
  /** @returns the rows as JSON texts */
  const read = async (statement: Statement): Promise<string[]> => {
    await using result = await reader.read(statement, signal)
    const rows: string[] = []
    for await (const texts of result.batches()) rows.push(...texts)
    return rows
  }
  return {
    events,
    reader,
    planOf,
    ours: (apl: string) => read(planOf(apl)),
    byHand: (sql: string) => read({ sql: sql.replaceAll('EVENTS', table).replaceAll('SPAN', SPAN), params: {} }),
    async [Symbol.asyncDispose]() {
      for (const part of [events, reader, store, records]) await part.close()
    },
  }
}

export type Reading = Awaited<ReturnType<typeof openReading>>

export const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number

/** What one run took: time that passed, and time of all processors, which a machine with other work to do tells better. */
interface Sample {
  readonly ms: number
  readonly cpuMs: number
}

/** Runs all in turn, so that each meets the same weather; one round warms up. @returns the samples of each */
export async function sampleInTurn(rounds: number, tasks: readonly ((round: number) => Promise<unknown>)[]): Promise<Sample[][]> {
  const samples = tasks.map((): Sample[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, task] of tasks.entries()) {
      const [from, cpuFrom] = [performance.now(), process.cpuUsage()]
      await task(round + 1)
      const { user, system } = process.cpuUsage(cpuFrom)
      if (round >= 0) samples[index]?.push({ ms: performance.now() - from, cpuMs: (user + system) / 1_000 })
    }
  }
  return samples
}

/** The same. @returns the median of each, in ms */
export async function timeInTurn(rounds: number, tasks: readonly ((round: number) => Promise<unknown>)[]): Promise<number[]> {
  return (await sampleInTurn(rounds, tasks)).map((samples) => median(samples.map(({ ms }) => ms)))
}

/** The rows of an answer in an order of their own: the columns of the query, or with no plan all cells. */
export function rowsOf(texts: readonly string[], plan?: Plan): unknown[][] {
  const rows = texts.map((text) => JSON.parse(text.replace(/,$/, '')) as unknown[])
  const picked = plan ? rows.map((row) => plan.columns.map(({ cell }) => row[cell as number])) : rows
  return picked.map((row) => row.map(plain)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** A cell without the differences of spelling: an array as JSON text, a float's last digits, the fraction of a time. */
function plain(cell: unknown): unknown {
  if (typeof cell === 'number') return Number(cell.toPrecision(12))
  if (Array.isArray(cell)) return JSON.stringify(cell)
  if (typeof cell !== 'string') return cell
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell)) return cell.replace(/(?:\.0+|(\.\d*[1-9])0+)Z$/, '$1Z')
  return cell
}

/** Whether two answers are the same, where figures may differ by a part of the larger one. */
export function isSame(a: readonly unknown[][], b: readonly unknown[][], tolerance: number): boolean {
  if (a.length !== b.length) return false
  const isClose = (x: unknown, y: unknown) =>
    typeof x === 'number' && typeof y === 'number' ? Math.abs(x - y) <= tolerance * Math.max(Math.abs(x), Math.abs(y)) : x === y
  return a.every((row, at) => row.length === b[at]?.length && row.every((cell, place) => isClose(cell, b[at]?.[place])))
}
