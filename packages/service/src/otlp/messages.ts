/**
 * The messages of OTLP 1.11, by the numbers that its fields have on the wire. What this service does not keep (references to
 * entities, indexes of profiles) is not described, and skipped.
 */
import { bool, bytes, double, type Field, hexId, int, int64, Message, one, repeated, string } from './wire.ts'

const value = (id: number) => one(id, { name: 'AnyValue' })
const attributes = (id: number) => repeated(one(id, { name: 'KeyValue' }))

/** One of them is there, or none; they are read in this order. */
export const AnyValue = new Message('AnyValue', {
  stringValue: string(1),
  boolValue: bool(2),
  intValue: int64(3, 'int64'),
  doubleValue: double(4),
  arrayValue: one(5, { name: 'ArrayValue' }),
  kvlistValue: one(6, { name: 'KeyValueList' }),
  bytesValue: bytes(7),
})
export const ArrayValue = new Message('ArrayValue', { values: repeated(value(1)) })
export const KeyValueList = new Message('KeyValueList', { values: attributes(1) })
export const KeyValue = new Message('KeyValue', { key: string(1), value: value(2) })

export const Resource = new Message('Resource', { attributes: attributes(1), droppedAttributesCount: int(2, 'uint32') })
export const Scope = new Message('Scope', {
  name: string(1),
  version: string(2),
  attributes: attributes(3),
  droppedAttributesCount: int(4, 'uint32'),
})

/** What each signal has in common: items of a scope, scopes of a resource, resources of a request. The numbers are the same in all. */
export function signal(names: { resources: string; scopes: string; items: string }, item: { name: string }) {
  const { resources, scopes, items } = names
  const listed = (name: string, id: number, message: { name: string }) =>
    ({ [name]: repeated(one(id, message)) }) as { list: Field }
  const scope = new Message(scopes, { scope: one(1, Scope), ...listed(items, 2, item), schemaUrl: string(3) })
  const resource = new Message(resources, { resource: one(1, Resource), ...listed(scopes, 2, scope), schemaUrl: string(3) })
  return { request: new Message(`Request_${resources}`, listed(resources, 1, resource)), resource, scope }
}

/** The numbers of the lists in a request, a resource and a scope. */
export const LISTS = { resources: 1, scopes: 2, items: 2 } as const

export const SpanEvent = new Message('SpanEvent', {
  timeUnixNano: int64(1, 'fixed64'),
  name: string(2),
  attributes: attributes(3),
  droppedAttributesCount: int(4, 'uint32'),
})

export const SpanLink = new Message('SpanLink', {
  traceId: hexId(1),
  spanId: hexId(2),
  traceState: string(3),
  attributes: attributes(4),
  droppedAttributesCount: int(5, 'uint32'),
  flags: int(6, 'fixed32'),
})

export const SpanStatus = new Message('SpanStatus', { message: string(2), code: int(3) })

export const Span = new Message('Span', {
  traceId: hexId(1),
  spanId: hexId(2),
  traceState: string(3),
  parentSpanId: hexId(4),
  name: string(5),
  kind: int(6),
  startTimeUnixNano: int64(7, 'fixed64'),
  endTimeUnixNano: int64(8, 'fixed64'),
  attributes: attributes(9),
  droppedAttributesCount: int(10, 'uint32'),
  events: repeated(one(11, SpanEvent)),
  droppedEventsCount: int(12, 'uint32'),
  links: repeated(one(13, SpanLink)),
  droppedLinksCount: int(14, 'uint32'),
  status: one(15, SpanStatus),
  flags: int(16, 'fixed32'),
})

export const LogRecord = new Message('LogRecord', {
  timeUnixNano: int64(1, 'fixed64'),
  severityNumber: int(2),
  severityText: string(3),
  body: value(5),
  attributes: attributes(6),
  droppedAttributesCount: int(7, 'uint32'),
  flags: int(8, 'fixed32'),
  traceId: hexId(9),
  spanId: hexId(10),
  observedTimeUnixNano: int64(11, 'fixed64'),
  eventName: string(12),
})

export const TRACES = signal({ resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' }, Span)
export const LOGS = signal({ resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' }, LogRecord)

/** How the rest of a request is answered: what was accepted in part, and what failed. */
const PartialSuccess = new Message('PartialSuccess', { rejected: int64(1, 'int64'), errorMessage: string(2) })
export const Response = new Message('Response', { partialSuccess: one(1, PartialSuccess) })
export const Status = new Message('Status', { code: int(1), message: string(2) })

/** Of google.rpc: what an error of gRPC may say besides its code and message. */
const Any = new Message('GrpcAny', { typeUrl: string(1), value: bytes(2) })
export const GRPC = {
  status: new Message('GrpcStatus', { code: int(1), message: string(2), details: repeated(one(3, Any)) }),
  retryInfo: new Message('RetryInfo', { retryDelay: one(1, new Message('Duration', { seconds: int64(1, 'int64') })) }),
} as const
