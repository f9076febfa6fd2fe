/**
 * The messages of OTLP 1.11, by the numbers that its fields have on the wire. What this service does not keep (references to
 * entities, indexes of profiles) is not described, and skipped.
 */
import {
  bool,
  bytes,
  double,
  hexId,
  type Int64,
  int,
  int64,
  later,
  Message,
  one,
  type ReadMessage,
  raw,
  repeated,
  string,
} from './wire.ts'

/** One of them is there, or none. */
export interface AnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: Int64
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values?: readonly AnyValue[] }
  readonly kvlistValue?: { readonly values?: readonly KeyValue[] }
  readonly bytesValue?: Uint8Array
}

export interface KeyValue {
  readonly key?: string
  readonly value?: AnyValue
}

const value = (id: number) => later<AnyValue>(id, 'AnyValue')
const attributes = (id: number) => repeated(later<KeyValue>(id, 'KeyValue'))

new Message('AnyValue', {
  stringValue: string(1),
  boolValue: bool(2),
  intValue: int64(3, 'int64'),
  doubleValue: double(4),
  arrayValue: later(5, 'ArrayValue'),
  kvlistValue: later(6, 'KeyValueList'),
  bytesValue: bytes(7),
})
new Message('ArrayValue', { values: repeated(value(1)) })
new Message('KeyValueList', { values: attributes(1) })
new Message('KeyValue', { key: string(1), value: value(2) })

const Resource = new Message('Resource', { attributes: attributes(1), droppedAttributesCount: int(2, 'uint32') })
const Scope = new Message('Scope', {
  name: string(1),
  version: string(2),
  attributes: attributes(3),
  droppedAttributesCount: int(4, 'uint32'),
})

/** What each signal has in common: items of a scope, scopes of a resource, resources of a request. The numbers are the same in all. */
function signal<R extends string, S extends string, I extends string>(resources: R, scopes: S, items: I) {
  const lists = <K extends string>(name: K, id: number) => ({ [name]: raw(id) }) as Record<K, ReturnType<typeof raw>>
  return {
    request: new Message(`Request_${resources}`, lists(resources, 1)),
    resource: new Message(resources, { resource: one(1, Resource), ...lists(scopes, 2), schemaUrl: string(3) }),
    scope: new Message(scopes, { scope: one(1, Scope), ...lists(items, 2), schemaUrl: string(3) }),
    names: { resources, scopes, items },
  }
}

export const TRACES = signal('resourceSpans', 'scopeSpans', 'spans')
export const LOGS = signal('resourceLogs', 'scopeLogs', 'logRecords')
export const METRICS = signal('resourceMetrics', 'scopeMetrics', 'metrics')

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
  events: repeated(
    one(
      11,
      new Message('SpanEvent', {
        timeUnixNano: int64(1, 'fixed64'),
        name: string(2),
        attributes: attributes(3),
        droppedAttributesCount: int(4, 'uint32'),
      }),
    ),
  ),
  droppedEventsCount: int(12, 'uint32'),
  links: repeated(
    one(
      13,
      new Message('SpanLink', {
        traceId: hexId(1),
        spanId: hexId(2),
        traceState: string(3),
        attributes: attributes(4),
        droppedAttributesCount: int(5, 'uint32'),
        flags: int(6, 'fixed32'),
      }),
    ),
  ),
  droppedLinksCount: int(14, 'uint32'),
  status: one(15, new Message('SpanStatus', { message: string(2), code: int(3) })),
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

/** How the rest of a request is answered: what was accepted in part, and what failed. */
const PartialSuccess = new Message('PartialSuccess', { rejected: int64(1, 'int64'), errorMessage: string(2) })
export const Response = new Message('Response', { partialSuccess: one(1, PartialSuccess) })
export const Status = new Message('Status', { code: int(1), message: string(2) })

export type ResourceMessage = ReadMessage<typeof Resource.fields>
export type ScopeMessage = ReadMessage<typeof Scope.fields>
export type SpanMessage = ReadMessage<typeof Span.fields>
