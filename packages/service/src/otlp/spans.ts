/**
 * A span as an event, under the names that the hosted service gives (its public documentation, read 2026-11).
 */
import type { Attributes } from './attributes.ts'
import { arrayText, countText, hexText, joinMembers, nsText, objectText, pairsText, stringText, timeText } from './json-text.ts'
import { Span, type SpanMessage } from './messages.ts'
import type { RawMessage } from './wire.ts'

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const STATUS_CODES = [undefined, 'OK', 'ERROR']
const ERROR = 2

/** @returns the members of the event @throws WireError */
export function spanEvents(raw: RawMessage, attributes: Attributes): string[] {
  const span = Span.read(raw)
  const { kind = 0, status } = span
  const members = joinMembers([
    ['_time', timeText(span.startTimeUnixNano)],
    ['trace_id', hexText(span.traceId)],
    ['span_id', hexText(span.spanId)],
    ['parent_span_id', hexText(span.parentSpanId)],
    ['trace_state', stringText(span.traceState)],
    ['name', stringText(span.name)],
    ['kind', JSON.stringify(KINDS[kind] ?? String(kind))],
    ['duration', durationText(span)],
    ['error', String(status?.code === ERROR)],
    [
      'status',
      objectText([
        ['code', status?.code ? JSON.stringify(STATUS_CODES[status.code] ?? String(status.code)) : undefined],
        ['message', stringText(status?.message)],
      ]),
    ],
    ['attributes', attributes.text(span.attributes)],
    ['events', arrayText(span.events?.map(eventText))],
    ['links', arrayText(span.links?.map(linkText))],
    ['flags', countText(span.flags)],
    ['dropped_attributes_count', countText(span.droppedAttributesCount)],
    ['dropped_events_count', countText(span.droppedEventsCount)],
    ['dropped_links_count', countText(span.droppedLinksCount)],
  ])
  return [members]
}

/** In nanoseconds, as the literals of the query language count (`duration > 1s`). */
function durationText({ startTimeUnixNano: start, endTimeUnixNano: end }: SpanMessage): string | undefined {
  const [from, to] = [nsText(start), nsText(end)]
  return from === undefined || to === undefined ? undefined : String(BigInt(to) - BigInt(from))
}

type SpanEvent = NonNullable<SpanMessage['events']>[number]
type SpanLink = NonNullable<SpanMessage['links']>[number]

function eventText({ timeUnixNano, name, attributes, droppedAttributesCount }: SpanEvent): string {
  return `{${joinMembers([
    ['timestamp', nsText(timeUnixNano)],
    ['name', stringText(name)],
    ['attributes', pairsText(attributes)],
    ['dropped_attributes_count', countText(droppedAttributesCount)],
  ])}}`
}

function linkText({ traceId, spanId, traceState, attributes, droppedAttributesCount, flags }: SpanLink): string {
  return `{${joinMembers([
    ['trace_id', hexText(traceId)],
    ['span_id', hexText(spanId)],
    ['trace_state', stringText(traceState)],
    ['attributes', pairsText(attributes)],
    ['flags', countText(flags)],
    ['dropped_attributes_count', countText(droppedAttributesCount)],
  ])}}`
}
