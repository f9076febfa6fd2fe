/**
 * `docs/apl.md` lists what there is: its tables are made from ours, and the examples in them are run. To write them again:
 * `UPDATE_DOCS=1 npm test -- packages/apl/__tests__/docs`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { TO_SCALAR } from '../src/expressions/tabular.ts'
import { WINDOW_FUNCTIONS } from '../src/expressions/window.ts'
import { AGGREGATES } from '../src/functions/aggregates.ts'
import type { Signed } from '../src/functions/definition.ts'
import { FUNCTIONS } from '../src/functions/table.ts'
import { OPERATORS } from '../src/operators/table.ts'
import { FORMS } from '../src/text/forms.ts'
import { signature } from '../src/tree/signature.ts'
import { readRows } from './support/engine.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const FILE = new URL('../../../docs/apl.md', import.meta.url)

const inCell = (text: string) => text.replaceAll('|', '\\|')
const inCode = (text: string) => `\`${inCell(text)}\``
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), `|${head.map(() => '---|').join('')}`, ...rows.map(row)].join('\n')

const SCALAR: Readonly<Record<string, Signed>> = { ...FUNCTIONS, toscalar: TO_SCALAR }
/** Functions with their examples, in the order of the alphabet. */
const described = (rows: Readonly<Record<string, Signed>>) =>
  table(
    ['function', 'for example', 'gives'],
    Object.entries(rows)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { parameters, example }]) => [
        inCode(signature(name, parameters)),
        inCode(example?.call ?? ''),
        inCode(JSON.stringify(example?.gives)),
      ]),
  )

const SECTIONS: Record<string, string> = {
  operators: table(
    ['operator', 'takes'],
    Object.values(OPERATORS).map(({ keywords, syntax }) => [
      keywords.map((word) => `\`${word}\``).join(' '),
      syntax === '' ? '' : inCode(syntax),
    ]),
  ),
  forms: table(
    ['form', 'for example'],
    FORMS.map(({ syntax, example }) => [inCode(syntax), inCode(example)]),
  ),
  functions: described(SCALAR),
  aggregations: described(AGGREGATES),
  windows: described(WINDOW_FUNCTIONS),
}

test.each(Object.keys(SECTIONS))('the list of %s is complete', (section) => {
  const [start, end] = [`<!-- ${section} -->\n`, `\n<!-- /${section} -->`]
  const text = readFileSync(FILE, 'utf8')
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)]
  expect(to).toBeGreaterThan(from)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, text.slice(0, from) + SECTIONS[section] + text.slice(to))
  else expect(text.slice(from, to)).toBe(SECTIONS[section])
})

test('every argument has a name of its own, and every function an example that calls it', () => {
  const rows = Object.entries({ ...SCALAR, ...AGGREGATES, ...WINDOW_FUNCTIONS })
  const unnamed = rows.filter(([, { parameters }]) => new Set(parameters.map(({ name }) => name)).size < parameters.length)
  const bare = rows.filter(([, { parameters }]) => parameters.some(({ name, reads }) => name === reads && !NAMED_SO.has(name)))
  const silent = rows.filter(([name, { example }]) => !example?.call.includes(`${name}(`))
  expect([unnamed, bare, silent].map((found) => found.map(([name]) => name))).toEqual([[], [], []])
})

/** Names that are also ways to read an argument. */
const NAMED_SO = new Set(['text', 'number', 'time'])

const engine = engineForTests(loadAll)

/** The values of a column, as an answer shows them. */
function valuesOf(query: string): unknown[] {
  const plan = compile(query, options)
  const short = (cell: unknown) => (typeof cell === 'string' ? cell.replace(/\.000000000Z$/, 'Z') : cell)
  return readRows(plan, engine.query(plan)).map(({ example }) => short(example))
}

/** What examples of aggregations and of window functions are taken of. */
const EXAMPLE_ROWS = "datatable (city: string, ms: long) ['Oslo', 120, 'Oslo', 80, 'Rome', 340]"

const examplesOf = (rows: Readonly<Record<string, Signed>>) =>
  Object.values(rows).flatMap(({ example }) => (example ? [[example.call, example.gives] as const] : []))

test.each(examplesOf(SCALAR))('%s', (call, gives) => {
  expect(valuesOf(`web | limit 1 | project example = ${call}`)).toEqual([gives])
})

test.each(examplesOf(AGGREGATES))('%s of the rows of the examples', (call, gives) => {
  expect(valuesOf(`${EXAMPLE_ROWS} | summarize example = ${call}`)).toEqual([gives])
})

test.each(examplesOf(WINDOW_FUNCTIONS))('%s of the rows of the examples', (call, gives) => {
  expect(valuesOf(`${EXAMPLE_ROWS} | extend example = ${call}`)).toEqual(gives)
})

test.each(FORMS.map(({ example }) => example))('%s', (query) => {
  const plan = compile(query, options)
  expect(engine.query(plan)).not.toEqual([])
})
