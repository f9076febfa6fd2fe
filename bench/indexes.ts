/**
 * What columns and indexes beside the events win and cost: the same events under two services, one with `--indexes off`, asked over
 * HTTP in turn. Prints a table for docs/performance.md.
 *
 *   node bench/indexes.ts          ROWS=500000 for fewer events, ROUNDS=…, DIRECTORY=… for another disk
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { type Answer, ask, waitForIndexes } from './ask-logs.ts'
import { END_NS, loadLogs, START_NS } from './log-data.ts'

process.env.UV_THREADPOOL_SIZE ??= '16'
const ROWS = Number(process.env.ROWS ?? 2_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const HOUR_NS = 3_600_000_000_000n

interface Question {
  name: string
  apl(round: number): string
  startNs?: bigint
}

/** Constants differ from round to round, so that no cache of conditions answers. */
const questions = (traceIds: readonly string[]): Question[] => [
  { name: 'count where status >= 500', apl: (round) => `| where status >= ${500 - round} | count` },
  { name: 'host == x, newest 100', apl: (round) => `| where host == 'web-${round + 3}' | limit 100` },
  { name: 'count of a host', apl: (round) => `| where host == 'web-${round + 30}' | count` },
  { name: 'by 5 min and method', apl: () => '| summarize count() by bin(_time, 5m), method' },
  { name: 'p95 by hour and region', apl: () => '| summarize percentile(took, 95) by bin(_time, 1h), region' },
  { name: 'top 10 paths', apl: () => '| summarize n = count() by path | sort by n desc, path asc | limit 10' },
  { name: 'distinct users', apl: () => '| summarize dcount(user_id)' },
  { name: 'rare word, newest 100', apl: (round) => `| where message has 'zebrafish' and bytes != ${round} | limit 100` },
  {
    name: 'common word, count',
    apl: (round) => `| where message has '${['timeout', 'payment', 'worker', 'gateway'][round % 4]}' | count`,
  },
  {
    name: 'substring, count',
    apl: (round) => `| where message contains '${['imeou', 'aymen', 'orke', 'atewa'][round % 4]}' | count`,
  },
  { name: 'one trace id', apl: (round) => `| where trace_id == '${traceIds[round % traceIds.length]}'` },
  { name: 'last hour by status', apl: () => '| summarize count() by status', startNs: END_NS - HOUR_NS },
]

const home = mkdtempSync(join(process.env.DIRECTORY ?? tmpdir(), 'bench-indexes-'))
try {
  await loadLogs(join(home, 'off'), ROWS)
  cpSync(join(home, 'off'), join(home, 'auto'), { recursive: true, verbatimSymlinks: true })
  await using off = await startService({ dataDir: join(home, 'off'), args: ['--indexes', 'off'] })
  await using auto = await startService({ dataDir: join(home, 'auto') })
  const seconds = await waitForIndexes(auto, ROWS)
  console.log(/\{[^\n]*"indexes"[^\n]*\}/.exec(auto.stderr)?.[0], `made within ${Math.round(seconds)} s`)
  await measure(off, auto)
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function measure(off: RunningService, auto: RunningService): Promise<void> {
  const sample = (await ask(auto, '| project trace_id | limit 5000')).tables[0]?.columns[0] as string[]
  const traceIds = sample.filter((_, at) => at % 500 === 0)
  console.log('| question | without | with | examined |\n|---|---|---|---|')
  for (const { name, apl, startNs = START_NS } of questions(traceIds)) {
    const times: [number[], number[]] = [[], []]
    const answers = ['', '']
    const examined = [0, 0]
    for (let round = 0; round <= ROUNDS; round++) {
      for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const from = performance.now()
        const { status, tables } = await ask(at === 0 ? off : auto, apl(round), { startNs })
        if (round > 0) times[at].push(performance.now() - from)
        answers[at] = JSON.stringify(tables.map(rowsOf))
        examined[at] = status.rowsExamined
      }
      if (answers[0] !== answers[1] && !/percentile/.test(apl(round))) throw new Error(`${name}: the answers differ`)
    }
    const [without, with_] = times.map((some) => {
      const sorted = some.sort((a, b) => a - b)
      return `${sorted[sorted.length >> 1]?.toFixed(1)} (${sorted[0]?.toFixed(1)})`
    })
    console.log(`| ${name} | ${without} | ${with_} | ${examined.join(' → ')} |`)
  }
}

/** Without an order the engine may answer in any. */
function rowsOf({ columns }: Answer['tables'][number]): string[] {
  return (columns[0] ?? []).map((_, row) => JSON.stringify(columns.map((column) => column[row]))).sort()
}
