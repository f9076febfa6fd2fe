/**
 * What a table keeps of a field beside the events changes no answer: every text operator, with the texts that are hard to split into
 * words, over rows that came before the column and the index and over rows that came after.
 */
import { expect, test } from '@jest/globals'
import { compile, type Dataset } from '../src/compile.ts'
import { lowered, storedText, type ValueLayout } from '../src/sql/field.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'

const START = 1_767_225_600_000_000_000n
/** Texts of events, texts that are looked for in them, and the operators that do. The Kelvin sign is a k to whoever ignores case, a long s an s. */
const {
  texts,
  wanted: wantedTexts,
  operators,
} = readGolden<Readonly<Record<'texts' | 'wanted' | 'operators', readonly string[]>>>('layouts')
const LAYOUTS: readonly ValueLayout[] = [{ column: 'text_s' }, 'words']

const dataset = (layout?: ValueLayout): Dataset => ({
  name: 'logs',
  table: 'logs_layouts',
  fields: new Map([
    ['n', new Set(['integer'])],
    ['s', new Set(['string'])],
  ]),
  layoutOf: (field) => (field === 's' ? layout : undefined),
})

const engine = engineForTests(async (engine) => {
  const events = [...texts, undefined].map((s, n) => ({ timeNs: START, data: { n, ...(s !== undefined && { s }) } }))
  await engine.load(dataset(), events)
  const text = storedText('s') as string
  engine.sql(`ALTER TABLE logs_layouts ADD COLUMN text_s LowCardinality(Nullable(String)) MATERIALIZED ${text}`)
  engine.sql(`ALTER TABLE logs_layouts ADD INDEX words_s ${lowered(text)} TYPE text(tokenizer = splitByNonAlpha)`)
  await engine.load(
    dataset(),
    events.map(({ timeNs, data }) => ({ timeNs, data: { ...data, n: data.n + 100 } })),
  )
})

function compiled(predicate: string, layout?: ValueLayout) {
  return compile(`logs | where ${predicate} | project n | sort by n asc`, {
    datasets: new Map([['logs', dataset(layout)]]),
    range: { startNs: START, endNs: START + 1n },
    nowNs: START,
  })
}

const apl = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\0', '\\0')}'`

test.each(operators)('%s finds the same rows, and leaves out the same', (operator) => {
  for (const wanted of wantedTexts) {
    for (const predicate of [`s ${operator} ${apl(wanted)}`, `not(s ${operator} ${apl(wanted)})`]) {
      const expected = engine.query(compiled(predicate))
      for (const layout of LAYOUTS)
        expect({ predicate, layout, rows: engine.query(compiled(predicate, layout)) }).toEqual({
          predicate,
          layout,
          rows: expected,
        })
    }
  }
})

test.each([
  ["s has 'Timeout'", ["hasToken(lower(ifNull(data.`s`.:String, '')), {String})"], ['hasTokenCaseInsensitive']],
  ["s contains 'Time'", ["lower(ifNull(data.`s`.:String, '')) LIKE {String}"], ['positionCaseInsensitive']],
  ["s has_cs 'Timeout'", ["hasToken(lower(ifNull(data.`s`.:String, '')), {String})", 'hasToken(data.`s`.:String, '], []],
  ["s has 'one two'", ["hasToken(lower(ifNull(data.`s`.:String, '')), {String})", 'match('], []],
])('%s asks the index of words', (predicate, there, absent) => {
  const { sql } = compiled(predicate, 'words')
  const text = sql.replace(/\{p\d+:String\}/g, '{String}')
  for (const part of there) expect(text).toContain(part)
  for (const part of absent) expect(text).not.toContain(part)
})

test('a field is read by its column, and is in the answer as it was stored', () => {
  const { sql } = compiled("s == 'a-k'", { column: 'text_s' })
  expect(sql).toContain('`text_s` = ')
  expect(sql).not.toContain('data.`s`.:String')
})

test('a field of several types is read from the events', () => {
  const union = { ...dataset({ column: 'text_s' }), fields: new Map([['s', new Set(['string', 'integer'])]]) }
  const options = { datasets: new Map([['logs', union]]), range: { startNs: START, endNs: START + 1n }, nowNs: START }
  expect(compile("logs | where s == 'a-k' | count", options).sql).not.toContain('text_s')
})
