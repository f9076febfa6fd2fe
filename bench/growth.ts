/**
 * How the service's answers grow with a dataset: the same day's log with 2 and 10 million events, or as many as are named, asked the same
 * over HTTP. Prints a table for docs/performance.md, and exits 1 where a needle takes more than three times what it took with the fewest,
 * a page more than 1.3 times, or a start more than 2 s. 100 million events take 6 GB of disk, and most of an hour to make.
 *
 *   node bench/growth.ts [rows …]          ROUNDS=…, DIRECTORY=… for another disk
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { ask, waitForIndexes } from './ask-logs.ts'
import { END_NS, loadLogs, START_NS } from './log-data.ts'

process.env.UV_THREADPOOL_SIZE ??= '16'
const [FEWEST = 2_000_000, ...MORE] = process.argv.slice(2).map((rows) => Number(rows.replaceAll('_', '')))
const SIZES = [FEWEST, ...(MORE.length > 0 ? MORE : [10_000_000])]
const ROUNDS = Number(process.env.ROUNDS ?? 10)
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
    timesMax: 3,
    ask: (service, _, traceId) => ask(service, `| where trace_id == '${traceId}'`),
  },
  {
    name: 'a trace id that is not there',
    timesMax: 3,
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

const columns = new Map<number, Map<string, number>>()
for (const rows of SIZES) columns.set(rows, await measure(rows))
print()

/** @returns the least time of each question, in ms, and of the start */
async function measure(rows: number): Promise<Map<string, number>> {
  const dataDir = mkdtempSync(join(process.env.DIRECTORY ?? tmpdir(), 'bench-growth-'))
  try {
    const { seconds } = await loadLogs(dataDir, rows)
    console.log(`${rows} events made in ${seconds.toFixed(0)} s`)
    {
      await using service = await startService({ dataDir })
      console.log(`their indexes in ${(await waitForIndexes(service, rows)).toFixed(0)} s more`)
      await service.stop()
    }
    const from = performance.now()
    await using service = await startService({ dataDir })
    const least = new Map([['start, until it answers', performance.now() - from]])
    const sample = (await ask(service, `| project trace_id | limit ${ROUNDS * 50}`)).tables[0]?.columns[0] as string[]
    for (const { name, ask: askIt } of QUESTIONS) {
      for (let round = 0; round < ROUNDS; round++) {
        const from = performance.now()
        await askIt(service, round, sample[round * 50] ?? '')
        least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - from))
      }
    }
    return least
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function print(): void {
  const msOf = (rows: number, name: string) => columns.get(rows)?.get(name) ?? Number.NaN
  console.log(`| least of ${ROUNDS}, ms | ${SIZES.map((rows) => `${rows / 1_000_000} million`).join(' | ')} |`)
  console.log(`|---|${SIZES.map(() => '---|').join('')}`)
  for (const name of columns.get(FEWEST)?.keys() ?? [])
    console.log(`| ${name} | ${SIZES.map((rows) => msOf(rows, name).toFixed(0)).join(' | ')} |`)
  for (const rows of SIZES) {
    for (const { name, timesMax = Number.POSITIVE_INFINITY } of QUESTIONS)
      if (msOf(rows, name) > msOf(FEWEST, name) * timesMax)
        miss(`${name}: ${(msOf(rows, name) / msOf(FEWEST, name)).toFixed(1)} times with ${rows} events; ${timesMax} are wanted`)
    const seconds = msOf(rows, 'start, until it answers') / 1_000
    if (seconds > START_SECONDS_MAX)
      miss(`a start takes ${seconds.toFixed(1)} s with ${rows} events; ${START_SECONDS_MAX} are wanted`)
  }
}

function miss(what: string): void {
  console.error(`MISSED: ${what}`)
  process.exitCode = 1
}
