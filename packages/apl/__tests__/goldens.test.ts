/**
 * Golden queries: compiled, compared and executed. To record after a wanted change: `UPDATE_GOLDENS=1 npm test -- packages/apl/__tests__/goldens`,
 * format (`biome format --write`),
 * and read the difference before committing it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { AGGREGATES } from '../src/functions/aggregates.ts'
import { FUNCTIONS } from '../src/functions/table.ts'
import { KEYWORDS, OPERATORS } from '../src/operators/table.ts'
import { parseQuery } from '../src/query/parser.ts'
import { readRows } from './support/engine.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const FOLDER = new URL('goldens/', import.meta.url)
const UPDATE = process.env.UPDATE_GOLDENS === '1'
const cases = readdirSync(FOLDER, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  .sort()
const queryOf = (name: string) => readFileSync(new URL(`${name}/query.apl`, FOLDER), 'utf8')

const engine = engineForTests(loadAll)

function check(name: string, file: string, found: string): void {
  const path = new URL(`${name}/${file}`, FOLDER)
  // JSON is compared as data, so that the formatter may lay it out.
  const read = (text: string): unknown => (file.endsWith('.json') ? JSON.parse(text) : text)
  if (UPDATE) {
    mkdirSync(new URL(`${name}/`, FOLDER), { recursive: true })
    writeFileSync(path, found)
  }
  expect(read(found)).toEqual(read(readFileSync(path, 'utf8')))
}

test.each(cases)('%s', (name) => {
  const plan = compile(queryOf(name), options)
  const { sql, params, totals, together, count, doubts: _doubts, ...rest } = plan
  check(
    name,
    'expected.sql',
    [
      sql,
      `-- ${JSON.stringify(params)}`,
      '-- count:',
      count.sql,
      ...(totals ? ['-- totals:', totals.sql] : []),
      ...(together ? ['-- together:', together.sql] : []),
      '',
    ].join('\n'),
  )
  const rows = readRows(plan, engine.query(plan))
  const answer = {
    ...rest,
    // Without an order the engine may answer in any.
    rows:
      plan.order.length > 0
        ? rows
        : rows
            .map((row) => JSON.stringify(row))
            .sort()
            .map((row) => JSON.parse(row) as unknown),
    matched: engine.query(count)[0]?.[0],
    ...(totals && {
      totals: readRows(totals, engine.query(totals))
        .map((row) => JSON.stringify(row))
        .sort(),
    }),
  }
  check(
    name,
    'expected.json',
    `${JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)}\n`,
  )
})

/** What the language has beside its tables. */
const { kinds, literals, textOperators, infix } =
  readGolden<Readonly<Record<'kinds' | 'literals' | 'textOperators' | 'infix', readonly string[]>>>('language')

test('every kind of node, function, aggregation, operator and spelling occurs in some golden', () => {
  const seen = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { kind, name, operator, type } = node as Record<string, unknown>
    if (kind !== undefined) seen.add(String(kind))
    if (kind === 'call') seen.add(`${name}()`)
    if (kind === undefined && type !== undefined) seen.add(`literal ${type}`)
    if (typeof operator === 'string') seen.add(operator)
    for (const child of Object.values(node)) visit(child)
  }
  for (const name of cases) {
    visit(parseQuery(queryOf(name)))
    for (const [, keyword] of queryOf(name).matchAll(/\|\s*([a-z-]+)/g)) seen.add(`| ${keyword}`)
  }
  const text = textOperators.flatMap((word) => [word, `!${word}`, `${word}_cs`, `!${word}_cs`])
  const wanted = [
    ...kinds,
    ...literals.map((type) => `literal ${type}`),
    ...Object.keys(OPERATORS),
    ...[...KEYWORDS.keys()].map((keyword) => `| ${keyword}`),
    ...Object.keys(FUNCTIONS)
      .filter((name) => name !== 'dynamic' && name !== 'datetime')
      .map((name) => `${name}()`),
    ...Object.keys(AGGREGATES).flatMap((name) => [`${name}()`, `${name}if()`]),
    ...text,
    ...infix,
  ]
  expect(wanted.filter((one) => !seen.has(one))).toEqual([])
})
