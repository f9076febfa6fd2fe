/** Queries that are answered from states of aggregations say the same as of the events, whenever the states were made. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { compile, compileTree } from '../src/compile.ts'
import { AGGREGATES } from '../src/functions/aggregates.ts'
import { FUNCTIONS } from '../src/functions/table.ts'
import { OPERATORS } from '../src/operators/table.ts'
import { isMergeable } from '../src/query/mergeable.ts'
import { parseQuery } from '../src/query/parser.ts'
import { ifCompiles } from '../src/query/totals.ts'
import type { InStates, Together } from '../src/sql/plan.ts'
import { STATES } from '../src/sql/states.ts'
import { readTogether } from './support/engine.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const engine = engineForTests(loadAll)
const { aggregations, operators, refused } =
  readGolden<Readonly<Record<'aggregations' | 'operators' | 'refused', readonly string[]>>>('mergeable')

const planOf = (text: string, laterNs = 0n) => compile(text, { ...options, nowNs: options.nowNs + laterNs, countsMatched: true })
const statesOf = (text: string) => planOf(text).inStates?.()

test('every function may be in states but those that depend on chance or on the moment', () => {
  const uncertain = engine.query({ sql: 'SELECT name FROM system.functions WHERE deterministic = 0', params: {} }).flat()
  const varies = (call: string) => {
    const [now, later] = [0n, 60_000_000_000n].map((ns) => planOf(`web | extend x = ${call} | project x`, ns))
    const called = now?.sql.match(/\w+(?=\()/g) ?? []
    return called.some((name) => uncertain.includes(name)) || JSON.stringify(now) !== JSON.stringify(later)
  }
  const calls = Object.values(FUNCTIONS).map(({ example }) => example?.call ?? '')
  const isHeld = (call: string) => statesOf(`web | summarize countif(isnotnull(${call})) by bin(_time, 1h)`) !== undefined
  expect(calls.filter((call) => isHeld(call) && varies(call))).toEqual([])
  // Of two moments the difference alone is always the same.
  expect(calls.filter((call) => !isHeld(call) && !varies(call))).toEqual(['now() - ago(1h) == 1h'])
})

test('of operators and aggregations states are made of these, and of no other', () => {
  expect(Object.keys(OPERATORS).filter((kind) => isMergeable({ kind }))).toEqual(operators)
  expect(Object.keys(AGGREGATES).filter((name) => isMergeable({ kind: 'call', name }))).toEqual(aggregations)
})

test.each(refused)('no states are made of %s', (text) => {
  expect(statesOf(`web | ${text}`)).toBeUndefined()
})

function read(statement: Together, sql = statement.sql) {
  const { bins, totals, matched } = readTogether(statement, engine.query({ ...statement, sql }))
  return { bins: bins.map((row) => JSON.stringify(row)).sort(), totals, matched }
}

/** Made of the states of two halves of the events. */
function readMerged(states: InStates) {
  const halves = [0, 1].map((half) => states.states([`_row % 2 = ${half}`])).join(' UNION ALL ')
  return read(
    states,
    states.sql.replace(STATES, () => `(SELECT bin AS _time, * EXCEPT (bin) FROM (${halves}))`),
  )
}

test('the states of two halves of the events say what all of them say', () => {
  const goldens = new URL('goldens/', import.meta.url)
  const files = readdirSync(goldens, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.apl'))
  const queries = files.map((path) => readFileSync(new URL(path, goldens), 'utf8'))
  const begun = queries.flatMap((text) => parseQuery(text).pipeline.operators.map(({ span }) => text.slice(0, span.end)))
  const aggregated = Object.values(AGGREGATES).map(
    ({ example }) => `web | summarize ${example?.call.replace(/\bms\b/, 'status')}`,
  )
  const texts = [...begun.map((text) => `${text} | summarize count()`), ...aggregated].map((text) => `${text} by bin(_time, 1h)`)
  const held = texts.filter((text) => {
    // After some of them there is no time to group by, and no city in the events.
    const plan = ifCompiles(() => compileTree(parseQuery(text), { ...options, countsMatched: true }))
    const states = plan?.inStates?.()
    if (states) expect(readMerged(states)).toEqual(read(plan?.together as Together))
    return states
  })
  expect(held.length).toBeGreaterThan(50)
})
