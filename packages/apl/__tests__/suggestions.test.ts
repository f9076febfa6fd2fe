/**
 * Where it is known what was meant, an error or a warning carries the whole text as it should be. That text is pressed as a button would be,
 * until nothing is left to correct, and then finds in the real engine what the query that was meant finds. Most cases are in
 * `goldens/suggestions.json`.
 */
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { fieldsOf, readRows, type StoredEvent } from './support/engine.ts'
import { orError } from './support/error-of.ts'
import { type Golden, readGolden, testGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options, web } from './support/web.ts'

const LINES: readonly StoredEvent[] = readGolden<StoredEvent['data'][]>('suggestions-events').map((data, at) => ({
  timeNs: options.range.startNs + BigInt(at) * 1_000_000_000n,
  data,
}))

const lines = { name: 'lg', table: 'ds_lg', fields: fieldsOf(LINES) }
const compiling = { ...options, datasets: new Map([...options.datasets, [lines.name, lines]]) }

const engine = engineForTests(async (engine) => {
  await loadAll(engine)
  await engine.load(lines, LINES)
})

const rowsOf = (text: string) => {
  const plan = compile(text, compiling)
  return readRows(plan, engine.query(plan))
}

/** What is suggested first, by an error or by a warning. */
function suggestionFor(text: string): string | undefined {
  const found = orError(() => compile(text, compiling))
  if (found instanceof QueryError) return found.suggestion
  return found.messages.find(({ suggestion }) => suggestion !== undefined)?.suggestion
}

/** As a person would who presses the button again and again. */
function corrected(text: string, times = 5): string {
  const next = suggestionFor(text)
  return next === undefined || times === 0 ? text : corrected(next, times - 1)
}

const GOLDEN = readGolden<{
  /** By what was written, in other words what was meant. */
  readonly meant: Readonly<Record<string, string>>
  /** What is suggested for a query that compiles, or else the text of the warning. */
  readonly warnings: Golden<readonly string[]>
  readonly rows: Golden<readonly object[]>
}>('suggestions')

testGolden(GOLDEN.warnings, (text) =>
  compile(text, compiling)
    .messages.filter(({ code }) => code !== 'default_limit_warning')
    .map((message) => message.suggestion ?? message.text),
)

testGolden(GOLDEN.rows, rowsOf)

test.each(Object.entries(GOLDEN.meant))('%s', (written, meant) => {
  const found = rowsOf(meant)
  expect(found).not.toEqual([])
  expect(suggestionFor(written)).toBeDefined()
  const text = corrected(written)
  expect({ text, rows: rowsOf(text) }).toEqual({ text, rows: found })
})

test.each([
  'web | where (status == 500',
  'SELECT * FROM web',
  'web | where path like "a"',
  'lg | where duration > now() - _time',
])('what was meant by "%s" is not certain', (text) => {
  expect(suggestionFor(text)).toBeUndefined()
})

test('a virtual field is warned of, and nothing in the query is mistaken for its text', () => {
  const virtual = { ...web, virtualFields: new Map([['isFast', "tags == 'fast'"]]) }
  const { messages } = compile('web | where isFast', { ...options, datasets: new Map([['web', virtual]]) })
  expect(messages.filter(({ code }) => code === 'likely_mistake')).toEqual([
    { code: 'likely_mistake', text: '== compares all of the array "tags", and no item of it: write \'item\' in (tags)' },
  ])
})

test('columns know what they count', () => {
  const unitsOf = (text: string) => compile(text, compiling).columns.map(({ name, unit }) => [name, unit])
  expect(unitsOf('lg | summarize avg(duration_ms), sumif(duration_ms, status > 1), dcount(duration_ms), max(duration)')).toEqual([
    ['avg_duration_ms', 'ms'],
    ['sumif_duration_ms', 'ms'],
    ['dcount_duration_ms', undefined],
    ['max_duration', undefined],
  ])
  expect(unitsOf('lg | project took = duration_ms, third = duration_ms / 3')).toEqual([
    ['took', 'ms'],
    ['third', 'ms'],
  ])
  expect(
    unitsOf('lg | project d = duration_ms / 1000.0, delay_s = duration_ms / 1000.0, share = duration_ms / duration_ms'),
  ).toEqual([
    ['d', undefined],
    ['delay_s', 's'],
    ['share', undefined],
  ])
})
