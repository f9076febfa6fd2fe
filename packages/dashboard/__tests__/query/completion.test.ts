/** What is offered while a query is written; `‸` in a text is the caret. */
import { expect, test } from '@jest/globals'
import { complete, ITEMS_MAX, type Names, readDatasets } from '../../src/query/completion.ts'

const NAMES: Names = {
  datasets: ['web', 'web-logs', '5xx'],
  fields: [
    { name: '_time', type: 'datetime' },
    { name: 'geo.city', type: 'string' },
    { name: 'geo.country', type: 'string' },
    { name: 'my field', type: 'string' },
    { name: 'status', type: 'integer|string' },
    { name: 'took', type: 'float' },
  ],
  operators: [
    { name: 'project', signature: 'project [name =] expression, …' },
    { name: 'project-away', signature: 'project-away name, …' },
    { name: 'summarize', signature: 'summarize' },
    { name: 'sort', signature: 'sort' },
    { name: 'where', signature: 'where predicate' },
  ],
  functions: [
    { name: 'strlen', kind: 'scalar', parameters: ['text'], arguments: ['source'], signature: 'strlen(source)' },
    { name: 'now', kind: 'scalar', parameters: [], arguments: [], signature: 'now()' },
    {
      name: 'bin',
      kind: 'scalar',
      parameters: ['any', 'integer?', 'text*'],
      arguments: ['value', 'size', 'more'],
      signature: 'bin(value, [size], more, …)',
    },
    { name: 'sum', kind: 'aggregation', parameters: ['number'], arguments: ['value'], signature: 'sum(value)' },
  ],
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

test('an empty text, and one of comments, begin with a dataset', () => {
  expect(labels('‸')).toEqual(NAMES.datasets)
  expect(labels('// events of the shop\n‸')).toEqual(NAMES.datasets)
  expect(take('‸', 'web')).toBe("['web']‸")
})

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

test('a dataset is found by its beginning, then by a part of it, in any case', () => {
  expect(labels('we‸')).toEqual(['web', 'web-logs'])
  expect(labels('LOGS‸')).toEqual(['web-logs'])
  expect(take('web-l‸ | count', 'web-logs')).toBe("['web-logs']‸ | count")
})

test('inside brackets and quotes the whole name is put in place, whether they are closed or not', () => {
  expect(labels("['‸")).toEqual(NAMES.datasets)
  expect(labels('["we‸')).toEqual(['web', 'web-logs'])
  for (const text of ["['we‸", "['we‸']", "['we‸'", "['we‸]", "['w‸eb']", '["we‸"]']) expect(take(text, 'web')).toBe("['web']‸")
  expect(take("['we‸ | where x == 'y'", 'web-logs')).toBe("['web-logs']‸ | where x == 'y'")
  expect(labels("['web'‸]")).toBeUndefined()
})

test('behind a pipe come operators, with what they take', () => {
  expect(labels("['web'] |‸")).toEqual(NAMES.operators.map(({ name }) => name))
  expect(labels("['web'] | w‸")).toEqual(['where'])
  expect(labels("['web']\n| where status == 200\n| s‸\n| count")?.slice(0, 2)).toEqual(['summarize', 'sort'])
  expect(at('web | wh‸')?.items[0]).toMatchObject({ kind: 'operator', detail: 'predicate' })
})

test('an operator with a hyphen is one name, wherever the caret is in it', () => {
  expect(labels('web | project-‸')).toEqual(['project-away'])
  expect(take('web | project-a‸', 'project-away')).toBe('web | project-away‸')
  expect(take('web | proj‸ect-away took', 'project')).toBe('web | project‸ took')
  expect(labels('web | where took-st‸')).toContain('status')
})

test('behind an operator come fields and functions, and a word is replaced whole', () => {
  expect(labels('web | where st‸')).toEqual(['status', 'strlen'])
  expect(take('web | where st‸ == 200', 'status')).toBe('web | where status‸ == 200')
  expect(take('web | where st‸xx == 200', 'status')).toBe('web | where status‸ == 200')
  expect(at('web | where status‸')?.items[0]).toMatchObject({ detail: 'integer|string' })
  expect(take('web | where my‸', 'my field')).toBe("web | where ['my field']‸")
  expect(take("web | where ['my‸", 'my field')).toBe("web | where ['my field']‸")
})

test('a function comes with its parameters, and with brackets unless they are there', () => {
  expect(at('web | extend x = bi‸')?.items[0]?.detail).toBe('(value, [size], more, …)')
  expect(take('web | where strl‸', 'strlen').slice(-3)).toBe('(‸)')
  expect(take('web | where strl‸(took)', 'strlen')).toBe('web | where strlen‸(took)')
  expect(take('web | where no‸', 'now')).toBe('web | where now()‸')
})

test('aggregations are offered where they may stand', () => {
  expect(labels('web | summarize su‸')).toEqual(['sum'])
  expect(labels('web | summarize count() by su‸')).toBeUndefined()
  expect(labels('web | where su‸')).toBeUndefined()
})

test('behind a dot come the keys of what is before it', () => {
  expect(labels('web | where geo.‸')).toEqual(['geo.city', 'geo.country'])
  expect(take('web | where geo.ci‸', 'geo.city')).toBe('web | where geo.city‸')
  expect(take("web | where ['geo'].ci‸ == 1", 'geo.city')).toBe('web | where geo.city‸ == 1')
  expect(labels('web | where status.‸')).toBeUndefined()
  expect(labels('web | join (web) on $left.sta‸')).toEqual(['status'])
  expect(labels('web | where x == 1.‸')).toBeUndefined()
})

test('nothing is offered in strings, comments and numbers, nor behind a value that is whole', () => {
  for (const text of [
    "web | where path == 'st‸'",
    "web | where path == 'st‸",
    "web | where path == 'it\\'s st‸",
    "web | where path == @'a\\' or st == 'st‸'",
    'web | where path == "st‸"',
    'web // st‸',
    'web | limit 1‸',
    'web | limit ‸',
    'web ‸',
    "['web'] st‸",
    'web | where status st‸',
    'web | sort by status de‸',
    'web | summarize sum(took) b‸',
  ])
    expect({ text, offered: labels(text) }).toEqual({ text, offered: undefined })
})

test('a word of the language is left as it is, so that Enter makes a new line', () => {
  expect(labels('web | where status == 1 and not‸')).toBeUndefined()
  expect(labels('web | sort by‸')).toBeUndefined()
})

test('a string without an end takes only its line', () => {
  expect(labels("web | where path == 'x\n| wh‸")).toEqual(['where'])
})

test('sources stand in other places, too', () => {
  expect(labels('web | join kind=inner (we‸')).toEqual(['web', 'web-logs'])
  expect(labels('union web, we‸')).toEqual(['web', 'web-logs'])
  expect(labels('web | union (web | where st‸)')).toEqual(['status', 'strlen'])
  expect(labels('web | join kind = in‸')).toBeUndefined()
  expect(labels('let old = we‸')).toEqual(['web', 'web-logs'])
  expect(labels('let old = web | where took > 1;\n‸')).toEqual([...NAMES.datasets, 'old'])
})

test('names that the query gives are offered behind it', () => {
  expect(labels('web | summarize errors = sum(took) by status | sort by err‸')).toEqual(['errors'])
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

test('a key costs little with a thousand fields, and only some of them are shown', () => {
  const fields = Array.from({ length: 1_000 }, (_, n) => ({ name: `attributes.some_field_${n}`, type: 'string' }))
  const text = `${"['web']\n| where status == 'x' and took > 5 // why\n".repeat(100)}| where field`
  const startMs = performance.now()
  const found = complete(text, text.length, { ...NAMES, fields })
  const tookMs = performance.now() - startMs
  expect(found).toMatchObject({ total: 1_000, items: { length: ITEMS_MAX } })
  expect(tookMs).toBeLessThan(100)
})

test('a huge name is shown by its beginning', () => {
  const names = { ...NAMES, fields: [{ name: 'x'.repeat(1_000_000), type: 'string' }] }
  expect(at('web | where x‸', names)?.items[0]?.label.length).toBeLessThan(130)
})

test('no text makes it fail, wherever the caret is', () => {
  const text = "['a\\'b'] | where ['x'].y == @'\\' and \"z | join kind = (w) on $left.a // ]\n| extend 😀 = f(1.5, -x) ; ) ]' \\"
  for (let caret = 0; caret <= text.length; caret++) expect(() => complete(text, caret, NAMES)).not.toThrow()
})
