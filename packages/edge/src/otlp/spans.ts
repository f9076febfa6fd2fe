/**
 * A span as an event, under the names that the hosted service gives (its public documentation, read 2026-11).
 */
import type { EventMembers } from '@deployment-annotations/event-store/scan/event-text'
import type { Attributes } from './attributes.ts'
import type { Message } from './levels.ts'
import { count, filled, hexId, listOf, message, type OwnMembers, pairs, text, whole } from './values.ts'

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const STATUS_CODES = [undefined, 'OK', 'ERROR']
const ERROR = 2n

/** @throws WireError */
export function spanEvent(span: Message, attributes: Attributes): OwnMembers {
  const from = whole(span.startTimeUnixNano, 'startTimeUnixNano')
  const to = whole(span.endTimeUnixNano, 'endTimeUnixNano')
  const kind = whole(span.kind, 'kind')
  const status = message(span.status, 'status')
  const code = whole(status.code, 'code')
  return {
    timeNs: from || undefined,
    members: {
      trace_id: hexId(span.traceId, 'traceId'),
      span_id: hexId(span.spanId, 'spanId'),
      parent_span_id: hexId(span.parentSpanId, 'parentSpanId'),
      trace_state: text(span.traceState, 'traceState'),
      name: text(span.name, 'name'),
      kind: KINDS[Number(kind)] ?? String(kind),
      // In nanoseconds, as the literals of the query language count (`duration > 1s`).
      duration: from && to ? to - from : undefined,
      error: code === ERROR,
      status: filled({
        code: code ? (STATUS_CODES[Number(code)] ?? String(code)) : undefined,
        message: text(status.message, 'message'),
      }),
      attributes: attributes.place(span.attributes),
      events: listOf(span.events, 'events', eventMembers),
      links: listOf(span.links, 'links', linkMembers),
      flags: count(span.flags, 'flags'),
      dropped_attributes_count: count(span.droppedAttributesCount, 'droppedAttributesCount'),
      dropped_events_count: count(span.droppedEventsCount, 'droppedEventsCount'),
      dropped_links_count: count(span.droppedLinksCount, 'droppedLinksCount'),
    },
  }
}

function eventMembers(value: unknown): EventMembers {
  const event = message(value, 'Event')
  return {
    timestamp: count(event.timeUnixNano, 'timeUnixNano'),
    name: text(event.name, 'name'),
    attributes: pairs(event.attributes, 'attributes'),
    dropped_attributes_count: count(event.droppedAttributesCount, 'droppedAttributesCount'),
  }
}

function linkMembers(value: unknown): EventMembers {
  const link = message(value, 'Link')
  return {
    trace_id: hexId(link.traceId, 'traceId'),
    span_id: hexId(link.spanId, 'spanId'),
    trace_state: text(link.traceState, 'traceState'),
    attributes: pairs(link.attributes, 'attributes'),
    flags: count(link.flags, 'flags'),
    dropped_attributes_count: count(link.droppedAttributesCount, 'droppedAttributesCount'),
  }
}
