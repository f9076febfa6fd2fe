/**
 * The shapes of answers, their figures, and that values come out as they went in.
 */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ask as askService } from '../http.ts'
import { ALWAYS, apl, ingest, ingestEach, legacy, post, rowsOf } from './ask.ts'

const CASES = readCases<{
  rows: { fields: object[]; columns: unknown[][]; matches: object[] }
  legacy: { aggregated: object; filtered: object; empty: object }
}>(import.meta.url)

const service = serviceForTests({ args: ['--query-rows-max', '2000'] })

beforeAll(async () => {
  await ingest(service, 'web', [
    { _time: '2026-01-01T00:00:00.123456789Z', status: 200, path: '/a', geo: { city: 'Rome' }, took: 1.5 },
    { _time: '2026-01-01T00:30:00Z', status: 500, path: '/b', geo: { city: 'Oslo' }, took: 2.5 },
    { _time: '2026-01-01T01:00:00Z', status: 200, path: '/a', tags: ['x', { deep: [1] }] },
  ])
  await ingest(
    service,
    'exact',
    `[{"_time":"2026-01-01T00:00:00Z","long":9007199254740993,"unsigned":18446744073709551615,"least":-9223372036854775808,
      "decimal":0.1,"small":1e-300,"text":"\\"\\\\ \\u0000 \\ud83d\\ude00 %2E </script>","a.b":"dot","a":{"b":"nested","c.d":1},
      "list":[1,"x",[true],{"k.e":9007199254740993}],"50%":"percent","__proto__":"own","union":1},
     {"_time":"1969-12-31T23:59:59.999999999Z","union":"text"},
     {"_time":"2026-01-02T00:00:00Z","union":{"inner":true}}]`,
  )
})

test('a query of rows answers in columns, and in matches beside them', async () => {
  const { status, headers, body } = await apl(service, "['web'] | limit 2")
  expect([status, headers.get('content-type'), body.format]).toEqual([200, 'application/json', 'tabular'])
  const [table] = body.tables
  expect(table).toMatchObject({
    name: '0',
    sources: [{ name: 'web' }],
    order: [{ field: '_time', desc: true }],
    groups: [],
    range: { field: '_time', start: ALWAYS.startTime, end: ALWAYS.endTime },
  })
  expect(table?.fields).toEqual(CASES.rows.fields)
  expect(table?.columns.slice(1)).toEqual(CASES.rows.columns)
  expect(body.matches.map(({ _time, data }) => ({ _time, data }))).toEqual(CASES.rows.matches)
  expect(body).toMatchObject({ datasetNames: ['web'], fieldsMetaMap: { web: [] } })
})

test('the status tells what the query did', async () => {
  const { body } = await apl(service, "['web'] | where status == 200 | limit 1")
  expect(body.status).toMatchObject({ rowsMatched: 2, isPartial: false, messages: [], numGroups: 0 })
  expect(body.status.rowsExamined).toBeGreaterThanOrEqual(3)
  expect(body.status.elapsedTime).toBeGreaterThan(100)
  expect([body.status.minCursor, body.status.maxCursor]).toEqual([body.matches[0]?._rowId, body.matches[0]?._rowId])
})

test('format legacy answers with matches, empty buckets and the request', async () => {
  const { body } = await apl(service, "['web'] | limit 1", {}, 'legacy')
  expect(body).toMatchObject({ format: 'legacy', buckets: { series: [], totals: [] }, request: ALWAYS, datasetNames: ['web'] })
  expect(body.matches[0]).toEqual({
    _time: '2026-01-01T01:00:00Z',
    _sysTime: expect.stringMatching(/^20\d\d-.*Z$/),
    _rowId: expect.stringMatching(/^[0-9a-z]{13}[0-9a-f]{16}$/),
    data: { path: '/a', status: 200, tags: ['x', { deep: [1] }] },
  })
  expect('tables' in body).toBe(false)
  const none = await apl(service, "['web'] | where status == 1", {}, 'legacy')
  expect(none.body.matches).toEqual([])
})

test('a summarize by time has bins, oldest first, and totals without them', async () => {
  const { body } = await apl(service, "['web'] | summarize count(), avg(took) by bin(_time, 1h), path")
  expect(rowsOf(body)).toEqual(
    expect.arrayContaining([
      { _time: '2026-01-01T00:00:00Z', path: '/a', count_: 1, avg_took: 1.5 },
      { _time: '2026-01-01T00:00:00Z', path: '/b', count_: 1, avg_took: 2.5 },
      { _time: '2026-01-01T01:00:00Z', path: '/a', count_: 1, avg_took: null },
    ]),
  )
  expect(rowsOf(body).at(-1)?._time).toBe('2026-01-01T01:00:00Z')
  expect(body.tables[0]).toMatchObject({
    buckets: { field: '_time', size: 3_600_000_000_000 },
    groups: [{ name: '_time' }, { name: 'path' }],
  })
  expect(body.tables[1]).toMatchObject({ name: '_totals', groups: [{ name: 'path' }] })
  expect(body.tables[0]?.fields[2]).toEqual({ name: 'count_', type: 'integer', agg: { name: 'count', fields: [] } })
  const top = await apl(service, "['web'] | summarize topk(path, 1)")
  expect(top.body.tables[0]?.fields[0]?.agg).toEqual({ name: 'topk', fields: ['path'], args: [1] })
  expect(body.tables.map(({ name }) => name)).toEqual(['0', '_totals'])
  expect(rowsOf(body, '_totals')).toEqual(
    expect.arrayContaining([
      { path: '/a', count_: 2, avg_took: 1.5 },
      { path: '/b', count_: 1, avg_took: 2.5 },
    ]),
  )
  expect(body.tables[1]?.buckets).toBeUndefined()
  expect(body.status).toMatchObject({ rowsMatched: 3, numGroups: 2 })
  expect('matches' in body).toBe(false)
})

test('the legacy body aggregates into series and totals with the same ids', async () => {
  const { body } = await legacy(service, 'web', CASES.legacy.aggregated)
  const totals = Object.fromEntries(body.buckets.totals.map(({ id, group, aggregations }) => [group.path, { id, aggregations }]))
  expect(totals['/a']?.aggregations).toEqual([
    { op: 'n', value: 2 },
    { op: 'slowest', value: 1.5 },
  ])
  const [first, second] = body.buckets.series
  expect([first?.startTime, first?.endTime]).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'])
  expect(first?.groups.length).toBe(2)
  expect(second?.groups).toEqual([
    {
      id: totals['/a']?.id,
      group: { path: '/a' },
      aggregations: [
        { op: 'n', value: 1 },
        { op: 'slowest', value: null },
      ],
    },
  ])
  expect(body.matches).toEqual([])
})

test('the legacy body filters, projects, orders and limits rows', async () => {
  const { body } = await legacy(service, 'web', CASES.legacy.filtered)
  expect(body.matches.map(({ data }) => data)).toEqual([{ town: 'Rome', twice: 400 }, { twice: 400 }])
})

test('empty members of a legacy body mean that nothing was given', async () => {
  const { status, body } = await legacy(service, 'web', CASES.legacy.empty)
  expect([status, body.matches.length]).toEqual([200, 3])
})

test('values come out as they went in, to the last digit', async () => {
  const { text, body } = await apl(service, "['exact'] | where long == 9007199254740993")
  const data = `{"50%":"percent","__proto__":"own","a":{"b":"nested","c.d":1},"a.b":"dot","decimal":0.1,"least":-9223372036854775808,"list":[1,"x",[true],{"k.e":9007199254740993}],"long":9007199254740993`
  for (const part of data.slice(1).split(/,(?=")/)) expect(text).toContain(part)
  expect(body.matches[0]?.data).toMatchObject({
    long: 9007199254740993n,
    unsigned: 18446744073709551615n,
    least: -9223372036854775808n,
    small: 1e-300,
    text: '"\\ \0 😀 %2E </script>',
    'a.b': 'dot',
    a: { b: 'nested', 'c.d': 1 },
    list: [1, 'x', [true], { 'k.e': 9007199254740993n }],
  })
  const row = rowsOf(body)[0] ?? {}
  expect(row).toMatchObject({ 'a.b': 'nested', 'a\\.b': 'dot', 'a.c\\.d': 1, '50%': 'percent', long: 9007199254740993n })
})

test('fields with dots and percent signs in their keys are found by their names', async () => {
  const text = `['exact'] | where ['a\\\\.b'] == 'dot' and ['50%'] == 'percent' and a.b == 'nested' | project ['a\\\\.b'], ['a.c\\\\.d'], ['50%']`
  const { body } = await apl(service, text)
  expect(body.matches.map(({ data }) => data)).toEqual([{ 'a.b': 'dot', a: { 'c.d': 1 }, '50%': 'percent' }])
})

test('a field of several types keeps each value, and says so', async () => {
  const { body } = await apl(service, "['exact'] | sort by _time asc | project _time, union, ['union.inner']")
  expect(rowsOf(body)).toEqual([
    { _time: '1969-12-31T23:59:59.999999999Z', union: 'text', 'union.inner': null },
    { _time: '2026-01-01T00:00:00Z', union: 1, 'union.inner': null },
    { _time: '2026-01-02T00:00:00Z', union: { inner: true }, 'union.inner': true },
  ])
  expect(body.tables[0]?.fields[1]).toEqual({ name: 'union', type: 'integer|map[string]|string' })
  expect(body.matches.map(({ data }) => data)).toEqual([
    { union: 'text' },
    { union: 1 },
    { union: { inner: true }, 'union.inner': true },
  ])
})

test('what is no number is null', async () => {
  const { body } = await apl(service, 'print a = 1.0 / 0.0, b = log(-1.0), c = todouble("x")')
  expect(rowsOf(body)).toEqual([{ a: null, b: null, c: null }])
})

test('the interval holds its start and not its end, to the nanosecond', async () => {
  const between = async (startTime: string, endTime: string) =>
    (await apl(service, "['web'] | count", { startTime, endTime })).body.tables[0]?.columns[0]?.[0]
  const exact = '2026-01-01T00:00:00.123456789Z'
  expect(await between(exact, '2026-01-01T00:00:00.12345679Z')).toBe(1)
  expect(await between('2026-01-01T00:00:00Z', exact)).toBe(0)
  expect(await between('2026-01-01T00:00:00.12345679Z', '2026-01-01T00:30:00Z')).toBe(0)
  expect(await between(exact, exact)).toBe(0)
})

test('relative times count from now, and an event is there at once', async () => {
  await ingest(service, 'recent', [{ n: 1 }])
  const { body } = await apl(service, "['recent']", { startTime: 'now-1m', endTime: 'now' })
  expect(body.matches.length).toBe(1)
  const { start, end } = body.tables[0]?.range ?? { start: '', end: '' }
  expect(Date.parse(end) - Date.parse(start)).toBe(60_000)
  for (const [text, ms] of Object.entries({ s: 1e3, h: 36e5, d: 864e5, w: 6048e5 })) {
    const range = (await apl(service, "['recent'] | count", { startTime: `now-2${text}`, endTime: 'now' })).body.tables[0]?.range
    expect(Date.parse(range?.end ?? '') - Date.parse(range?.start ?? '')).toBe(2 * ms)
  }
})

test('without times the query covers a year up to now, and says so', async () => {
  const zero = '0001-01-01T00:00:00Z'
  // Clients in Go write a time that was not set so.
  for (const times of [{}, { startTime: zero, endTime: zero }]) {
    const { body } = await post(service, '/v1/query/_apl', { apl: "['recent'] | limit 1", ...times })
    expect(body.matches.length).toBe(1)
    expect(body.status.messages).toEqual([
      {
        priority: 'warn',
        count: 1,
        code: 'missing_time_range',
        msg: expect.stringMatching(/^startTime and endTime not given: /),
      },
    ])
  }
  const { body: since } = await apl(service, "['recent'] | limit 1", { startTime: zero, endTime: 'now' })
  expect([since.matches.length, since.tables[0]?.range.start]).toEqual([1, zero])
})

test('at the address of the edge a table comes without the rows as events, where it is asked for by name', async () => {
  const text = { apl: "['recent'] | limit 1" }
  const { body } = await post(service, '/v1/query/_apl?format=tabular', text)
  expect([Object.keys(body), body.tables[0]?.columns[0]?.length]).toEqual([
    ['format', 'status', 'tables', 'datasetNames', 'fieldsMetaMap'],
    1,
  ])
  expect((await post(service, '/v1/datasets/_apl?format=tabular', text)).body.matches.length).toBe(1)
})

test('each row has its cursor, where that is wanted', async () => {
  await ingestEach(service, 'cursors', 3, (n) => ({ _time: `2026-01-01T00:00:0${n + 1}Z`, n: n + 1 }))
  const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }
  const ask = async (text: string, members: object) => (await apl(service, text, { ...range, ...members })).body
  for (const text of ["['cursors'] | sort by _time asc", "['cursors'] | sort by _time asc | project n"]) {
    const { tables, matches } = await ask(text, { includeCursorField: true })
    expect(tables[0]?.fields.at(-1)).toEqual({ name: '_cursor', type: 'string' })
    const cursors = tables[0]?.columns.at(-1) as string[]
    expect(cursors).toEqual(matches.map(({ _rowId }) => _rowId))
    const rest = await ask(text, { cursor: cursors[0] })
    expect(rest.matches.map(({ data }) => data.n)).toEqual([2, 3])
    const withIt = await ask(text, { cursor: cursors[1], includeCursor: true })
    expect(withIt.matches.map(({ data }) => data.n)).toEqual([2, 3])
  }
  const grouped = await ask("['cursors'] | summarize count() by n", { includeCursorField: true })
  expect(grouped.tables[0]?.fields.map(({ name }) => name)).toEqual(['n', 'count_'])
})

test('a limit beyond every number is no limit of its own, in both kinds of bodies', async () => {
  const members = JSON.stringify({ ...ALWAYS, apl: "['web']" }).slice(0, -1)
  const huge = '34046343721484576517783552'
  const answers = [
    await post(service, '/v1/datasets/_apl', `${members},"defaultLimit":${huge}}`),
    await post(service, '/v1/datasets/web/query', `${members},"limit":${huge}}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const all = (await apl(service, "['web'] | count")).body.tables[0]?.columns[0]?.[0]
  expect(answers.map(({ body }) => body.matches.length)).toEqual([all, all])
  const negative = await post(service, '/v1/datasets/_apl', `${members},"defaultLimit":-${huge}}`)
  expect([negative.status, negative.body.message]).toEqual([422, expect.stringContaining(`got -${huge}`)])
})

test('a query without a limit gets 1000 rows and a message; the request and the service may set other limits', async () => {
  await ingestEach(service, 'many', 2_100, (n) => ({ n }))
  const codes = async (text: string, members: object = {}) => {
    const { status, body } = await apl(service, text, members)
    return [status, body.matches.length, body.status.rowsMatched, body.status.messages.map(({ code }) => code)]
  }
  expect(await codes("['many']")).toEqual([200, 1_000, 2_100, ['default_limit_warning']])
  expect(await codes("['many']", { defaultLimit: 10 })).toEqual([200, 10, 2_100, ['default_limit_warning']])
  expect(await codes("['many'] | limit 5", { defaultLimit: 10 })).toEqual([200, 5, 2_100, []])
  expect(await codes("['many'] | limit 1000000")).toEqual([200, 2_000, 2_100, ['limit_capped']])
  expect((await legacy(service, 'many', { limit: 1_000_000 })).body.status.messages[0]?.code).toBe('limit_capped')
})

test('variables stand for names of the query, big integers included', async () => {
  const body = `{"apl":"['exact'] | where long == n","variables":{"n":9007199254740993},"startTime":"1900-01-01","endTime":"now"}`
  expect((await post(service, '/v1/datasets/_apl', body)).body.matches.length).toBe(1)
  expect((await post(service, '/v1/datasets/_apl', body.replace('993}', '992}'))).body.matches.length).toBe(0)
})

test('unknown members and queryOptions are ignored', async () => {
  const { status } = await apl(service, "['web'] | count", { queryOptions: { x: [1] }, nocache: true })
  expect(status).toBe(200)
})

test('integers from 2^63 on are found, counted, ordered and grouped like the others of their field', async () => {
  const values = [5n, 2n ** 63n, 2n ** 64n - 1n, -(2n ** 63n)]
  await ingest(service, 'unsigned', values.map((u, i) => `{"_time":"2026-01-01T00:00:0${i}Z","u":${u}}`).join('\n'))
  const ask = async (pipeline: string) => (await apl(service, `['unsigned'] | ${pipeline}`)).body.tables[0]
  expect((await ask('where u > 3 | count'))?.columns).toEqual([[3]])
  expect((await ask('where u >= 9223372036854775808.0 | count'))?.columns).toEqual([[2]])
  expect((await ask('where isnotnull(u) | summarize dcount(u), max(u) > 9e18'))?.columns[0]).toEqual([4])
  expect((await ask('summarize count() by u'))?.columns[0]).toEqual(expect.arrayContaining(values.map((u) => (u === 5n ? 5 : u))))
  const sorted = await ask('sort by u desc | project u')
  expect(sorted?.fields).toEqual([{ name: 'u', type: 'integer' }])
  expect(sorted?.columns).toEqual([[2n ** 64n - 1n, 2n ** 63n, 5, -(2n ** 63n)]])
  const { body: fields } = await askService(service, 'GET', '/v2/datasets/unsigned/fields')
  expect(fields).toContainEqual(expect.objectContaining({ name: 'u', type: 'integer' }))
})

test('a key in brackets is one key, dots included, of a stored map and of a computed one', async () => {
  await ingest(service, 'spans', [
    { _time: '2026-01-01T00:00:00Z', attributes: { custom: { 'http.protocol': '2', 'a%b': 1 } } },
    { _time: '2026-01-01T00:01:00Z', attributes: { custom: { http: { protocol: '3' } } } },
  ])
  const { status, body } = await apl(
    service,
    `['spans'] | where ['attributes.custom']['http.protocol'] == '2'
     | extend map = attributes.custom | project key = map['http.protocol'], percent = map['a%b'], none = map.zz, absent = attributes.custom['zz']`,
  )
  expect([status, body.message]).toEqual([200, undefined])
  expect(rowsOf(body)).toEqual([{ key: '2', percent: 1, none: null, absent: null }])
  expect(body.status.messages.map(({ code }) => code)).toContain('unknown_field')
})

test('a sum beyond 64 bits is told, and does not wrap around', async () => {
  const { status, body } = await apl(service, "['exact'] | summarize total = sum(long * 1000) * 10")
  expect([status, body.message]).toEqual([
    400,
    'an integer in the result needs more than 64 bits; calculate with toreal(x) instead of x',
  ])
})

test('a series without ends of more steps than it may have has those of its rows, and says so', async () => {
  const { body } = await apl(service, "['web'] | make-series n = count() on _time step 30m | project n, at = _time")
  const at = ['00:00', '00:30', '01:00'].map((time) => `2026-01-01T${time}:00Z`)
  expect(rowsOf(body)).toEqual([{ n: [1, 1, 1], at }])
  expect(body.status.messages.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/each begins and ends with its rows/))
  const none = await apl(
    service,
    "['web'] | where path == '/none' | make-series n = count() on _time step 30m | project n, at = _time",
  )
  expect(rowsOf(none.body)).toEqual([{ n: [], at: [] }])
  const apart = await apl(service, "['exact'] | make-series n = count() on _time step 1m")
  expect([apart.status, apart.body.message]).toEqual([432, expect.stringMatching(/say from and to, or take a longer step/)])
  const said = await apl(service, "['web'] | make-series n = count() on _time from datetime(2000-01-01) to now() step 1m")
  expect([said.status, said.body.message]).toEqual([400, expect.stringMatching(/limit 10000/)])
})
