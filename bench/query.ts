/**
 * What queries cost over a large dataset: pages at depth 1 and 1,000, a filter and a time-binned summarize against SQL written by
 * hand on the same table, start and memory of the service. Prints a table for docs/query.md.
 *
 *   node bench/query.ts            ROWS=1000000 for a smaller one, DIRECTORY=… for another disk
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from '@deployment-annotations/apl/compile'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { startService } from '../__tests__/support/service.ts'
import { openEventStore } from '../packages/service/src/events/event-store.ts'
import { readCatalogue } from '../packages/service/src/query/catalogue.ts'
import { createQueries } from '../packages/service/src/query/queries.ts'
import { ROWS_MAX } from '../packages/service/src/query/rows-max.ts'
import { Followers } from '../packages/service/src/records/followers.ts'
import { openRecords } from '../packages/service/src/records/open-records.ts'
import { openEmbeddedEngine } from '../packages/service/src/store/embedded-engine.ts'
import { openEmbeddedReader } from '../packages/service/src/store/reading/embedded-reader.ts'
import { NOBODY, READ_LIMITS } from '../packages/service/src/store/reading/reader.ts'
import { DATASET, END_NS, loadEvents, START_NS } from './query-data.ts'

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
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number

/** Runs all in turn, so that each meets the same weather. @returns the median of each, in ms */
async function compare(rounds: number, tasks: readonly ((round: number) => Promise<unknown>)[]): Promise<number[]> {
  const times = tasks.map((): number[] => [])
  for (let round = -2; round < rounds; round++) {
    for (const [index, task] of tasks.entries()) {
      const from = performance.now()
      await task(round + 2)
      if (round >= 0) times[index]?.push(performance.now() - from)
    }
  }
  return times.map(median)
}

const dataDir = mkdtempSync(join(process.env.DIRECTORY ?? tmpdir(), 'bench-query-'))
try {
  const loaded = await loadEvents(dataDir, ROWS)
  report(
    'load, straight into the table',
    `${ROWS.toLocaleString('en')} rows, ${Math.round(ROWS / loaded.seconds / 1_000)}k rows/s`,
    '',
  )
  await measureService()
  await measureStatements()
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
      const [first, deep] = (await compare(ROUNDS, [() => ask(text(PAGE_ROWS)), () => ask(text(PAGE_ROWS), cursor)])) as [
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

async function measureStatements(): Promise<void> {
  const { events, reader, close } = await openParts()
  const { signal } = new AbortController()
  const table = events.datasets.get(DATASET).table
  const range = { startNs: START_NS, endNs: END_NS }
  const queries = createQueries({ events, reader, rowsMax: ROWS_MAX, clock: Date.now })
  const times = { startTime: formatTimestamp(START_NS), endTime: formatTimestamp(END_NS) }
  const byHand = (sql: string) => reader.read({ sql: sql.replaceAll('EVENTS', table), params: {} }, signal)
  const span = `_time >= fromUnixTimestamp64Nano(${START_NS}, 'UTC') AND _time < fromUnixTimestamp64Nano(${END_NS}, 'UTC')`

  // The constant differs in each round, so that no cache of conditions answers.
  const cases: [string, (round: number) => string, (round: number) => string[]][] = [
    [
      'filter and count',
      (round) => `['${DATASET}'] | where took > ${900 + round / 100} | count`,
      (round) => [`SELECT count() FROM EVENTS WHERE ${span} AND data.took.:Float64 > ${900.001 + round / 100}`],
    ],
    [
      'filter by text and count',
      (round) => `['${DATASET}'] | where path contains 'users/${round + 10}' | count`,
      (round) => [`SELECT count() FROM EVENTS WHERE ${span} AND data.path.:String ILIKE '%users/${round + 50}%'`],
    ],
    [
      'summarize by hour',
      () => `['${DATASET}'] | summarize count(), avg(took) by bin(_time, 1h)`,
      () => [
        `SELECT toStartOfHour(_time) AS hour, count(), avg(data.took.:Float64) FROM EVENTS WHERE ${span} GROUP BY hour`,
        `SELECT count(), avg(data.took.:Float64) FROM EVENTS WHERE ${span}`,
      ],
    ],
    [
      'summarize by hour and region',
      () => `['${DATASET}'] | summarize count(), percentile(took, 95) by bin(_time, 1h), region`,
      () => [
        `SELECT toStartOfHour(_time) AS hour, data.region.:String AS region, count(), quantile(0.95)(data.took.:Float64) FROM EVENTS WHERE ${span} GROUP BY hour, region`,
        `SELECT data.region.:String AS region, count(), quantile(0.95)(data.took.:Float64) FROM EVENTS WHERE ${span} GROUP BY region`,
      ],
    ],
  ]
  for (const [name, text, hand] of cases) {
    const plan = (round: number) => compile(text(round), { datasets: readCatalogue(events.datasets), range, nowNs: END_NS })
    const [statement, written, request, all] = (await compare(SCAN_ROUNDS, [
      (round) => reader.read(plan(round), signal),
      (round) => byHand(hand(round)[0] as string),
      (round) =>
        queries.apl(
          { body: { ...times, apl: text(round + 20) }, cursor: undefined, countMatches: undefined, caller: NOBODY, signal },
          'tabular',
        ),
      (round) => Promise.all(hand(round + 20).map(byHand)),
    ])) as [number, number, number, number]
    report(
      `${name}: our statement, by hand`,
      `${ms(statement)}, ${ms(written)} (${(statement / written).toFixed(2)} ×)`,
      '≤ 1.3 ×',
    )
    report(
      `${name}: whole answer, its statements by hand`,
      `${ms(request)}, ${ms(all)} (${(request / all).toFixed(2)} ×)`,
      '≤ 1.3 ×',
    )
  }
  const compiled = (
    await compare(200, [
      async () => compile(cases[3]?.[1](0) ?? '', { datasets: readCatalogue(events.datasets), range, nowNs: END_NS }),
    ])
  )[0]
  report('compile', `${((compiled as number) * 1_000).toFixed(0)} µs`, '≤ 1 ms')
  await close()
}

/** The parts of a service that answer queries. */
async function openParts() {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  const records = await openRecords(dataDir)
  const events = await openEventStore(engine, records, { fieldsMax: 1024, isAlone: true })
  await new Followers(records, [events.datasets]).refresh()
  const reader = openEmbeddedReader(join(dataDir, 'engine'), READ_LIMITS)
  const close = async () => {
    for (const part of [events, reader, engine, records]) await part.close()
  }
  return { events, reader, close }
}
