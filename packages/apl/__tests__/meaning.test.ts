/**
 * Queries that once answered wrongly without a word, each with the rows that it must answer. The data are small and awkward: missing
 * fields, signs at the edges of texts, texts that look like numbers and times, and integers that a float would round. Most queries and
 * their rows are in `goldens/meaning.json`.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { fieldsOf, readRows, type StoredEvent } from './support/engine.ts'
import { type Golden, readGolden, testGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'

const START = 1_767_225_600_000_000_000n

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown

/**
 * Events by dataset, with integers of any size and 3.0 as they stand there. In `spelled` is what spells no number, or none that has an end; the second
 * event of `lists` makes fields of the keys that the items of the first have; `spellings` has two of one field, which has held an object.
 */
const DATA = (JSON.parse as (text: string, reviver: Reviver) => Readonly<Record<string, readonly object[]>>)(
  readFileSync(new URL('goldens/meaning-events.json', import.meta.url), 'utf8'),
  (_key, value, { source }) =>
    typeof value === 'number' && (Number.isSafeInteger(value) ? /\.0$/ : /^\d+$/).test(source)
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source)
      : value,
)

/** With each key as the service stores it, or as the catalog has it. */
const renamed = (value: object, rename: (key: string) => string): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      rename(key),
      ['a', 'at', 'place'].includes(key) && !Array.isArray(inner) && typeof inner === 'object'
        ? renamed(inner as object, rename)
        : inner,
    ]),
  )
const storedKey = (key: string) => key.replaceAll('.', '%2E')
const fieldKey = (key: string) => key.replace(/[\\.]/g, '\\$&')
/** In a field's name a dot behind a backslash is one inside of a key. */
const pathOf = (field: string) => field.replace(/\\([\\.])/g, (_, char: string) => storedKey(char))

const datasets = new Map(
  Object.entries(DATA).map(([name, events]) => {
    const under = (rename: (key: string) => string) =>
      events.map((data, at): StoredEvent => ({ timeNs: START + BigInt(at), data: renamed(data, rename) }))
    const fields = fieldsOf(under(fieldKey))
    if (name === 'large' || name === 'ties') fields.set('n', new Set(['integer', 'float']))
    return [name, { name, table: `ds_${name}`, fields, pathOf, stored: under(storedKey) }]
  }),
)

const engine = engineForTests(async (engine) => {
  for (const dataset of datasets.values()) await engine.load(dataset, dataset.stored)
})

const planOf = (text: string) =>
  compile(text, { datasets, range: { startNs: START, endNs: START + 3_600_000_000_000n }, nowNs: START })
const namesOf = (text: string) => planOf(text).columns.map(({ name }) => name)
const rowsOf = (text: string) => {
  const plan = planOf(text)
  return readRows(plan, engine.query(plan)).map((row) => Object.values(row))
}

testGolden(readGolden<Golden<readonly (readonly unknown[])[]>>('meaning'), rowsOf)

test('arg_max of all that there is names its group once', () => {
  expect(namesOf('hosts | summarize arg_max(cpu, *) by host')).not.toContain('host1')
})

test('has finds a text with a sign at its edge, whatever stands beside the sign', () => {
  const { found, absent } = readGolden<Record<'found' | 'absent', [text: string, wanted: string][]>>('words-at-signs')
  for (const [cases, isFound] of [
    [found, true],
    [absent, false],
  ] as const)
    for (const [text, wanted] of cases) {
      const forms = [`x has '${wanted}'`, `x has y`, `x has_any ('${wanted}')`, `x has_all (y)`]
      const query = `datatable(x: string, y: string) ['${text}', '${wanted}'] | project ${forms.join(', ')}`
      expect([query, rowsOf(query)]).toEqual([query, [forms.map(() => isFound)]])
    }
})

test('only a text that is a point in time is read as one', () => {
  const jan2 = '2026-01-02T00:00:00.000000000Z'
  const found = rowsOf('times | extend t = todatetime(text) | sort by id asc | project t').map(([time]) => time)
  expect(found).toEqual([
    ...[jan2, '2026-01-02T03:04:05.000000000Z', '2026-01-02T01:04:05.500000000Z', jan2, jan2, jan2],
    ...['2026-01-01T00:00:00.000000000Z', '2026-03-01T00:00:00.000000000Z', '2026-01-02T10:00:00.000000000Z', jan2, jan2],
    ...Array.from({ length: 11 }, () => null),
  ])
})

test('a sum of integers that 64 bits do not hold is refused', () => {
  expect(() => rowsOf('print array_sum(dynamic([9223372036854775807, 1]))')).toThrow('Int64')
})

test('a field whose name has a dot is taken away by its path', () => {
  expect(namesOf('keys | project-away a.b, http.method')).toEqual(['_sysTime', '_time', 'at.c\\.d', 'back\\\\slash', 'id'])
})

test('a text in a row is the length of time that the same text is as a constant', () => {
  const texts = ['1h', '1.5d', '-30m', '10 ms', '5', '00:05:00', '-1.02:03:04.000000005', '1:30', '250us', '3 hours', '2.25s']
  const spelled = texts.map((text) => `'${text}'`).join(', ')
  const rows = `print t = dynamic([${spelled}]) | mv-expand t`
  const constants = texts.map((text) => [rowsOf(`print x = totimespan('${text}')`)[0]?.[0]])
  expect(new Set(constants.flat()).size).toBe(texts.length)
  expect(rowsOf(`${rows} | project x = totimespan(t)`)).toEqual(constants)
  expect(rowsOf(`${rows} | project x = totimespan(tostring(t))`)).toEqual(constants)
})

test('a variable of a request is a point in time under either name of the type', () => {
  const plan = compile('declare query_parameters (at: date); print at', {
    datasets,
    range: { startNs: START, endNs: START + 1n },
    nowNs: START,
    variables: { at: '2026-01-01' },
  })
  expect(engine.query(plan)).toEqual([['2026-01-01T00:00:00.000000000Z']])
})
