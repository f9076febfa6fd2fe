/**
 * How the service's answers grow with a dataset: the same day's log with 2 and 10 million events, or as many as are named, sent and asked
 * over HTTP, as ingest leaves it after ten quiet minutes, and merged into one part beside that. Prints a table for docs/performance.md,
 * and exits 1 where a needle or a page takes more times what it took with the fewest than is wanted, or a start more than 2 s. 100
 * million events take 7 GB of disk, and most of an hour to send.
 *
 *   node bench/growth.ts [rows …]          ROUNDS=…, QUIET_MINUTES=…, DIRECTORY=… for another disk
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { ask } from './ask-logs.ts'
import { DATASET, END_NS, START_NS } from './log-data.ts'
import { mergeAll } from './peers/service.ts'
import { rest, sendLogs } from './sent-logs.ts'

process.env.UV_THREADPOOL_SIZE ??= '16'
const [FEWEST = 2_000_000, ...MORE] = process.argv.slice(2).map((rows) => Number(rows.replaceAll('_', '')))
const SIZES = [FEWEST, ...(MORE.length > 0 ? MORE : [10_000_000])]
const ROUNDS = Number(process.env.ROUNDS ?? 10)
const START = 'start, until it answers'
const START_SECONDS_MAX = 2
const MINUTE_NS = 60_000_000_000n

interface Question {
  name: string
  /** As many times as long as with the fewest events it may take; any when absent. */
  timesMax?: number
  ask(service: RunningService, round: number, traceId: string): Promise<unknown>
}

/** Constants differ from round to round, so that no cache of conditions answers. */
const QUESTIONS: readonly Question[] = [
  { name: 'count all', timesMax: 3, ask: (service) => ask(service, '| count') },
  {
    name: 'one trace id, with its event',
    timesMax: 2,
    ask: (service, _, traceId) => ask(service, `| where trace_id == '${traceId}'`),
  },
  {
    name: 'a trace id that is not there',
    timesMax: 2,
    ask: (service, round) => ask(service, `| where trace_id == 'absent${round}'`),
  },
  {
    name: 'a word in one of 200,000 events, newest 10',
    timesMax: 3,
    ask: (service, round) =>
      ask(service, `| where message has 'zebrafish' and bytes != ${round} | sort by _time desc | limit 10`),
  },
  {
    name: 'a word that is not there, count',
    timesMax: 3,
    ask: (service, round) => ask(service, `| where message has 'absent${round}' | count`),
  },
  { name: 'newest 100', timesMax: 1.3, ask: (service) => ask(service, '| sort by _time desc | limit 100') },
  {
    name: '100 of a minute in the middle',
    timesMax: 1.3,
    ask: (service, round) =>
      ask(service, '| sort by _time desc | limit 100', { startNs: minute(round), endNs: minute(round + 1) }),
  },
  { name: 'count by 5 min', ask: (service) => ask(service, '| summarize count() by bin(_time, 5m)') },
]

const minute = (round: number) => (START_NS + END_NS) / 2n + BigInt(round) * MINUTE_NS

/** The least time of each question, in ms, and of the start. */
type Least = Map<string, number>

const columns = new Map<number, { atRest: Least; merged: Least }>()
for (const rows of SIZES) columns.set(rows, await measure(rows))
print()

async function measure(rows: number): Promise<{ atRest: Least; merged: Least }> {
  const dataDir = mkdtempSync(join(process.env.DIRECTORY ?? tmpdir(), 'bench-growth-'))
  const serving = async (task: (service: RunningService) => Promise<unknown>) => {
    await using service = await startService({ dataDir })
    await task(service)
    await service.stop()
  }
  try {
    await serving(async (service) => {
      await sendLogs(service, { dataset: DATASET, total: rows, startMs: Number(START_NS / 1_000_000n) })
      console.log(`${rows} events sent; chosen: ${await rest(service)}`)
    })
    const atRest = await askAll(dataDir)
    await mergeAll(dataDir)
    // Merges make no indexes; upkeep does.
    await serving(rest)
    return { atRest, merged: await askAll(dataDir) }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function askAll(dataDir: string): Promise<Least> {
  const from = performance.now()
  await using service = await startService({ dataDir })
  const least = new Map([[START, performance.now() - from]])
  const sample = (await ask(service, `| project trace_id | limit ${ROUNDS * 50}`)).tables[0]?.columns[0] as string[]
  for (const { name, ask: askIt } of QUESTIONS) {
    for (let round = 0; round < ROUNDS; round++) {
      const from = performance.now()
      await askIt(service, round, sample[round * 50] ?? '')
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - from))
    }
  }
  await service.stop()
  return least
}

function print(): void {
  const msOf = (rows: number, name: string, state: 'atRest' | 'merged' = 'atRest') =>
    columns.get(rows)?.[state].get(name) ?? Number.NaN
  const cell = (rows: number, name: string) => `${msOf(rows, name).toFixed(0)} (${msOf(rows, name, 'merged').toFixed(0)})`
  console.log(`| least of ${ROUNDS}, ms, at rest (merged) | ${SIZES.map((rows) => `${rows / 1_000_000} million`).join(' | ')} |`)
  console.log(`|---|${SIZES.map(() => '---|').join('')}`)
  for (const name of columns.get(FEWEST)?.atRest.keys() ?? [])
    console.log(`| ${name} | ${SIZES.map((rows) => cell(rows, name)).join(' | ')} |`)
  for (const rows of SIZES) {
    for (const { name, timesMax = Number.POSITIVE_INFINITY } of QUESTIONS)
      if (msOf(rows, name) > msOf(FEWEST, name) * timesMax)
        miss(`${name}: ${(msOf(rows, name) / msOf(FEWEST, name)).toFixed(1)} times with ${rows} events; ${timesMax} are wanted`)
    const seconds = msOf(rows, START) / 1_000
    if (seconds > START_SECONDS_MAX)
      miss(`a start takes ${seconds.toFixed(1)} s with ${rows} events; ${START_SECONDS_MAX} are wanted`)
  }
}

function miss(what: string): void {
  console.error(`MISSED: ${what}`)
  process.exitCode = 1
}
