/** What the author of a wrong query is told beside what `mistakes.txt` has: the place among lines, the dataset, limits. */
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { compileLegacy } from '../src/legacy.ts'
import { errorOf } from './support/error-of.ts'
import { options } from './support/web.ts'

test('the place is shown in the line it is in', () => {
  const error = errorOf("web\n| where status > 1\n\t| where sttus == 'é' // tail")
  expect(error.line).toBe(3)
  expect(error.explain()).toBe(
    'unknown_name error at line 3, column 10: invalid field: "sttus"\n | where sttus == \'é\' // tail\n         ^^^^^\ndid you mean "status"?',
  )
})

test('an unknown dataset is told apart', () => {
  expect(errorOf('wbe').dataset).toBe('wbe')
  expect(errorOf('web | where x == 1').dataset).toBeUndefined()
})

test('a virtual field of a legacy body is shown with its own text', () => {
  expect(() => compileLegacy({ virtualFields: [{ alias: 'x', expr: 'status +' }] }, 'web', options)).toThrow(
    expect.objectContaining({ code: 'syntax', column: 9, excerpt: 'status +\n        ^' }),
  )
})

test('a cursor needs rows in the order of time', () => {
  const cursor = { timeNs: 0n, row: 0n, inclusive: false }
  for (const text of ['web | count', 'web | sort by status', 'web | mv-expand tags', 'web | sort by _time desc, status'])
    expect(errorOf(text, { cursor }).code).toBe('unsupported')
  expect(compile('web | take 3', { ...options, cursor }).paging).toBe('descending')
})

test('the length and the number of operators have the code limit', () => {
  expect(errorOf(' '.repeat(65_537)).code).toBe('limit')
  expect(errorOf(`web${' | where ok'.repeat(129)}`).code).toBe('limit')
  expect(errorOf(`web | where ${'('.repeat(70)}1${')'.repeat(70)} == 1`).code).toBe('limit')
  expect(errorOf(`web | where 1${' + id'.repeat(300)} == 1`).code).toBe('limit')
})

test('the effective limit is the lowest, and the reader is told', () => {
  const cap = { defaultLimit: 10, limitMax: 50 }
  expect(compile('web', { ...options, ...cap })).toMatchObject({ limit: 10, messages: [{ code: 'default_limit_warning' }] })
  expect(compile('web | limit 20', { ...options, ...cap })).toMatchObject({ limit: 20, messages: [] })
  expect(compile('web | limit 70', { ...options, ...cap })).toMatchObject({ limit: 50, messages: [{ code: 'limit_capped' }] })
  expect(compile('web | summarize count() by id', { ...options, ...cap })).toMatchObject({ limit: 50, messages: [] })
})

test('what replaces a function that is not supported can be written so', () => {
  const calls = `datatable (query:string, model:string, input_tokens:long, output_tokens:long) ['SELECT a\n FROM logs', 'a-model', 2000000, 1000000]
| extend table_of = extract('from ([a-z_]+)', 1, tolower(query)), line = replace_regex('[ \\n]+', ' ', query)
| extend cost = (input_tokens * 2.5 + output_tokens * 10.0) / 1000000
| lookup (datatable (model:string, input:real) ['a-model', 2.5]) on model`
  const { columns } = compile(calls, options)
  expect(columns.slice(4).map(({ name, type }) => [name, type])).toEqual([
    ['table_of', 'string'],
    ['line', 'string'],
    ['cost', 'float'],
    ['input', 'float'],
  ])
})
