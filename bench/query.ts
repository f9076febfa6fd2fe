/**
 * What queries cost over a large dataset: pages at depth 1 and 1,000, whole answers against their statements written by hand on
 * the same table, start and memory of the service. Prints a table for docs/query.md. Single statements of many shapes:
 * `query-shapes.ts`.
 *
 *   node bench/query.ts            ROWS=1000000 for a smaller one, DIRECTORY=… for another disk
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { startService } from '../__tests__/support/service.ts'
import { createQueries } from '../packages/service/src/query/queries.ts'
import { ROWS_MAX } from '../packages/service/src/query/rows-max.ts'
import { DATASET, END_NS, loadEvents, START_NS } from './query-data.ts'
import { openReading, timeInTurn } from './reading.ts'

process.env.UV_THREADPOOL_SIZE ??= '16'

const ROWS = Number(process.env.ROWS ?? 10_000_000)
const PAGE_ROWS = 100
const PAGES = 1_000
const ROUNDS = 15
const SCAN_ROUNDS = 9

const lines: string[] = []
const report = (what: string, figure: string, target: string) => {
  lines.push(`| ${what} | ${figure} | ${target} |`)
  console.log(lines.at(-1))
}
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

/** Ours, and all statements of the answer by hand. The constant differs in each round, so that no cache of conditions answers. */
const ANSWERS: readonly [string, (round: number) => string, (round: number) => string[]][] = [
  [
    'filter and count',
    (round) => `| where took > ${900 + round / 100} | count`,
    (round) => [`SELECT count() FROM EVENTS WHERE SPAN AND data.took.:Float64 > ${900.001 + round / 100}`],
  ],
  [
    'filter by text and count',
    (round) => `| where path contains 'users/${round + 10}' | count`,
    (round) => [`SELECT count() FROM EVENTS WHERE SPAN AND data.path.:String ILIKE '%users/${round + 50}%'`],
  ],
  [
    'summarize by hour',
    () => '| summarize count(), avg(took) by bin(_time, 1h)',
    () => [
      'SELECT toStartOfHour(_time) AS hour, count(), avg(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY GROUPING SETS ((hour), ())',
    ],
  ],
  [
    'summarize by hour and region',
    () => '| summarize count(), percentile(took, 95) by bin(_time, 1h), region',
    () => [
      'SELECT toStartOfHour(_time) AS hour, data.region.:String AS region, count(), quantile(0.95)(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY GROUPING SETS ((hour, region), (region))',
    ],
  ],
]

const dataDir = mkdtempSync(join(process.env.DIRECTORY ?? tmpdir(), 'bench-query-'))
try {
  const loaded = await loadEvents(dataDir, ROWS)
  report(
    'load, straight into the table',
    `${ROWS.toLocaleString('en')} rows, ${Math.round(ROWS / loaded.seconds / 1_000)}k rows/s`,
    '',
  )
  await measureService()
  await measureAnswers()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(['', '| what | measured | target |', '|---|---|---|', ...lines].join('\n'))

async function measureService(): Promise<void> {
  const from = performance.now()
  await using service = await startService({ dataDir })
  report('start until it answers', ms(performance.now() - from), '≤ 2 s')
  const rssOf = () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1_024)
  report('RSS idle, after the start', `${rssOf()} MiB`, '')
  const ask = async (apl: string, cursor?: string) => {
    const response = await fetch(`${service.url}/v1/datasets/_apl`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apl, startTime: formatTimestamp(START_NS), endTime: formatTimestamp(END_NS), cursor }),
    })
    const body = (await response.json()) as { message: string; status: Record<string, string>; matches: unknown[] }
    if (response.status !== 200) throw new Error(`${response.status} ${body.message}`)
    return body
  }
  for (const [name, where] of [
    ['all rows', ''],
    ['5 % of the rows', '| where status == 500 '],
  ]) {
    for (const [direction, member] of [
      ['desc', 'minCursor'],
      ['asc', 'maxCursor'],
    ] as const) {
      const text = (limit: number) => `['${DATASET}'] ${where}| sort by _time ${direction} | limit ${limit}`
      let cursor: string | undefined
      let left = Math.min(PAGE_ROWS * (PAGES - 1), ROWS / 20 - PAGE_ROWS)
      for (; left > 0; left -= 40_000) cursor = (await ask(text(Math.min(left, 40_000)), cursor)).status[member]
      const [first, deep] = (await timeInTurn(ROUNDS, [() => ask(text(PAGE_ROWS)), () => ask(text(PAGE_ROWS), cursor)])) as [
        number,
        number,
      ]
      report(
        `page of ${PAGE_ROWS}, ${direction}, ${name}: first, page ${PAGES}`,
        `${ms(first)}, ${ms(deep)} (${(deep / first).toFixed(2)} ×)`,
        '≤ 1.3 ×',
      )
    }
  }
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, rssOf())
  }, 50)
  const load = [
    ...Array.from({ length: 4 }, () =>
      ask(`['${DATASET}'] | summarize count(), avg(took), dcount(user.id) by bin(_time, 1h), region`),
    ),
    ...Array.from({ length: 4 }, () => ask(`['${DATASET}'] | limit 20000`)),
  ]
  await Promise.all(load)
  clearInterval(sampler)
  report('RSS under load: 8 queries at once (4 group all rows, 4 fetch 20,000)', `${peak} MiB`, '')
}

async function measureAnswers(): Promise<void> {
  await using reading = await openReading(dataDir)
  const { signal } = new AbortController()
  const queries = createQueries({
    events: reading.events,
    reader: reading.reader,
    sources: [],
    rowsMax: ROWS_MAX,
    clock: Date.now,
    ending: signal,
  })
  const caller = { id: 'bench', sinceMs: 0, limit: undefined, may: () => true, require: () => undefined }
  const times = { startTime: formatTimestamp(START_NS), endTime: formatTimestamp(END_NS) }
  const textOf = (apl: string) => `['${DATASET}'] ${apl}`
  for (const [name, apl, hand] of ANSWERS) {
    const [request, all] = (await timeInTurn(SCAN_ROUNDS, [
      (round) =>
        queries.apl(
          { body: { ...times, apl: textOf(apl(round)) }, cursor: undefined, countMatches: undefined, caller, signal },
          { format: 'tabular' },
        ),
      (round) => Promise.all(hand(round).map(reading.byHand)),
    ])) as [number, number]
    report(
      `${name}: whole answer, its statements by hand`,
      `${ms(request)}, ${ms(all)} (${(request / all).toFixed(2)} ×)`,
      '≤ 1.3 ×',
    )
  }
  const [compiled] = await timeInTurn(200, [async () => reading.planOf(textOf(ANSWERS[3]?.[1](0) ?? ''))])
  report('compile', `${((compiled as number) * 1_000).toFixed(0)} µs`, '≤ 1 ms')
}
