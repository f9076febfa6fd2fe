import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { oneSpan, readAnswer, readStatus, sendOtlp } from '../../../edge/__tests__/otlp/otlp.ts'
import { ask, tokenWith } from '../http.ts'
import { apl } from '../query/ask.ts'
import { RECORDED } from './recorded.ts'

const service = serviceForTests()

const dataOf = async (dataset: string) => (await apl(service, dataset, {}, 'legacy')).body.matches.map(({ data }) => data)

const TIMED = { startTimeUnixNano: '1795350616541350047', endTimeUnixNano: '1795350616541939363' }

test('a request of an SDK is answered with an empty message of protobuf, and its spans are there', async () => {
  const answer = await sendOtlp(service, 'traces', RECORDED.traces)
  expect([answer.status, answer.headers.get('content-type'), answer.bytes.length]).toEqual([200, 'application/x-protobuf', 0])
  const spans = await dataOf('traces')
  expect(spans).toHaveLength(2)
  const [child, root] = spans
  expect(root).toMatchObject({
    name: 'root',
    kind: 'server',
    error: false,
    trace_id: expect.stringMatching(/^[\da-f]{32}$/),
    span_id: expect.stringMatching(/^[\da-f]{16}$/),
    service: { name: 'shop', version: '1.2', instance: { id: 'i1' } },
    telemetry: { sdk: { language: 'python', name: 'opentelemetry', version: '1.45.2' } },
    resource: { host: { name: 'h1' }, custom: { team: 'blue' } },
    scope: { name: 'lib', version: '0.1' },
    attributes: {
      http: { request: { method: 'GET' }, response: { status_code: 200 } },
      custom: { 'my.key': 'v', big: 9223372036854775807n, ratio: 1, list: ['a', 'b'], ok: true, é: 'ü' },
    },
  })
  expect(root).not.toHaveProperty('parent_span_id')
  expect(child).toMatchObject({
    name: 'child',
    kind: 'internal',
    error: true,
    status: { code: 'ERROR', message: 'bad' },
    parent_span_id: root?.span_id,
    trace_id: root?.trace_id,
    events: [{ name: 'hello', timestamp: expect.any(BigInt), attributes: { n: 1, f: 0.5 } }],
    links: [{ trace_id: root?.trace_id, span_id: root?.span_id, attributes: { why: 'x' } }],
  })
})

test('a parent of zeros is none', async () => {
  const ids = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174', parentSpanId: '0000000000000000' }
  const span = oneSpan({ ...ids, name: 'root', startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1700000001000000000' })
  await sendOtlp(service, 'traces', span, { 'x-axiom-dataset': 'zeros' })
  const { matches } = (await apl(service, 'zeros', {}, 'legacy')).body
  expect(matches.map(({ data }) => data)).toEqual([expect.not.objectContaining({ parent_span_id: expect.anything() })])
})

test('what the hosted documentation asks of traces is answered', async () => {
  const rows = async (text: string) => (await apl(service, `traces ${text}`, {}, 'legacy')).body
  expect((await rows('| where isnull(parent_span_id)')).matches).toHaveLength(1)
  expect((await rows("| where ['attributes.custom']['my.key'] == 'v' and kind == 'server'")).matches).toHaveLength(1)
  expect((await rows('| where duration > 1us and duration < 1d and error == true')).matches).toHaveLength(1)
  expect((await rows('| where isnotempty(links)')).matches).toHaveLength(1)
  expect((await rows('| where array_length(events) == 1')).matches).toHaveLength(1)
  const topErrors = await rows("| summarize topk(['status.message'], 5) by ['service.name'], name | limit 5")
  expect(topErrors.buckets.totals).toHaveLength(2)
})

test('keys with dots are found in the events of a span', async () => {
  const event = { name: 'exception', attributes: [{ key: 'exception.type', value: { stringValue: 'E' } }] }
  await sendOtlp(service, 'traces', oneSpan({ ...TIMED, name: 'x', events: [event] }), { 'x-axiom-dataset': 'dotted' })
  const text = "dotted | project first = events[0].attributes['exception.type'], events | mv-expand events"
  const { matches } = (await apl(service, `${text} | extend type = tostring(events.attributes['exception.type'])`, {}, 'legacy'))
    .body
  expect(matches.map(({ data }) => [data.first, data.type])).toEqual([['E', 'E']])
})

test("attributes of anybody's choosing are one field of a dataset that OTLP makes, and stay fields of one that was there", async () => {
  const fieldsOf = async (name: string) =>
    (await ask<{ name: string }[]>(service, 'GET', `/v2/datasets/${name}/fields`)).body.map((field) => field.name)
  const attributes = [{ key: 'my.own', value: { intValue: 1 } }]
  await ask(service, 'POST', '/v2/datasets', { body: { name: 'there' } })
  for (const name of ['made', 'there']) {
    await sendOtlp(service, 'traces', oneSpan({ ...TIMED, name: 'x', attributes }, attributes), { 'x-axiom-dataset': name })
    const found = (await apl(service, `${name} | where ['attributes.custom']['my.own'] == 1`, {}, 'legacy')).body.matches
    expect(found).toHaveLength(1)
  }
  expect(await fieldsOf('made')).toEqual(expect.arrayContaining(['attributes.custom', 'resource.custom']))
  expect(await fieldsOf('there')).toEqual(expect.arrayContaining(['attributes.custom.my\\.own', 'resource.custom.my\\.own']))
})

test('a log record keeps its severity, body and time', async () => {
  expect((await sendOtlp(service, 'logs', RECORDED.logs)).status).toBe(200)
  expect(await dataOf('logs')).toMatchObject([
    { severity_text: 'WARN', severity_number: 13, body: 'watch out 5', observed_time: expect.any(BigInt), scope: { name: 'x' } },
  ])
})

test('each data point of a metric is an event', async () => {
  const answer = await sendOtlp(service, 'metrics', RECORDED.metrics, { 'x-axiom-metrics-dataset': 'points' })
  expect(answer.status).toBe(200)
  const points = await dataOf('points | sort by name asc')
  expect(points.map(({ name, type }) => [name, type])).toEqual([
    ['exp', 'exponential_histogram'],
    ['hits', 'sum'],
    ['lat', 'histogram'],
    ['temp', 'gauge'],
  ])
  expect(points).toMatchObject([
    { count: 1, sum: 3, scale: 20, zero_count: 0, positive: { bucket_counts: [1] } },
    {
      value: 3,
      unit: '1',
      description: 'd',
      is_monotonic: true,
      aggregation_temporality: 'cumulative',
      attributes: { http: { route: '/a' } },
      start_time: expect.any(BigInt),
    },
    { count: 1, sum: 12.5, min: 12.5, max: 12.5, bucket_counts: expect.arrayContaining([1]), explicit_bounds: expect.any(Array) },
    { value: 21.5 },
  ])
})

test('JSON is taken and answered, with every digit of its integers', async () => {
  const span = {
    ...TIMED,
    traceId: '5B8EFFF798038103D269B633813FC60C',
    spanId: 'EEE19B7EC3C1B174',
    name: 'x',
    kind: 3,
    unknownMember: { a: 1 },
    attributes: [
      { key: 'n', value: { intValue: '9007199254740993' } },
      { key: 'bytes', value: { bytesValue: 'AQI=' } },
      { key: 'map', value: { kvlistValue: { values: [{ key: 'a.b', value: { boolValue: false } }] } } },
      { key: 'nothing', value: {} },
    ],
  }
  const answer = await sendOtlp(service, 'traces', oneSpan(span), { 'x-axiom-dataset': 'json' })
  expect([answer.status, answer.headers.get('content-type'), String(answer.bytes)]).toEqual([200, 'application/json', '{}'])
  const [match] = (await apl(service, 'json', {}, 'legacy')).body.matches
  expect(match).toMatchObject({
    _time: '2026-11-22T12:30:16.541350047Z',
    data: {
      trace_id: '5b8efff798038103d269b633813fc60c',
      span_id: 'eee19b7ec3c1b174',
      kind: 'client',
      duration: 589316,
      attributes: { custom: { n: 9007199254740993n, bytes: 'AQI=', map: { 'a.b': false } } },
    },
  })
})

test('of two names where one goes on from the other, both values are kept', async () => {
  const attributes = [
    { key: 'db.system', value: { stringValue: 'redis' } },
    { key: 'db.system.name', value: { stringValue: 'redis 7' } },
  ]
  for (const list of [attributes, attributes.toReversed()]) {
    await sendOtlp(service, 'traces', oneSpan({ ...TIMED, name: 'x', attributes: list }), { 'x-axiom-dataset': 'dup' })
  }
  const kept = { attributes: { db: { system: { name: 'redis 7' } }, custom: { 'db.system': 'redis' } } }
  expect(await dataOf('dup')).toMatchObject([kept, kept])
})

test('what cannot be stored is told as partial success, in both encodings, and the rest is stored', async () => {
  const spans = [
    { ...TIMED, name: 'good' },
    { startTimeUnixNano: '18446744073709551615', name: 'beyond 2262' },
  ]
  const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] }
  const json = await sendOtlp(service, 'traces', request, { 'x-axiom-dataset': 'partly' })
  expect([json.status, JSON.parse(String(json.bytes))]).toEqual([
    200,
    {
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: expect.stringMatching(/^1 of 2 spans were not stored.*event 1: the time/),
      },
    },
  ])
  expect(await dataOf('partly')).toMatchObject([{ name: 'good' }])
  // resource_spans { scope_spans { spans { start_time_unix_nano: 2^64 - 1 } } }
  const bytes = Buffer.from('0a0d120b12093 9ffffffffffffffff'.replaceAll(' ', ''), 'hex')
  const protobuf = await sendOtlp(service, 'traces', bytes, { 'x-axiom-dataset': 'partly' })
  expect([protobuf.status, readAnswer(protobuf)]).toEqual([
    200,
    { partialSuccess: { rejected: '1', errorMessage: expect.stringMatching(/^1 of 1 spans/) } },
  ])
})

test('an attribute that is nested too deep refuses its span, and not those beside it', async () => {
  let value: object = { intValue: 1 }
  for (let i = 0; i < 150; i++) value = { arrayValue: { values: [value] } }
  const spans = [
    { ...TIMED, name: 'deep', attributes: [{ key: 'deep', value }] },
    { ...TIMED, name: 'flat' },
  ]
  const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] }
  // By hand, because the encoder of the tests does not go as deep.
  const field = (id: number, bytes: Buffer) => {
    const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]
    return Buffer.concat([Buffer.from([id * 8 + 2, ...length]), bytes])
  }
  const text = (value: string) => Buffer.from(value)
  let any = Buffer.from([3 * 8, 1])
  for (let i = 0; i < 150; i++) any = field(5, field(1, any))
  const deep = field(9, Buffer.concat([field(1, text('deep')), field(2, any)]))
  const flat = field(5, text('flat'))
  const bytes = field(1, field(2, Buffer.concat([field(2, deep), field(2, flat)])))
  for (const body of [request, bytes]) {
    const answer = await sendOtlp(service, 'traces', body, { 'x-axiom-dataset': 'deep' })
    expect([answer.status, answer.bytes.toString('latin1')]).toEqual([200, expect.stringMatching(/1 of 2 spans.*100 levels/)])
  }
  expect((await dataOf('deep')).map(({ name }) => name)).toEqual(['flat', 'flat'])
})

test('a request without anything in it is a success', async () => {
  expect((await sendOtlp(service, 'traces', Buffer.alloc(0))).status).toBe(200)
  expect(String((await sendOtlp(service, 'logs', {})).bytes)).toBe('{}')
})

test.each([
  ['gzip', gzipSync(RECORDED.logs)],
  ['zstd', zstdCompressSync(RECORDED.logs)],
])('a body with Content-Encoding %s is taken', async (encoding, body) => {
  const headers = { 'content-encoding': encoding, 'x-axiom-dataset': encoding }
  expect((await sendOtlp(service, 'logs', body, headers)).status).toBe(200)
  expect(await dataOf(encoding)).toHaveLength(1)
})

test('a repeat with the same Idempotency-Key is stored once', async () => {
  const headers = { 'idempotency-key': 'k1', 'x-axiom-dataset': 'once' }
  for (let i = 0; i < 2; i++) expect((await sendOtlp(service, 'logs', RECORDED.logs, headers)).status).toBe(200)
  expect(await dataOf('once')).toHaveLength(1)
})

test('errors are messages of the protocol, in the encoding of the request', async () => {
  const truncated = await sendOtlp(service, 'traces', RECORDED.traces.subarray(0, 300))
  expect([truncated.status, truncated.headers.get('content-type')]).toEqual([400, 'application/x-protobuf'])
  expect(readStatus(truncated).message).toMatch(/^the body is not a request of OTLP: .*nothing was stored$/)
  const json = await sendOtlp(service, 'traces', oneSpan({ traceId: 'xyz' }))
  expect([json.status, JSON.parse(String(json.bytes)).message]).toEqual([400, expect.stringMatching(/traceId must be an id/)])
  const nothing = await sendOtlp(service, 'traces', new TextEncoder().encode('null'), { 'content-type': 'application/json' })
  expect([nothing.status, JSON.parse(String(nothing.bytes)).message]).toEqual([
    400,
    expect.stringMatching(/must be an object, got null/),
  ])
  const noToken = await sendOtlp(service, 'traces', RECORDED.traces, { authorization: '' })
  expect([noToken.status, readStatus(noToken).message]).toEqual([401, expect.stringMatching(/^no token/)])
})

test.each([
  ['no dataset', { 'x-axiom-dataset': '' }, 400, /the dataset name "" in the header x-axiom-dataset/],
  ['a name that is none', { 'x-axiom-dataset': 'a/b' }, 400, /"a\/b" in the header/],
  ['another content type', { 'content-type': 'text/plain' }, 415, /is not of OTLP/],
])('%s is refused', async (_, headers, status, message) => {
  const answer = await sendOtlp(service, 'logs', RECORDED.logs, headers)
  expect([answer.status, answer.bytes.toString('latin1')]).toEqual([status, expect.stringMatching(message)])
})

test('it takes the permission to ingest', async () => {
  const headers = { authorization: `Bearer ${await tokenWith(service, ['query|read'])}` }
  expect((await sendOtlp(service, 'logs', RECORDED.logs, headers)).status).toBe(403)
  const { status } = await ask(service, 'GET', '/v1/logs')
  expect(status).toBe(405)
})

test('many items make a large request, whose resource is in each of its events', async () => {
  const spans = Array.from({ length: 5_000 }, (_, index) => ({ ...TIMED, name: `span ${index}` }))
  const request = {
    resourceSpans: [{ resource: { attributes: [{ key: 'a', value: { stringValue: 'b' } }] }, scopeSpans: [{ spans }] }],
  }
  expect((await sendOtlp(service, 'traces', request, { 'x-axiom-dataset': 'many' })).status).toBe(200)
  const { buckets } = (
    await apl(service, "many | where ['resource.custom']['a'] == 'b' | summarize dcount(name), count()", {}, 'legacy')
  ).body
  expect(buckets.totals[0]?.aggregations[1]?.value).toBe(5_000)
})
