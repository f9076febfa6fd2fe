/**
 * Queries that once answered wrongly without a word, each with the rows that it must answer. The data are small and awkward: missing
 * fields, signs at the edges of texts, texts that look like numbers and times, and integers that a float would round.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { Engine, fieldsOf, readRows, type StoredEvent } from './support/engine.ts'

const START = 1_767_225_600_000_000_000n

/** An integer of any size, as it stands in an event. */
function whole(digits: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits)
}

const DATA: Readonly<Record<string, readonly object[]>> = {
  hosts: [
    { host: 'a', cpu: 10, version: '1.0' },
    { host: 'a', cpu: 20 },
    { host: 'b', cpu: 5, version: '2.0' },
    { host: 'b', error: 'disk' },
  ],
  // What spells no number, or none that has an end, in a field of texts and in one of texts and numbers.
  spelled: [
    { id: 1, v: '1', w: 1 },
    { id: 2, v: 'NaN', w: 'NaN' },
    { id: 3, v: 'inf', w: 'inf' },
    { id: 4, v: '3', w: 3 },
    { id: 5, v: '1e400', w: '1e400' },
    { id: 6, v: '-Infinity' },
  ],
  times: [
    ...[
      '2026-01-02',
      '2026-01-02T03:04:05Z',
      '2026-01-02 03:04:05.5+02:00',
      '1/2/2026',
      '2 Jan 2026',
      '20260102',
      '2026',
      '2026-03',
    ],
    ...['Fri, 02 Jan 2026 10:00:00 GMT', '1767312000', '1767312000000'],
    ...['20', '5', '12:30', '10:61', '2026-01-01 25:00:00', '2 Jan', '2.1.2026', '1850-01-01', '2026-02-30', 'now', ''],
  ].map((text, id) => ({ id, text })),
  large: [
    { id: 1, n: 9_007_199_254_740_992 },
    { id: 2, n: whole('9007199254740993') },
    { id: 3, n: 0.5 },
  ],
  // The second event makes fields of the keys that the items of the first have.
  lists: [
    { id: 1, o: [{ k: 1, v: 'x' }, { k: 2 }], service: 'web', region: 'eu' },
    { id: 2, o: { k: { z: 3 }, v: 'y' }, service: { name: 'n', region: 'us' } },
  ],
  places: [
    { id: 1, place: { city: 'Oslo', code: 10, 'a.b': 5 }, note: 'x' },
    { id: 2, place: 'Oslo 10', note: 'y' },
    { id: 3, place: ['Rome', '10'] },
  ],
  keys: [
    { id: 1, 'a.b': 1, 'http.method': 'GET' },
    { id: 2, a: { b: 1 } },
    { id: 3, a: { b: 2 }, 'back\\slash': 5 },
    { id: 4, at: { 'c.d': 'x' } },
  ],
  // Of the same two spellings, one of which has held an object.
  spellings: [
    { id: 1, 'a.b': 1 },
    { id: 2, a: { b: 2 } },
    { id: 3, 'a.b': { deep: 5 } },
    { id: 4, a: { b: { c: 6 } } },
  ],
}

/** With each key as the service stores it, or as the catalogue has it. */
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
    if (name === 'large') fields.set('n', new Set(['integer', 'float']))
    return [name, { name, table: `ds_${name}`, fields, pathOf, stored: under(storedKey) }]
  }),
)

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  for (const dataset of datasets.values()) await engine.load(dataset, dataset.stored)
})
afterAll(() => engine.close())

const planOf = (text: string) =>
  compile(text, { datasets, range: { startNs: START, endNs: START + 3_600_000_000_000n }, nowNs: START })
const namesOf = (text: string) => planOf(text).columns.map(({ name }) => name)
const rowsOf = (text: string) => {
  const plan = planOf(text)
  return readRows(plan, engine.query(plan)).map((row) => Object.values(row))
}

const check = (cases: readonly (readonly [string, readonly unknown[][]])[]) => {
  for (const [text, rows] of cases) expect([text, rowsOf(text)]).toEqual([text, rows])
}

test('arg_max and arg_min take all that they return from one row', () => {
  check([
    [
      'hosts | summarize arg_max(_time, *) by host | project host, cpu, version, error | sort by host asc',
      [
        ['a', 20, null, null],
        ['b', null, null, 'disk'],
      ],
    ],
    ['hosts | summarize arg_min(_time, error, cpu)', [['2026-01-01T00:00:00.000000000Z', null, 10]]],
    ['hosts | summarize v = arg_max(cpu, version)', [[null]]],
    ["hosts | summarize v = arg_maxif(cpu, version, host == 'b')", [['2.0']]],
    ['hosts | where cpu > 100 | summarize arg_max(_time, cpu)', [[null, null]]],
    ["datatable(g: string, n: long, f: real) ['a', 1, 1.5, 'a', 2, real(null)] | summarize arg_max(n, f) by g", [['a', 2, null]]],
  ])
  expect(namesOf('hosts | summarize arg_max(cpu, *) by host')).not.toContain('host1')
})

test('has finds a text with a sign at its edge, whatever stands beside the sign', () => {
  const found = [
    ['/v1/api/users', '/api/'],
    ['a.log', '.log'],
    ['a@ex.com', '@ex.com'],
    ['user:42', ':42'],
    ['foo-bar', '-bar'],
    ['foo-bar', 'foo-'],
    ['a[0]', '[0]'],
    ['über/mich', 'Über/'],
  ]
  const absent = [
    ['/v1/api/users', '/ap'],
    ['a.logs', '.log'],
    ['xfoo-bar', 'foo-'],
    ['a.log', 'lo'],
  ]
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

test('a text that spells no number, or one without an end, swallows no sum', () => {
  check([
    ['spelled | summarize sum(todouble(v)), avg(todouble(v)), max(todouble(v))', [[4, 2, 3]]],
    ['spelled | summarize sum(w), avg(w), max(todouble(w))', [[4, 2, 3]]],
    ['spelled | summarize arg_max(todouble(v), id)', [[3, 4]]],
    ['spelled | where isnull(todouble(v)) | summarize make_set(id)', [[[2, 3, 5, 6]]]],
    ['spelled | where todouble(v) > 0 | summarize make_set(id)', [[[1, 4]]]],
    [
      'spelled | summarize n = count() by d = todouble(v) | sort by n desc, d asc',
      [
        [null, 4],
        [1, 1],
        [3, 1],
      ],
    ],
    ['print isnull(todouble(parse_json(\'{"x": "NaN"}\').x)), isnull(toreal(\'1e400\'))', [[true, true]]],
  ])
})

test('only a text that is a point in time is read as one', () => {
  const jan2 = '2026-01-02T00:00:00.000000000Z'
  const found = rowsOf('times | extend t = todatetime(text) | sort by id asc | project t').map(([time]) => time)
  expect(found).toEqual([
    ...[jan2, '2026-01-02T03:04:05.000000000Z', '2026-01-02T01:04:05.500000000Z', jan2, jan2, jan2],
    ...['2026-01-01T00:00:00.000000000Z', '2026-03-01T00:00:00.000000000Z', '2026-01-02T10:00:00.000000000Z', jan2, jan2],
    ...Array.from({ length: 11 }, () => null),
  ])
  check([['times | where text > datetime(2020-01-01) | count', [[11]]]])
})

test('make_list keeps the order of a sort before it', () => {
  check([
    ['hosts | sort by cpu asc | summarize make_list(cpu)', [[[5, 10, 20]]]],
    ['hosts | sort by cpu desc | where host == "a" | extend c = cpu * 2 | summarize make_list(c)', [[[40, 20]]]],
    [
      'hosts | sort by cpu desc | summarize make_list(cpu, 2), make_list_if(cpu, cpu < 20)',
      [
        [
          [20, 10],
          [10, 5],
        ],
      ],
    ],
    [
      'hosts | sort by _time desc | summarize l = make_list(cpu) by host | sort by host asc',
      [
        ['a', [20, 10]],
        ['b', [5]],
      ],
    ],
    ["hosts | sort by host desc, _time asc | summarize strcat_array(make_list(host), '')", [['bbaa']]],
    ['datatable(n: long) [5, -3, 7] | sort by n desc | summarize make_list(n)', [[[7, 5, -3]]]],
    ['hosts | where cpu > 0 | top 2 by cpu asc | summarize make_list(cpu)', [[[5, 10]]]],
  ])
})

test('integers keep their digits inside of JSON, beside decimals, and at the edge of 64 bits', () => {
  check([
    ['print parse_json(\'{"a": 9007199254740993}\').a + 0', [['9007199254740993']]],
    [
      'print array_sum(dynamic([9007199254740992, 1])), array_sum(dynamic([1, 2.5])), array_sum(dynamic([]))',
      [['9007199254740993', 3.5, null]],
    ],
    ['print -9223372036854775808, -9223372036854775808 + 1', [['-9223372036854775808', '-9223372036854775807']]],
    ['large | where n == 9007199254740993 | project id', [[2]]],
    ['large | where n > 9007199254740992 | project id', [[2]]],
    ['large | where n != 9007199254740992 | summarize make_set(id)', [[[2, 3]]]],
    ['large | summarize c = count() by n | count', [[3]]],
    ['large | where id < 3 | summarize sum(n), max(n), dcount(n)', [['18014398509481985', '9007199254740993', 2]]],
    ['large | top 1 by n | project id', [[2]]],
  ])
  expect(() => rowsOf('print array_sum(dynamic([9223372036854775807, 1]))')).toThrow('Int64')
})

test('the digits of a constant text are a number beside a number', () => {
  check([
    ["print '10' > 9, 9 < '10', '10' == 10.0", [[true, true, true]]],
    ["print s = '10' | where s > 9 | count", [[1]]],
  ])
})

test('trim_regex removes every match at an end', () => {
  check([
    ["print trim_regex('[ab]', 'abcab'), trim_regex('a', 'aab'), trim_regex('--', '----x--')", [['c', 'b', 'x']]],
    ["print trim_start_regex('a|b', 'abcab'), trim_end_regex('ab', 'abcabab')", [['cab', 'abc']]],
    ["print trim_regex('', 'abc'), trim_regex('^a', 'aab'), trim_regex('x', '')", [['abc', 'ab', '']]],
  ])
})

test('a name with dots finds keys that have a dot as well as keys inside of keys', () => {
  check([
    ["keys | where ['a.b'] == 1 | summarize make_set(id)", [[[1, 2]]]],
    ['keys | where a.b >= 1 | summarize make_set(id)', [[[1, 2, 3]]]],
    ["keys | where http.method == 'GET' | project id, http.method", [[1, 'GET']]],
    ["keys | where ['http.method'] == 'GET' | project id", [[1]]],
    ["keys | where ['http\\\\.method'] == 'GET' | project id", [[1]]],
    ["keys | where ['back\\\\slash'] == 5 | project id", [[3]]],
    ['spellings | where a.b >= 1 | summarize make_set(id), sum(a.b)', [[[1, 2], 3]]],
    [
      "spellings | where ['a.b'] == 1 or a.b == 2 | sort by id asc | project id, a.b",
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ["keys | where at.c.d == 'x' and at['c.d'] == 'x' | project id", [[4]]],
    [
      'keys | summarize n = count() by http.method | sort by n asc',
      [
        ['GET', 1],
        [null, 3],
      ],
    ],
    ['keys | sort by http.method desc, id asc | project id | limit 1', [[1]]],
  ])
  expect(namesOf('keys | project-away a.b, http.method')).toEqual(['_sysTime', '_time', 'at.c\\.d', 'back\\\\slash', 'id'])
})

test('a name with dots is a key of the column that the query has made, before it is a field of the events', () => {
  check([
    [
      'lists | mv-expand o | where id == 1 | sort by tolong(o.k) asc | project o.k, o.v',
      [
        [1, 'x'],
        [2, null],
      ],
    ],
    ["lists | extend o = dynamic({'k': 7}) | where o.k == 7 | count", [[2]]],
    ["lists | extend service = bag_pack('name', region) | where service.name == 'eu' | project id", [[1]]],
    [
      "lists | extend service = bag_pack('name', region) | summarize n = count() by x = service.name | sort by x asc",
      [
        [null, 1],
        ['eu', 1],
      ],
    ],
    // A text has no keys, and in brackets it is the field.
    ["lists | extend service = tostring(id) | where service.name == 'n' | project id", [[2]]],
    ["lists | extend service = bag_pack('name', id) | where ['service.name'] == 'n' | project id", [[2]]],
    ["lists | extend ['o.k'] = 5, o = dynamic({'k': 7}) | where o.k == 5 | count", [[2]]],
  ])
})

test('a field that has held objects and other values is searched as if it had held either alone', () => {
  check([
    ["places | search '10' | summarize make_set(id)", [[[2, 3]]]],
    ["places | where * has '10' or * has 'code' | summarize make_set(id)", [[[2, 3]]]],
    ["places | search 'oslo' | summarize make_set(id)", [[[1, 2]]]],
    ["places | extend p = place | where p['a.b'] == 5 | project id", [[1]]],
  ])
})

test('a text in a row is the length of time that the same text is as a constant', () => {
  const texts = ['1h', '1.5d', '-30m', '10 ms', '5', '00:05:00', '-1.02:03:04.000000005', '1:30', '250us', '3 hours', '2.25s']
  const spelled = texts.map((text) => `'${text}'`).join(', ')
  const rows = `print t = dynamic([${spelled}]) | mv-expand t`
  const constants = texts.map((text) => [rowsOf(`print x = totimespan('${text}')`)[0]?.[0]])
  expect(new Set(constants.flat()).size).toBe(texts.length)
  expect(rowsOf(`${rows} | project x = totimespan(t)`)).toEqual(constants)
  expect(rowsOf(`${rows} | project x = totimespan(tostring(t))`)).toEqual(constants)
  check([
    [`${rows} | where tostring(t) > 1h | summarize make_set(tostring(t))`, [[['1.5d', '1:30', '3 hours', '5']]]],
    [
      "print t = dynamic(['x', '', '1 y', '1.5', '1:2', '99999999999999999999h', null]) | mv-expand t | where isnotnull(totimespan(t)) | count",
      [[0]],
    ],
    ['datatable (took_ms: long) [1500] | project x = totimespan(took_ms) == 1500ms', [[true]]],
  ])
})

test('keys of two types are looked up by their texts, and what is missing or spells nothing meets nothing', () => {
  const [left, right] = [
    'datatable(b: bool, id: long) [true, 1, false, 2, bool(null), 3]',
    "(datatable(s: string, x: long) ['true', 1, 'zz', 2, '', 3])",
  ]
  check([
    [`${left} | join ${right} on $left.b == $right.s | project id, x`, [[1, 1]]],
    [`${left} | where b in ((${right} | project s)) | project id`, [[1]]],
    [`${left} | where b !in ((${right} | project s)) | sort by id asc | project id`, [[2], [3]]],
  ])
})

test('a type has the same names wherever a query writes one, and a length of time that is computed stays one', () => {
  const first = '2026-01-01T00:00:00.000000000Z'
  check([
    ['datatable (at: date, ok: boolean) [datetime(2026-01-01), true]', [[first, true]]],
    ['declare query_parameters (share: decimal = 2.5); print share', [[2.5]]],
    ["print line = 'took=1h at=2026-01-01' | parse-kv line as (took: timespan, at: date) | project took / 1m, at", [[60, first]]],
    ["print list = dynamic(['1.5']) | mv-expand list to typeof(decimal)", [[1.5]]],
    ["datatable (took: timespan) [totimespan(tolower('1H')), 30m] | project took / 1m", [[60], [30]]],
    ["print extract('ok=(.*)', 1, 'ok=true', typeof(boolean)), extract('ok=(.*)', 1, 'none', typeof(bool))", [[true, null]]],
  ])
  const plan = compile('declare query_parameters (at: date); print at', {
    datasets,
    range: { startNs: START, endNs: START + 1n },
    nowNs: START,
    variables: { at: '2026-01-01' },
  })
  expect(engine.query(plan)).toEqual([[first]])
})
