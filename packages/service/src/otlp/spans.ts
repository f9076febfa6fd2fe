/**
 * A span as an event, under the names that the hosted service gives (its public documentation, read 2026-11).
 */
import type { Attributes } from './attributes.ts'
import { nameOf } from './json-text.ts'
import type { Members } from './members.ts'
import { Span, SpanEvent, SpanLink, SpanStatus } from './messages.ts'
import { ABSENT, MessageFields } from './source.ts'

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const STATUS_CODES = [undefined, 'OK', 'ERROR']
const ERROR = 2

const F = Span.fields
const [span, status, spanEvent, link] = [
  new MessageFields(Span),
  new MessageFields(SpanStatus),
  new MessageFields(SpanEvent),
  new MessageFields(SpanLink),
]
const N = {
  traceId: nameOf('trace_id'),
  spanId: nameOf('span_id'),
  parentSpanId: nameOf('parent_span_id'),
  traceState: nameOf('trace_state'),
  name: nameOf('name'),
  kind: nameOf('kind'),
  duration: nameOf('duration'),
  error: nameOf('error'),
  status: nameOf('status'),
  code: nameOf('code'),
  message: nameOf('message'),
  attributes: nameOf('attributes'),
  events: nameOf('events'),
  links: nameOf('links'),
  flags: nameOf('flags'),
  timestamp: nameOf('timestamp'),
  droppedAttributes: nameOf('dropped_attributes_count'),
  droppedEvents: nameOf('dropped_events_count'),
  droppedLinks: nameOf('dropped_links_count'),
}

/** @param end writes the rest of the event @throws WireError */
export function writeSpanEvents(item: number, members: Members, attributes: Attributes, end: () => void): void {
  members.find(item, span)
  members.open()
  const [from, to] = [members.digits(span, F.startTimeUnixNano), members.digits(span, F.endTimeUnixNano)]
  members.time(from)
  members.id(N.traceId, span, F.traceId)
  members.id(N.spanId, span, F.spanId)
  members.id(N.parentSpanId, span, F.parentSpanId)
  members.text(N.traceState, span, F.traceState)
  members.text(N.name, span, F.name)
  const kind = members.int(span, F.kind)
  members.plain(N.kind, `"${KINDS[kind] ?? kind}"`)
  // In nanoseconds, as the literals of the query language count (`duration > 1s`).
  if (from !== '0' && to !== '0') members.plain(N.duration, String(BigInt(to) - BigInt(from)))
  writeStatus(members)
  attributes.write(N.attributes, span.list(F.attributes), members)
  members.array(N.events, span.list(F.events), (at) => writeEvent(at, members))
  members.array(N.links, span.list(F.links), (at) => writeLink(at, members))
  members.count(N.flags, span, F.flags)
  members.count(N.droppedAttributes, span, F.droppedAttributesCount)
  members.count(N.droppedEvents, span, F.droppedEventsCount)
  members.count(N.droppedLinks, span, F.droppedLinksCount)
  end()
}

function writeStatus(members: Members): void {
  const at = span.at(F.status)
  if (at === ABSENT) {
    members.plain(N.error, 'false')
    return
  }
  const { fields } = SpanStatus
  members.find(at, status)
  const code = members.int(status, fields.code)
  members.plain(N.error, String(code === ERROR))
  members.object(N.status, () => {
    if (code !== 0) members.plain(N.code, `"${STATUS_CODES[code] ?? code}"`)
    members.text(N.message, status, fields.message)
  })
}

function writeEvent(at: number, members: Members): void {
  const { fields } = SpanEvent
  members.find(at, spanEvent)
  members.open()
  members.ns(N.timestamp, spanEvent, fields.timeUnixNano)
  members.text(N.name, spanEvent, fields.name)
  members.pairs(N.attributes, spanEvent.list(fields.attributes))
  members.count(N.droppedAttributes, spanEvent, fields.droppedAttributesCount)
  members.close()
}

function writeLink(at: number, members: Members): void {
  const { fields } = SpanLink
  members.find(at, link)
  members.open()
  members.id(N.traceId, link, fields.traceId)
  members.id(N.spanId, link, fields.spanId)
  members.text(N.traceState, link, fields.traceState)
  members.pairs(N.attributes, link.list(fields.attributes))
  members.count(N.flags, link, fields.flags)
  members.count(N.droppedAttributes, link, fields.droppedAttributesCount)
  members.close()
}
