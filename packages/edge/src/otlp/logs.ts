/**
 * A log record as an event, under the names of OpenTelemetry's data model for logs.
 */
import type { Attributes } from './attributes.ts'
import type { Message } from './levels.ts'
import { anyValue, count, hexId, type OwnMembers, text } from './values.ts'

/** @throws WireError */
export function logEvent(record: Message, attributes: Attributes): OwnMembers {
  const observedTime = count(record.observedTimeUnixNano, 'observedTimeUnixNano')
  return {
    // Where a record does not say when it happened, the protocol has it that this is when it was seen.
    timeNs: count(record.timeUnixNano, 'timeUnixNano') ?? observedTime,
    members: {
      observed_time: observedTime,
      severity_number: count(record.severityNumber, 'severityNumber'),
      severity_text: text(record.severityText, 'severityText'),
      body: record.body === undefined || record.body === null ? undefined : anyValue(record.body),
      event_name: text(record.eventName, 'eventName'),
      trace_id: hexId(record.traceId, 'traceId'),
      span_id: hexId(record.spanId, 'spanId'),
      attributes: attributes.place(record.attributes),
      flags: count(record.flags, 'flags'),
      dropped_attributes_count: count(record.droppedAttributesCount, 'droppedAttributesCount'),
    },
  }
}
