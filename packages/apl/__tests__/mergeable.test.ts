/** Queries that are answered from states of aggregations say the same as of the events, whenever the states were made. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { AGGREGATES } from '../src/functions/aggregates.ts'
import { FUNCTIONS } from '../src/functions/table.ts'
import { parseQuery } from '../src/query/parser.ts'
import type { InStates, Plan } from '../src/sql/plan.ts'
import { STATES } from '../src/sql/states.ts'
import { readTogether } from './support/engine.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const engine = engineForTests(loadAll)
const MINUTE = 60_000_000_000n

const planOf = (text: string, nowNs = options.nowNs) => compile(text, { ...options, nowNs, countsMatched: true })
const holds = (text: string) => planOf(text).inStates?.() !== undefined

test('every function may be in states but those that depend on chance or on the moment', () => {
  const uncertain = engine.query({ sql: 'SELECT name FROM system.functions WHERE deterministic = 0', params: {} }).flat()
  const varies = (call: string) => {
    const [now, later] = [0n, MINUTE].map((ns) => planOf(`web | extend x = ${call} | project x`, options.nowNs + ns))
    const called = now?.sql.match(/\w+(?=\()/g) ?? []
    return called.some((name) => uncertain.includes(name)) || JSON.stringify(now) !== JSON.stringify(later)
  }
  const calls = Object.values(FUNCTIONS).map(({ example }) => example?.call ?? '')
  const held = calls.filter((call) => holds(`web | summarize n = countif(isnotnull(${call})) by bin(_time, 1h)`))
  expect(held.filter(varies)).toEqual([])
  // Of two moments the difference alone is always the same.
  expect(calls.filter((call) => !held.includes(call) && !varies(call))).toEqual(['now() - ago(1h) == 1h'])
})

test.each([
  'extend _time = _time + 1h | summarize count() by bin(_time, 1h)',
  'summarize sum(duration) by bin(_time, 1h)',
  'where status in (web | where ok | project status) | summarize count() by bin(_time, 1h)',
  'summarize count() by bin(_time, 1h), method',
])('no states are made of %s', (text) => {
  expect(holds(`web | ${text}`)).toBe(false)
})

/** The states of two halves of the events, as SQL. */
const halves = ({ states }: InStates) => [0, 1].map((half) => states([`_row % 2 = ${half}`])).join(' UNION ALL ')

function compare({ together }: Plan, states: InStates): void {
  if (!together) throw new Error('what has states has totals beside its rows')
  const sql = states.sql.replace(STATES, () => `(SELECT bin AS _time, * EXCEPT (bin) FROM (${halves(states)}))`)
  const [merged, whole] = [readTogether(states, engine.query({ ...states, sql })), readTogether(together, engine.query(together))]
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(sorted(merged.bins)).toEqual(sorted(whole.bins))
  expect(sorted(merged.totals)).toEqual(sorted(whole.totals))
  expect(merged.matched).toEqual(whole.matched)
}

test('each aggregation and each operator that states are made of says of two halves what it says of the whole', () => {
  const goldens = new URL('goldens/', import.meta.url)
  const queries = readdirSync(goldens, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? readFileSync(new URL(`${entry.name}/query.apl`, goldens), 'utf8') : [],
  )
  const beginnings = queries.flatMap((query) => parseQuery(query).pipeline.operators.map(({ span }) => query.slice(0, span.end)))
  const aggregations = Object.values(AGGREGATES).map(({ example }) =>
    (example?.call ?? '').replaceAll(/\bms\b/g, 'status').replaceAll(/\bcity\b/g, 'path'),
  )
  const rows = [...beginnings, 'web | extend-valid x = status', 'web | parse-kv path as (a)', 'web | project-reorder status']
  const held = new Set<string>()
  for (const text of [
    ...rows.map((query) => `${query} | summarize count() by bin(_time, 1h)`),
    ...aggregations.map((call) => `web | summarize x = ${call} by bin(_time, 1h)`),
  ]) {
    try {
      const plan = planOf(text)
      const states = plan.inStates?.()
      if (!states) continue
      compare(plan, states)
      for (const { kind } of parseQuery(text).pipeline.operators) held.add(kind)
      held.add(/summarize (?:x = )?(\w+)/.exec(text)?.[1] as string)
    } catch (error) {
      // After some queries there is no time to group by.
      if (!(error instanceof QueryError)) throw error
    }
  }
  expect([...held].sort()).toEqual([
    ...['count', 'extend', 'extend-valid', 'max', 'min', 'parse', 'parse-kv', 'percentile', 'percentiles_array', 'project'],
    ...['project-away', 'project-keep', 'project-rename', 'project-reorder', 'redact', 'search', 'sort', 'sum', 'summarize'],
    'where',
  ])
})
