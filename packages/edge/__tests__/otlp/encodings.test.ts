/**
 * The same request in protobuf and in JSON gives the same events, whatever is in it, and damaged bytes are refused or read.
 */

import { parseExact } from '@deployment-annotations/contract/exact-json'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import protobuf from 'protobufjs/light.js'
import { runs } from '../../../../__tests__/support/long.ts'
import { JsonBody } from '../../../event-store/src/body/json-body.ts'
import { FieldTransaction, FieldTree } from '../../../event-store/src/fields/field-tree.ts'
import { createRowIds } from '../../../event-store/src/rows/row-ids.ts'
import { RowWriter } from '../../../event-store/src/rows/row-writer.ts'
import { Attributes } from '../../src/otlp/attributes.ts'
import { type Encoding, OtlpEvents } from '../../src/otlp/events.ts'
import { SIGNALS, type SignalName } from '../../src/otlp/levels.ts'
import { encodeRequest } from './otlp.ts'

const NAMES = [
  'http.request.method',
  'http.route',
  'db.system',
  'db.system.name',
  'service.name',
  'telemetry.sdk.name',
  'error.type',
]
const attributes = new Attributes(new Set(NAMES))

/** The events with their integers exact, and how many there are; `undefined` for a request that is refused. */
function eventsOf(signal: SignalName, bytes: Buffer, encoding: Encoding): unknown[] | undefined {
  try {
    const pieces = [...new OtlpEvents(signal, { bytes, encoding, attributes, growth: () => {}, messages: () => {} }).lines()]
    return Buffer.concat(pieces)
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => parseExact(line))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'malformed') return undefined
    throw error
  }
}

const key = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom('my.key', 'a', '', 'ключ', 'q"u\\o', 'x\ny'), fc.string())
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a"b\\c\n\u0000\u001f\u007f', '😀é', 'x'.repeat(300)))
const signed = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -1n, 127n, 128n, 2n ** 49n, 2n ** 53n + 1n),
)
const unsigned = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(0n, 1_795_350_616_541_350_047n, 2n ** 53n, 10n ** 18n, 10n ** 17n),
)
const double = fc.oneof(fc.double(), fc.constantFrom(0, -0, 5, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY))
const count = fc.oneof(fc.constantFrom(0, 1, 4_294_967_295), fc.nat())
const small = fc.oneof(fc.constantFrom(0, 1, 2, 3, 9), fc.integer())
const id = (bytes: number) => fc.oneof(fc.uint8Array({ minLength: bytes, maxLength: bytes }), fc.constant(new Uint8Array(bytes)))
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] })
const listed = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 3 })

const { any, pair } = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ stringValue: text }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: signed }),
    fc.record({ doubleValue: double }),
    fc.record({ bytesValue: fc.uint8Array({ maxLength: 20 }) }),
    fc.constant({}),
    fc.record({ arrayValue: some({ values: listed(tie('any')) }) }),
    fc.record({ kvlistValue: some({ values: listed(tie('pair')) }) }),
  ),
  pair: some({ key, value: tie('any') }),
}))
const pairs = fc.array(pair, { maxLength: 8 })
const ids = { traceId: id(16), spanId: id(8) }
const told = { attributes: pairs, droppedAttributesCount: count }
const event = some({ timeUnixNano: unsigned, name: text, ...told })
const link = some({ ...ids, traceState: text, flags: count, ...told })
const span = some({
  ...ids,
  ...told,
  parentSpanId: id(8),
  name: text,
  kind: small,
  startTimeUnixNano: unsigned,
  endTimeUnixNano: unsigned,
  events: listed(event),
  links: listed(link),
  status: some({ message: text, code: small }),
})
const record = some({ ...ids, ...told, timeUnixNano: unsigned, severityNumber: small, severityText: text, body: any })
const point = { startTimeUnixNano: unsigned, timeUnixNano: unsigned, attributes: pairs, flags: count }
const exemplar = some({ ...ids, timeUnixNano: unsigned, asDouble: double, filteredAttributes: pairs })
const histogram = { ...point, count: unsigned, sum: double, min: double, bucketCounts: fc.array(unsigned) }
const data = (item: Record<string, fc.Arbitrary<unknown>>) =>
  some({ dataPoints: listed(some(item)), aggregationTemporality: small })
const named = { name: text, unit: text, metadata: pairs }
const metric = fc.oneof(
  some({ ...named, gauge: data({ ...point, asDouble: double, exemplars: listed(exemplar) }) }),
  some({ ...named, sum: data({ ...point, asInt: signed }) }),
  some({ ...named, histogram: data({ ...histogram, explicitBounds: fc.array(double) }) }),
  some({
    ...named,
    exponentialHistogram: data({ ...point, scale: small, positive: some({ offset: small, bucketCounts: fc.array(unsigned) }) }),
  }),
  some({ ...named, summary: data({ ...point, quantileValues: listed(some({ quantile: double, value: double })) }) }),
)

function request(
  [resources, scopes, items]: readonly [string, string, string],
  item: fc.Arbitrary<unknown>,
  about: Record<string, fc.Arbitrary<unknown>> = told,
): fc.Arbitrary<object> {
  const scope = some({ scope: some({ name: text, version: text, ...about }), schemaUrl: text, [items]: listed(item) })
  const resource = some({ resource: some(about), schemaUrl: text, [scopes]: listed(scope) })
  return some({ [resources]: listed(resource) })
}
const LISTS = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
} as const
const REQUESTS: Record<SignalName, fc.Arbitrary<object>> = {
  traces: request(LISTS.traces, span),
  logs: request(LISTS.logs, record),
  metrics: request(LISTS.metrics, metric),
}

/** What most requests have: attributes with a few names and single values, and times of today. */
const usualPairs = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom(...NAMES, 'my.key', 'a', 'b', 'ключ'),
    value: fc.oneof(
      fc.record({ stringValue: text }),
      fc.record({ boolValue: fc.boolean() }),
      fc.record({ intValue: signed }),
      fc.record({ doubleValue: double }),
      fc.record({ arrayValue: fc.record({ values: listed(fc.record({ stringValue: text })) }) }),
    ),
  }),
  { maxLength: 6, selector: (one) => one.key },
)
const usual = { attributes: usualPairs, droppedAttributesCount: count }
const time = fc.bigInt({ min: 10n ** 18n, max: 8n * 10n ** 18n })
const USUAL = {
  traces: fc.record({ ...usual, ...ids, name: text, kind: small, startTimeUnixNano: time, endTimeUnixNano: time }),
  logs: fc.record({ ...usual, timeUnixNano: time, severityText: text, body: fc.record({ stringValue: text }) }),
}

/** Puts other values in the place of those that an encoding does not take as they are. */
function withValues(value: unknown, of: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withValues(item, of))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return of(value, name)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withValues(member, of, key)]))
}

const inJson = (message: object) =>
  Buffer.from(
    JSON.stringify(
      withValues(message, (value, name) => {
        if (value instanceof Uint8Array) return Buffer.from(value).toString(name.endsWith('Id') ? 'hex' : 'base64')
        if (Object.is(value, -0)) return '-0'
        return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value
      }),
    ),
  )

function inProtobuf(signal: SignalName, message: object): Buffer {
  const Long = protobuf.util.Long as unknown as { fromString(digits: string): unknown }
  const written = withValues(message, (value) => (typeof value === 'bigint' ? Long.fromString(String(value)) : value))
  return encodeRequest(signal, written as object)
}

test.each(Object.keys(SIGNALS) as SignalName[])('any %s', (signal) => {
  let events = 0
  const property = fc.property(REQUESTS[signal], (message) => {
    const [fromProtobuf, fromJson] = [
      eventsOf(signal, inProtobuf(signal, message), 'protobuf'),
      eventsOf(signal, inJson(message), 'json'),
    ]
    expect(fromProtobuf).toBeDefined()
    expect(fromProtobuf).toEqual(fromJson)
    events += fromJson?.length ?? 0
  })
  fc.assert(property, { numRuns: runs(300, 5_000) })
  expect(events).toBeGreaterThan(100)
})

test('damaged protobuf is refused or read as something else', () => {
  let refused = 0
  const damage = fc.property(REQUESTS.traces, fc.nat(), fc.nat(255), (message, at, byte) => {
    const bytes = inProtobuf('traces', message)
    if (bytes.length > 0) bytes[at % bytes.length] = byte
    if (!eventsOf('traces', bytes, 'protobuf')) refused++
    eventsOf('traces', bytes.subarray(0, at % (bytes.length + 1)), 'protobuf')
  })
  fc.assert(damage, { numRuns: runs(500, 5_000) })
  expect(refused).toBeGreaterThan(20)
})

/** The same JSON with the members of each object the other way round. */
const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, one]) => [name, reversed(one)]),
        )
      : value

test('JSON is read the same however it is written, and refused where it is cut or is none', () => {
  const layouts = fc.property(REQUESTS.logs, (message) => {
    const compact = inJson(message).toString()
    const value: unknown = JSON.parse(compact)
    const expected = eventsOf('logs', Buffer.from(compact), 'json')
    for (const text of [
      JSON.stringify(value, null, 1),
      JSON.stringify(reversed(value)),
      // Names with escapes are the same names.
      compact.replaceAll('"key":', '"k\\u0065y":').replaceAll('"stringValue":', '"string\\u0056alue" :'),
    ])
      expect(eventsOf('logs', Buffer.from(text), 'json')).toEqual(expected)
  })
  fc.assert(layouts, { numRuns: runs(60, 600) })

  const pair = (value: string) => `{"key":"a","value":{${value}}}`
  const request = (pairs: string) => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[${pairs}]}]}]}]}`
  const whole = request([pair('"stringValue":"x\\n"'), pair('"intValue":"7"'), pair('"doubleValue":-0.5')].join(','))
  expect(eventsOf('logs', Buffer.from(whole), 'json')).toHaveLength(1)
  for (let at = 0; at < whole.length; at++) expect(eventsOf('logs', Buffer.from(whole.slice(0, at)), 'json')).toBeUndefined()
  for (const broken of [
    `${pair('"intValue":1')},`,
    `${pair('"intValue":1')} ${pair('"intValue":1')}`,
    pair('"intValue":1').replace('}}', '}]'),
    pair('"stringValue":"x\n"'),
    pair('"intValue":01'),
    pair('"intValue":'),
  ])
    expect(eventsOf('logs', Buffer.from(request(broken)), 'json')).toBeUndefined()
  // What may follow an attribute in an array may not follow it in an object.
  const inObject = `{"resourceLogs":[],"x":${pair('"intValue":1')},${pair('"intValue":1')}}`
  expect(eventsOf('logs', Buffer.from(inObject), 'json')).toBeUndefined()
})

test('whole numbers in JSON keep every digit, as texts and as numbers', () => {
  const values = ['"9007199254740993"', '9007199254740993', ' -9223372036854775808', '5.0', '1e3']
  const attributes = values.map((value, index) => `{"key":"${index}","value":{"intValue":${value}}}`)
  const before = '{"key":"d","value":{"doubleValue":0.30000000000000004}}'
  const text = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[${before},${attributes}]}]}]}]}`
  expect(eventsOf('logs', Buffer.from(text), 'json')).toEqual([
    {
      attributes: {
        custom: { d: 0.30000000000000004, 0: 9007199254740993n, 1: 9007199254740993n, 2: -9223372036854775808n, 3: 5, 4: 1_000 },
      },
    },
  ])
})

test('a list of numbers is no list of items, however its name is written', () => {
  const eventsIn = (scopes: string) => eventsOf('logs', Buffer.from(`{"resourceLogs":[{"scopeLogs":[${scopes}]}]}`), 'json')
  const [own, escaped] = ['{"logRecords":[{},{}]}', '{"logRecor\\u0064s":[{}]}']
  expect(eventsIn(`${own},${escaped}`)).toHaveLength(3)
  for (const other of ['{"logRecords":[0]}', '{"logRecor\\u0064s":[0]}', '{"logRecor\\u0064s":[0,0]}']) {
    expect(eventsIn(`${own},${other}`)).toBeUndefined()
    expect(eventsIn(`${other},${own}`)).toBeUndefined()
  }
})

interface Taken {
  failed: number
  blocks: string[]
}

/** Takes all events of a request, as text or without text where that is possible. */
function take(tree: FieldTree, events: OtlpEvents, isDirect: boolean): Taken & { direct: number } {
  const lease = { node: 1, startMs: 0, reservedMs: Number.MAX_SAFE_INTEGER, usedMs: 0 }
  using transaction = new FieldTransaction(tree)
  const [receivedNs, sysTimeNs] = ['1795350616541350047', '1795350616541350047']
  const rowIds = createRowIds(lease, () => 1_795_350_616_541)
  const options = { timestampField: undefined, layout: undefined, labels: undefined, isCsv: false }
  using writer = new RowWriter({ tree, transaction, rowIds, receivedNs, sysTimeNs, ...options })
  let direct = 0
  const takeBuilt = writer.takeBuilt.bind(writer)
  writer.takeBuilt = (event) => {
    const bytes = takeBuilt(event)
    if (bytes > 0) direct++
    return bytes
  }
  if (isDirect) for (const _ of events.writeRows(writer));
  else {
    const body = new JsonBody(writer)
    for (const piece of events.lines()) body.push(piece)
  }
  const { blocks } = writer.drain()
  transaction.commit()
  return { blocks: blocks.map(({ written }) => written.toString('latin1')), failed: writer.tally.failed, direct }
}

test.each(['traces', 'logs'] as const)('%s are the same rows with and without text between', (signal) => {
  let direct = 0
  const message = fc.oneof(REQUESTS[signal], { arbitrary: request(LISTS[signal], USUAL[signal], usual), weight: 3 })
  const property = fc.property(fc.array(message, { minLength: 2, maxLength: 3 }), fc.boolean(), (messages, inText) => {
    const trees = [new FieldTree(60), new FieldTree(60)] as const
    for (const tree of trees) tree.setMaps(['attributes.custom', 'resource.custom'])
    // The last request has the fields of the ones before.
    for (const one of [...messages, ...messages]) {
      const bytes = inText ? inJson(one) : inProtobuf(signal, one)
      const parts = { bytes, encoding: inText ? 'json' : 'protobuf', attributes, growth: () => {}, messages: () => {} } as const
      const [{ direct: none, ...text }, { direct: some, ...rows }] = [
        take(trees[0], new OtlpEvents(signal, parts), false),
        take(trees[1], new OtlpEvents(signal, parts), true),
      ]
      expect(none).toBe(0)
      expect(rows).toEqual(text)
      direct += some
    }
    const fields = ({ root }: FieldTree) => [...root.fields()].map(({ name, types }) => `${name} ${types}`).sort()
    expect(fields(trees[1])).toEqual(fields(trees[0]))
  })
  fc.assert(property, { numRuns: runs(80, 1_000) })
  expect(direct).toBeGreaterThan(20)
})
