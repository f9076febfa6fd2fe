/** What is offered while a query is written; `‸` in a text is the caret. Most cases are in `completion.json`. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { type Golden, testGolden } from '../../../apl/__tests__/support/golden.ts'
import { complete, type Names, readDatasets } from '../../src/query/completion.ts'

const {
  names: NAMES,
  offered,
  taken,
} = JSON.parse(readFileSync(new URL('completion.json', import.meta.url), 'utf8')) as {
  readonly names: Names
  /** What is offered at the caret; `null` where nothing is. */
  readonly offered: Golden<readonly string[] | null>
  /** The text once `⇥` has taken the item behind it. */
  readonly taken: Golden<string>
}

function at(marked: string, names = NAMES) {
  const caret = marked.indexOf('‸')
  return complete(marked.replace('‸', ''), caret, names)
}

/** Labels of what is offered. */
const labels = (marked: string) => at(marked)?.items.map(({ label }) => label)

/** The text with an item taken; `‸` where the caret is then. */
function take(marked: string, label: string, names = NAMES): string {
  const found = at(marked, names)
  const item = found?.items.find((one) => one.label === label)
  if (!found || !item) throw new Error(`${label} is not offered at ${marked}`)
  const text = marked.replace('‸', '')
  const caret = found.from + item.insert.length - item.caretBack
  const all = text.slice(0, found.from) + item.insert + text.slice(found.to)
  return `${all.slice(0, caret)}‸${all.slice(caret)}`
}

testGolden(offered, (marked) => labels(marked) ?? null)
testGolden(taken, (written) => take(...(written.split(' ⇥ ') as [marked: string, label: string])))

test('annotations and monitors are offered behind the datasets, where a service has them', () => {
  const names: Names = { ...NAMES, sources: [{ name: '_annotations', fields: [{ name: 'title', type: 'string' }] }] }
  expect(
    at('‸', names)
      ?.items.map(({ label, detail }) => [label, detail])
      .at(-1),
  ).toEqual(['_annotations', 'records'])
  expect(take('anno‸ | count', '_annotations', names)).toBe("['_annotations']‸ | count")
  expect(readDatasets('_annotations | count')).toEqual(['_annotations'])
})

test('behind a pipe come operators, with what they take', () => {
  expect(labels("['web']\n| where status == 200\n| s‸\n| count")?.slice(0, 2)).toEqual(['summarize', 'sort'])
  expect(at('web | wh‸')?.items[0]).toMatchObject({ label: 'where', detail: 'predicate' })
})

test('an operator with a hyphen is one name, wherever the caret is in it', () => {
  expect(labels('web | where took-st‸')).toContain('status')
})

test('behind an operator come fields and functions, and a word is replaced whole', () => {
  expect(at('web | where status‸')?.items[0]).toMatchObject({ detail: 'integer|string' })
})

test('a function comes with its parameters, and with brackets unless they are there', () => {
  expect(at('web | extend x = bi‸')?.items[0]?.detail).toBe('(value, [size], more, …)')
  expect(take('web | where strl‸', 'strlen').slice(-3)).toBe('(‸)')
})

test('the datasets of a text are those in places of sources', () => {
  expect(readDatasets("// x\n['web'] | join (web-logs | where y == 'no') on id | union ['it\\'s'], \"b\"")).toEqual([
    'web',
    'web-logs',
    "it's",
    'b',
  ])
  expect(readDatasets("['we")).toEqual([])
})

test('a name with what cannot be seen is shown and written so that it can', () => {
  const names = { ...NAMES, fields: [{ name: "a\u202eb'\n\\", type: 'string' }] }
  const [item] = at('web | where a‸', names)?.items ?? []
  expect(item).toMatchObject({ label: "a\\u{202e}b'\\u{a}\\", insert: "['a\\u{202e}b\\'\\u{a}\\\\']" })
})

test('a thousand fields are offered, also in a long query', () => {
  const fields = Array.from({ length: 1_000 }, (_, n) => ({ name: `attributes.some_field_${n}`, type: 'string' }))
  const text = `${"['web']\n| where status == 'x' and took > 5 // why\n".repeat(100)}| where field`
  expect(complete(text, text.length, { ...NAMES, fields })?.items).toHaveLength(1_000)
})

test('a huge name is shown by its beginning', () => {
  const names = { ...NAMES, fields: [{ name: 'x'.repeat(1_000_000), type: 'string' }] }
  expect(at('web | where x‸', names)?.items[0]?.label.length).toBeLessThan(130)
})

test('no text makes it fail, wherever the caret is', () => {
  const text = "['a\\'b'] | where ['x'].y == @'\\' and \"z | join kind = (w) on $left.a // ]\n| extend 😀 = f(1.5, -x) ; ) ]' \\"
  for (let caret = 0; caret <= text.length; caret++) expect(() => complete(text, caret, NAMES)).not.toThrow()
})
