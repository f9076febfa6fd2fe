/**
 * A dataset of some size in a server of this process, whose upkeep the test calls: a log with fields of few texts and of many.
 * Deliberately not here: what is asked of it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_TOKEN } from '../../../../../__tests__/support/service.ts'
import { kindOfField } from '../../../../compare/src/usual-names.ts'
import type { EventStore } from '../../../../event-store/src/event-store.ts'
import { openStore } from '../../../../event-store/src/open-store.ts'
import { Lease } from '../../../../records/src/leases/leases.ts'
import { openRecords } from '../../../../records/src/open-records.ts'
import { createLog } from '../../../../runtime/src/log.ts'
import { buildTestServer } from '../../in-process.ts'
import { apl, rowsOf } from '../../query/ask.ts'

export const DATASET = 'logs'
const WAIT_MS_MAX = 120_000
/** Longer than a test may take. */
const LEASE_MS = 3_600_000

export interface IndexedStore extends AsyncDisposable {
  url: string
  token: string
  events: EventStore
  /** One turn of the task, and what it logged. */
  upkeep(): Promise<Record<string, unknown>[]>
  /** Turns until the condition holds. */
  upkeepUntil(isDone: () => Promise<boolean>): Promise<void>
  /** The first cell of the answer. */
  cell(query: string): Promise<unknown>
  /** All cells of the answer. */
  rows(query: string): Promise<unknown[]>
  messages(query: string): Promise<unknown[]>
  /** How many events the engine looked at for a query. */
  examined(query: string): Promise<number>
}

/** @param place a data directory to be kept, or a new one; a ClickHouse server for the events, by its address */
export async function openIndexed({
  dataDir = '',
  server = '',
  indexes = true,
}: {
  dataDir?: string
  server?: string
  indexes?: boolean
} = {}): Promise<IndexedStore> {
  const directory = dataDir || mkdtempSync(join(tmpdir(), 'layouts-'))
  const records = await openRecords(directory)
  const place = server ? { servers: [new URL(server)] } : { directory: join(directory, 'engine') }
  const events = await openStore(place, records, { fieldsMax: 100, kindOfField: indexes ? kindOfField : undefined })
  // The server's own upkeep waits for this lease, so that it takes no step that the test wants to see.
  await new Lease(records, 'upkeep', { leaseMs: LEASE_MS }).tryAcquire()
  const app = await buildTestServer({ records, events })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const lines: Record<string, unknown>[] = []
  const log = createLog((line) => lines.push(JSON.parse(line) as Record<string, unknown>))
  const service = { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, token: TEST_TOKEN }
  const upkeep = async () => {
    await events.upkeep['keep indexes']?.(log)
    return lines.splice(0)
  }
  const answer = async (query: string) => {
    const { status, body } = await apl(service, `['${DATASET}'] ${query}`, {}, 'tabular&include=all')
    if (status !== 200) throw new Error(`${query}: ${status} ${body.message}`)
    return body
  }
  return {
    ...service,
    events,
    upkeep,
    async upkeepUntil(isDone) {
      for (const endMs = Date.now() + WAIT_MS_MAX; !(await isDone()); await sleep(100)) {
        await upkeep()
        if (Date.now() > endMs) throw new Error(`not within ${WAIT_MS_MAX} ms: ${isDone}`)
      }
    },
    cell: async (query) => Object.values(rowsOf(await answer(query))[0] ?? {})[0],
    rows: async (query) => rowsOf(await answer(query)),
    messages: async (query) => (await answer(query)).status.messages,
    examined: async (query) => (await answer(query)).status.rowsExamined,
    async [Symbol.asyncDispose]() {
      await app.close()
      await events.close()
      await records.close()
      if (!dataDir) rmSync(directory, { recursive: true, force: true })
    },
  }
}

const WORDS = ['connection', 'timeout', 'user', 'request', 'finished', 'cache', 'Miss', 'retry', 'Straße', 'order']
const START_MS = Date.parse('2026-01-01T00:00:00Z')

/** Events from `first` on; one in 25,000 has the word `zebrafish`, a third has no level, and an eleventh no status. `code` is the status as a text, and `number` is `n`. */
export function eventsFrom(first: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const n = first + at
    const word = (by: number) => WORDS[(n * by + (n >> 5)) % WORDS.length]
    return {
      _time: new Date(START_MS + n * 10).toISOString(),
      n,
      number: String(n),
      host: `web-${n % 40}`,
      shop: `shop ${n % 60}`,
      ...(n % 3 > 0 && { level: n % 2 === 0 ? 'info' : 'WARN' }),
      ...(n % 11 > 0 && { status: 200 + (n % 7) * 50, code: String(200 + (n % 7) * 50) }),
      trace: `${((n * 2_654_435_761) >>> 0).toString(16)}-${n}`,
      // Of the room that events take up, indexes have a share.
      sizes: Array.from({ length: 16 }, (_, by) => ((n + by) * 2_654_435_761 * (by + 3)) % 1_000_003),
      message: `${word(1)} ${word(3)} ${word(7)}, ${word(11)} after ${n % 977} ms${n % 25_000 === 7 ? ': ZEBRAfish' : ''}`,
    }
  })
}
