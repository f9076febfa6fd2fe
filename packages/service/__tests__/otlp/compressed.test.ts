/**
 * Bodies that were small when they were sent: empty messages by the million are refused, and what an honest sender repeats is taken.
 */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { encodeRequest, field, sendOtlp } from '../../../edge/__tests__/otlp/otlp.ts'
import { SIGNALS, type SignalName } from '../../../edge/src/otlp/levels.ts'
import { apl } from '../query/ask.ts'

const service = serviceForTests()

const BODY_BYTES = 16_000_000

const SIGNAL_NAMES = Object.keys(SIGNALS) as SignalName[]
/** The names of the lists in a request, a resource and a scope. */
const LISTS: Readonly<Record<SignalName, { resources: string; scopes: string; items: string }>> = {
  traces: { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' },
  logs: { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' },
  metrics: { resources: 'resourceMetrics', scopes: 'scopeMetrics', items: 'metrics' },
}

/** The same field without anything in it, again and again. */
const empties = (id: number, bytes = BODY_BYTES) => Buffer.alloc(bytes, Buffer.from([id * 8 + 2, 0]))

const inScope = (item: Buffer) => field(1, field(2, item))
const ofJson = (before: string, after: string) => Buffer.from(`${before}${'{},'.repeat(BODY_BYTES / 3)}{}${after}`)

const EMPTY: [what: string, signal: SignalName, body: Buffer][] = [
  ...SIGNAL_NAMES.flatMap((signal): typeof EMPTY => {
    const { resources, scopes, items } = LISTS[signal]
    return [
      [`resources of ${signal}`, signal, empties(1)],
      [`scopes of ${signal}`, signal, field(1, empties(2))],
      [`items of ${signal}`, signal, inScope(empties(2))],
      [`resources of ${signal} in JSON`, signal, ofJson(`{"${resources}":[`, ']}')],
      [`items of ${signal} in JSON`, signal, ofJson(`{"${resources}":[{"${scopes}":[{"${items}":[`, ']}]}]}')],
    ]
  }),
  ['points of a metric', 'metrics', inScope(field(2, field(5, empties(1))))],
  ['attributes of a log record', 'logs', inScope(field(2, empties(6)))],
  ['values of an array', 'logs', inScope(field(2, field(5, field(5, empties(1)))))],
]

test.each(EMPTY)('%s that are empty are refused by their number', async (what, signal, body) => {
  const type = body[0] === '{'.charCodeAt(0) ? 'application/json' : 'application/x-protobuf'
  const headers = { 'content-encoding': 'gzip', 'content-type': type, 'x-axiom-dataset': 'empty' }
  const { status, bytes } = await sendOtlp(service, signal, gzipSync(body), headers)
  const message = /\d+ compressed bytes hold over \d+ messages; 10 a byte and 1000000 more are accepted: send it in parts, or unc/
  const said = bytes.toString('latin1')
  // What one message may have is looked at first.
  if (status === 400) expect(said).toMatch(/has more than \d+ values/)
  else expect([what, status, said]).toEqual([what, 413, expect.stringMatching(message)])
})

test('events that a few bytes hold are refused by their number, as at the own ingest', async () => {
  const body = gzipSync(inScope(empties(2, 100_000)))
  const { status, bytes } = await sendOtlp(service, 'logs', body, { 'content-encoding': 'gzip', 'x-axiom-dataset': 'empty' })
  expect([status, String(bytes)]).toEqual([413, expect.stringMatching(/compressed bytes hold over \d+ events; 1 a byte/)])
})

test('more numbers in a list than an event can have are refused', async () => {
  // exponential_histogram { data_points { positive { bucket_counts } } }
  const body = inScope(field(2, field(10, field(1, field(8, field(2, Buffer.alloc(BODY_BYTES)))))))
  const headers = { 'content-encoding': 'gzip', 'x-axiom-dataset': 'empty' }
  const { status, bytes } = await sendOtlp(service, 'metrics', gzipSync(body), headers)
  expect([status, String(bytes)]).toEqual([400, expect.stringContaining('bucketCounts has more than 131072 values')])
})

const IN_JSON = { before: '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[', after: ']}]}]}]}' }

test.each([
  ['protobuf', inScope(field(2, empties(6, 3_000_000))), /attributes has more than 131072 values/],
  ['json', Buffer.from(`${IN_JSON.before}${'{},'.repeat(600_000)}{}${IN_JSON.after}`), /an item has more than 131072 values/],
])('more values than are built for one event are refused, however the body was sent (%s)', async (type, body, message) => {
  const headers = { 'content-type': type === 'json' ? 'application/json' : 'application/x-protobuf', 'x-axiom-dataset': 'empty' }
  const { status, bytes } = await sendOtlp(service, 'logs', body, headers)
  expect([status, String(bytes)]).toEqual([400, expect.stringMatching(message)])
})

test.each([{}, { 'idempotency-key': 'k' }])('events before and after many empty messages are stored (%p)', async (key) => {
  const item = (name: string) => Buffer.from(name)
  // resource_spans { scope_spans { spans { name } } }
  const spans = (count: number, name: string) =>
    field(1, field(2, Buffer.concat(Array.from({ length: count }, () => field(2, field(5, item(name)))))))
  const body = Buffer.concat([
    spans(20_000, 'before'),
    empties(1, 100_000),
    spans(20_000, 'between'),
    empties(1, 100_000),
    spans(1, 'after'),
  ])
  const dataset = `around-${Object.keys(key).length}`
  expect((await sendOtlp(service, 'traces', body, { 'x-axiom-dataset': dataset, ...key })).status).toBe(200)
  const { buckets } = (await apl(service, `['${dataset}'] | summarize count() by name | sort by name asc`, {}, 'legacy')).body
  expect(buckets.totals.map(({ group, aggregations }) => [group.name, aggregations[0]?.value])).toEqual([
    ['after', 1],
    ['before', 20_000],
    ['between', 20_000],
  ])
})

const BATCH = 10_000
const batch = <T>(one: T): T[] => Array.from({ length: BATCH }, () => one)
const attributes = Array.from({ length: 10 }, (_, n) => ({ key: `key.${n}`, value: { stringValue: `value ${n}` } }))
const resource = { attributes }
const record = { severityText: 'INFO', body: { stringValue: 'GET /healthz 200' }, attributes }
const point = { asDouble: 5, attributes }

test.each<[what: string, signal: SignalName, body: object]>([
  ['log records', 'logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: batch(record) }] }] }],
  ['log records with a resource each', 'logs', { resourceLogs: batch({ resource, scopeLogs: [{ logRecords: [record] }] }) }],
  [
    'points',
    'metrics',
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints: batch(point) } }] }] }] },
  ],
])('10,000 %s that are the same are taken, as small as gzip and zstd make them', async (what, signal, body) => {
  const dataset = what.replaceAll(' ', '-')
  const bodies = [
    ['application/json', Buffer.from(JSON.stringify(body))],
    ['application/x-protobuf', encodeRequest(signal, body)],
  ] as const
  for (const [type, bytes] of bodies) {
    for (const [encoding, sent] of [
      ['gzip', gzipSync(bytes)],
      ['zstd', zstdCompressSync(bytes)],
    ] as const) {
      expect(bytes.length / sent.length).toBeGreaterThan(150)
      const headers = { 'content-encoding': encoding, 'content-type': type, 'x-axiom-dataset': dataset }
      const answer = await sendOtlp(service, signal, sent, headers)
      expect([type, encoding, answer.status]).toEqual([type, encoding, 200])
    }
  }
  const { buckets } = (await apl(service, `['${dataset}'] | count`, {}, 'legacy')).body
  expect(buckets.totals[0]?.aggregations[0]?.value).toBe(4 * BATCH)
})
