/** What the author of a wrong query is told: code, place, message and hint. */
import { describe, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { compileLegacy } from '../src/legacy.ts'
import { errorOf } from './support/error-of.ts'
import { options } from './support/web.ts'

test.each([
  ['web | where sttus == 1', 'unknown_name', 'invalid field: "sttus"', 'did you mean "status"?', 13],
  ['web | where geo.citi == 1', 'unknown_name', 'invalid field: "geo.citi"', 'did you mean "geo.city"?', 13],
  ['web | where city == 1', 'unknown_name', 'invalid field: "city"', 'did you mean "geo.city"?', 13],
  ['web | extend x = tolowr(path)', 'unknown_name', "function 'tolowr' not found", 'did you mean "tolower"?', 18],
  [
    'print range(1, 3, 0)',
    'type_mismatch',
    'range() takes two numbers, points in time or timespans, and a step of their kind that is not 0',
    'write range(1, 10, 2) or range(datetime(2026-01-01), datetime(2026-01-02), 1h)',
    7,
  ],
  [
    "print ipv6_is_in_range('::1', 'fd00/8')",
    'type_mismatch',
    '"fd00/8" is not an IPv6 address or range',
    "write '2001:db8::/32'",
    7,
  ],
  [
    "print array_extract(dynamic([1]), 'x')",
    'type_mismatch',
    '"x" is not a path into JSON',
    "write '$[*].key' or '$[0].key'",
    35,
  ],
  ["print format_bytes(1, 0, 'zz')", 'type_mismatch', '"zz" is not a unit of bytes', "write 'KB', 'MiB' or 'Bytes'", 26],
  [
    'web | summarize spotlight(status >= 500)',
    'type_mismatch',
    'spotlight(selected, field, more, …) needs "field"',
    'for example spotlight(ms > 200, city)',
    17,
  ],
  [
    'web | summarize spotlight(status >= 500, status + 1)',
    'type_mismatch',
    'spotlight() compares fields',
    'compute it with extend before',
    42,
  ],
  ['web | summarize phrases(path, 0)', 'limit', 'the size of phrases() must be between 1 and 1000', undefined, 31],
  [
    'web | project id | extend t = ingestion_time()',
    'type_mismatch',
    'ingestion_time() needs the field _sysTime of the events, which is not there any more',
    'write | extend ingested = ingestion_time() before summarize or project',
    31,
  ],
  ["print parse_bytes('1 KB', 3)", 'type_mismatch', 'the base of parse_bytes() is 2 or 10', undefined, 27],
  ['web | summarise count()', 'unknown_name', 'operator "summarise" not found', 'did you mean "summarize"?', 7],
  ['web | project-smart x', 'unsupported', 'operator "project-smart" is not supported', undefined, 7],
  ['wbe | count', 'unknown_name', 'dataset "wbe" not found', 'did you mean "web"?', 1],
  ['web | where count() > 1', 'unsupported', 'count() aggregates rows and can only be used in summarize', undefined, 13],
  [
    'web | summarize x = status',
    'type_mismatch',
    '"status" is a value of single rows here: aggregate it, or group by it',
    undefined,
    21,
  ],
  ['web | where status = 500', 'syntax', '"=" gives a column its name; it does not compare', 'write ==', 20],
  ["web | where path == 'x", 'syntax', 'the string is not closed', undefined, 21],
  [
    "web | where path matches regex '('",
    'syntax',
    'the regular expression is not valid: a "(" is not closed',
    'the syntax is that of RE2',
    13,
  ],
  ["web | where path == '\\d'", 'syntax', '"\\d" is not an escape', "write \\\\d, or a raw string: @'…'", 22],
  ['web | where', 'syntax', 'expected a value, found the end of the query', undefined, 12],
  ['web |', 'syntax', 'an operator is missing behind the last "|"', 'leave it out', 5],
  ['', 'syntax', 'expected a dataset, found the end of the query', undefined, 1],
  ['web | limit -1', 'type_mismatch', 'the limit must be a whole number, 0 or more', undefined, 13],
  ['web | where strlen() > 1', 'type_mismatch', 'strlen(source) needs "source"', "for example strlen('día')", 13],
  [
    'web | where _time > datetime(2026-02-30)',
    'syntax',
    '"2026-02-30" is not a point in time',
    'write datetime(2026-01-31T12:00:00Z)',
    30,
  ],
  [
    "web | where _time > 'yesterday'",
    'type_mismatch',
    '"yesterday" is not a point in time',
    'write datetime(2026-01-31T12:00:00Z)',
    13,
  ],
  [
    'web | extend x = 5q',
    'syntax',
    '"q" is not a unit of time',
    "units are d, h, m, s, ms, us and ns; a name that begins with a digit is written ['1name']",
    18,
  ],
  ['web | extend x = `a`', 'syntax', 'unexpected character "`"', undefined, 18],
  ['web | summarize bin(count(), 0)', 'type_mismatch', 'the size of bin() must be a positive number or timespan', undefined, 30],
  ['web | join kind=outer users on id', 'syntax', 'unknown kind of join "outer"', undefined, 17],
])('%s', (text, code, message, hint, column) => {
  const error = errorOf(text)
  expect([error.code, error.message, error.column]).toEqual([code, message, column])
  if (hint !== undefined) expect(error.hint).toBe(hint)
})

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

test.each([
  ["print parse_sql('select id from logs')", "find a part of the statement with extract('from ([a-z_]+)', 1, tolower(query))"],
  ["print format_sql(parse_sql('select id'))", "write replace_regex('[ \\n]+', ' ', query) to put a statement on one line"],
  ["print genai_cost('gpt-4', 1, 2)", 'multiply by your own prices: (input_tokens * 2.5 + output_tokens * 10.0) / 1000000'],
  ["print genai_input_cost('gpt-4', 1)", 'multiply by your own price: input_tokens * 2.5 / 1000000'],
  ["print genai_output_cost('gpt-4', 1)", 'multiply by your own price: output_tokens * 10.0 / 1000000'],
  [
    "print genai_get_pricing('gpt-4')",
    "look up your own prices with | lookup (datatable (model:string, input:real) ['a-model', 2.5]) on model",
  ],
  ["print geo_info_from_ip_address('1.1.1.1')", 'send the place with each event, as geo.country'],
])('%s is refused by name, with what to do instead', (query, hint) => {
  const [, name = ''] = /print (\w+)/.exec(query) ?? []
  expect(errorOf(query)).toMatchObject({
    code: 'unsupported',
    message: `function '${name}' is not supported`,
    hint,
    span: { start: 6, end: 6 + name.length },
  })
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
