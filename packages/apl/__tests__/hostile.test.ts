/**
 * Hostile text through every opening of the language, executed on the real engine. Afterwards everything is as it was: the canary table,
 * the tables there are, and no file anywhere that a query could have written. The long form tries all texts in all openings.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { folderForTests } from '../../../__tests__/support/for-tests.ts'
import { isLong } from '../../../__tests__/support/long.ts'
import { type CompileOptions, compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { compileLegacy } from '../src/legacy.ts'
import type { Plan } from '../src/sql/plan.ts'
import { quoteName } from '../src/sql/quoting.ts'
import { orError } from './support/error-of.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const outbox = folderForTests('apl-canary')
const FILE = join(outbox, 'written')

/** Places for a text: string literals in all roles, names in all roles. `S` is the text as a literal, `N` as a quoted name. */
const { payloads, openings: OPENINGS } = readGolden<Readonly<Record<'payloads' | 'openings', readonly string[]>>>('hostile')
const PAYLOADS = [...payloads.map((payload) => payload.replaceAll('<FILE>', FILE)), '9'.repeat(40), 'x'.repeat(500)]

/** An opening meets one text in so many; those beside it meet the others, so that each text and each opening is tried. */
const STRIDE = isLong ? 1 : 9
const payloadsFor = (opening: number) => PAYLOADS.filter((_, at) => at % STRIDE === opening % STRIDE)

const engine = engineForTests(async (engine) => {
  await loadAll(engine)
  engine.sql('CREATE TABLE canary (secret String) ENGINE=MergeTree ORDER BY secret')
  engine.sql("INSERT INTO canary VALUES ('canary-secret')")
})

/** Runs what compiles. A refusal must be the query's fault; the engine may refuse only what depends on data, never syntax or an unknown name. */
function attempt(make: () => Plan): void {
  const plan = orError(make)
  if (plan instanceof QueryError) return
  for (const statement of [plan, plan.count, ...(plan.totals ? [plan.totals] : []), ...(plan.together ? [plan.together] : [])]) {
    expect(JSON.stringify(engine.query(statement))).not.toContain('canary-secret')
  }
}

function intact(): void {
  expect(engine.query({ sql: 'SELECT secret FROM canary', params: {} })).toEqual([['canary-secret']])
  expect(engine.query({ sql: "SELECT count() FROM system.tables WHERE database = 'default'", params: {} })).toEqual([[3]])
  expect(existsSync(FILE)).toBe(false)
  expect(readdirSync(outbox)).toEqual([])
}

describe.each(OPENINGS.map((opening, at) => [opening, payloadsFor(at)] as const))('%s', (opening, payloads) => {
  test('leaves everything as it was', () => {
    for (const payload of payloads) {
      const literal = JSON.stringify(payload)
      const query = opening
        .replace(/\bN2\b/g, '1')
        .replace(/\bS\b/g, () => literal)
        .replace(/\bN\b/g, () => `[${literal}]`)
      attempt(() => compile(query, options))
    }
    intact()
  })
})

test('field names of stored events are quoted, whatever they are', () => {
  const fields = new Map(PAYLOADS.map((name) => [name, new Set(['string', 'integer'])] as const))
  for (const types of [new Set(['string']), new Set(['string', 'array']), new Set(['integer', 'float'])]) {
    for (const name of PAYLOADS.filter((payload) => payload.length > 0)) {
      const datasets = new Map([['web', { name: 'web', table: 'ds_web', fields: new Map([[name, types]]) }]])
      attempt(() =>
        compile(`web | where [${JSON.stringify(name)}] == 'x' | summarize count() by [${JSON.stringify(name)}]`, {
          ...options,
          datasets,
        } as CompileOptions),
      )
    }
  }
  attempt(() =>
    compile('web | project-reorder *', { ...options, datasets: new Map([['web', { name: 'web', table: 'ds_web', fields }]]) }),
  )
  intact()
})

test('the table name is quoted, whatever it is', () => {
  for (const name of PAYLOADS) {
    const plan = compile('web', { ...options, datasets: new Map([['web', { name: 'web', table: name, fields: new Map() }]]) })
    expect(plan.sql.split('\n')[1]).toBe(`FROM ${quoteName(name)}`)
    expect(() => engine.query(plan)).toThrow()
  }
  intact()
})

/** Places for a text that are not in the text of a query. */
const BODIES: readonly ((payload: string) => Plan)[] = [
  (payload) =>
    compile('declare query_parameters (v:string = ""); web | where path == v', { ...options, variables: { v: payload } }),
  (payload) => compile('web | where path == v', { ...options, variables: { v: payload } }),
  ...['==', '!=', 'contains', 'starts-with', 'not-ends-with', 'regexp'].map(
    (op) => (value: string) => compileLegacy({ filter: { op, field: 'path', value } }, 'web', options),
  ),
  (payload) => compileLegacy({ filter: { op: payload, field: 'path', value: payload } }, 'web', options),
  (payload) => compileLegacy({ filter: { op: 'exists', field: payload } }, 'web', options),
  (payload) =>
    compileLegacy(
      {
        aggregations: [{ op: 'count', field: '*', alias: payload }],
        groupBy: ['path', payload].slice(0, 1),
        order: [{ field: payload, desc: true }],
      },
      'web',
      options,
    ),
  (payload) =>
    compileLegacy(
      {
        project: [{ field: 'path', alias: payload }],
        order: [{ field: payload }],
        virtualFields: [{ alias: payload, expr: JSON.stringify(payload) }],
      },
      'web',
      options,
    ),
  (payload) => compileLegacy({ virtualFields: [{ alias: 'x', expr: payload }] }, payload, options),
]

test('variables and legacy bodies are values too', () => {
  for (const [at, make] of BODIES.entries()) for (const payload of payloadsFor(at)) attempt(() => make(payload))
  intact()
})

test('the checks notice a guard that is missing', () => {
  const leak = "' UNION ALL SELECT 1, 2, secret, 4 FROM canary --"
  expect(() =>
    attempt(() => ({ ...compile('web', options), sql: `SELECT '${leak.replace(' 1, 2,', '').replace(', 4', '')}'` })),
  ).toThrow()
})
