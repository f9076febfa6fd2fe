/** How an error shows its place, and limits. What each wrong query is told is in `refusals.test.ts`. */
import { describe, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
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

describe('limits', () => {
  const nested = (depth: number) => `web | where ${'('.repeat(depth)}1${')'.repeat(depth)} == 1`
  test.each([
    ['a long text', `web | where path == '${'x'.repeat(70_000)}'`],
    ['deep brackets', nested(100_000 / 4)],
    ['deep brackets within the text limit', nested(200)],
    ['a long chain', `web | where 1${' + 1'.repeat(5_000)} == 1`],
    ['deep signs', `web | where ${'-'.repeat(3_000)}1 == 1`],
    ['deep calls', `web | where ${'not('.repeat(500)}ok${')'.repeat(500)}`],
    ['deep arrays', `print x = dynamic(${'['.repeat(2_000)}${']'.repeat(2_000)})`],
    ['deep members', `web | where extra${'.a'.repeat(5_000)} == 1`],
    ['many operators', `web${' | take 1'.repeat(500)}`],
    ['many nested steps', `web${' | take 5 | where ok'.repeat(60)}`],
    [
      'doubling lets',
      `${Array.from({ length: 60 }, (_, at) => `let a${at} = strcat(tostring(now()), ${at === 0 ? "strlen('x')" : `a${at - 1}, a${at - 1}`});`).join(' ')} web | where path == a59`,
    ],
    [
      'doubling tables',
      `${Array.from({ length: 40 }, (_, at) => `let t${at} = ${at === 0 ? 'web | take 1' : `t${at - 1} | union t${at - 1}`};`).join(' ')} t39`,
    ],
    [
      'doubling arguments',
      `web | where ${'tostring('.repeat(50)}todatetime(${'totimespan('.repeat(5)}path${')'.repeat(5)})${')'.repeat(50)} == 'x'`,
    ],
    ['a long list', `web | where status in (${Array.from({ length: 20_000 }, (_, at) => at).join(',')})`],
    ['many mixed items', `web | where code in (${Array.from({ length: 1_000 }, (_, at) => `strlen('${at}')`).join(',')})`],
  ])('%s is compiled or refused at once', (_name, text) => {
    const start = performance.now()
    try {
      compile(text, options)
    } catch (error) {
      expect(error).toBeInstanceOf(QueryError)
    }
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test('the length and the number of operators have the code limit', () => {
    expect(errorOf(' '.repeat(65_537)).code).toBe('limit')
    expect(errorOf(`web${' | where ok'.repeat(129)}`).code).toBe('limit')
    expect(errorOf(nested(70)).code).toBe('limit')
    expect(errorOf(`web | where 1${' + id'.repeat(300)} == 1`).code).toBe('limit')
  })
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
