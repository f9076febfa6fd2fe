/**
 * A log record as an event, under the names of OpenTelemetry's data model for logs.
 */
import type { Attributes } from './attributes.ts'
import { countText, hexText, joinMembers, nsText, stringText, timeText, valueText } from './json-text.ts'
import { LogRecord } from './messages.ts'
import type { RawMessage } from './wire.ts'

/** @returns the members of the event @throws WireError */
export function logEvents(raw: RawMessage, attributes: Attributes): string[] {
  const record = LogRecord.read(raw)
  const members = joinMembers([
    // Where a record does not say when it happened, the protocol has it that this is when it was seen.
    ['_time', timeText(record.timeUnixNano) ?? timeText(record.observedTimeUnixNano)],
    ['observed_time', nsText(record.observedTimeUnixNano)],
    ['severity_number', countText(record.severityNumber)],
    ['severity_text', stringText(record.severityText)],
    ['body', record.body && valueText(record.body)],
    ['event_name', stringText(record.eventName)],
    ['trace_id', hexText(record.traceId)],
    ['span_id', hexText(record.spanId)],
    ['attributes', attributes.text(record.attributes)],
    ['flags', countText(record.flags)],
    ['dropped_attributes_count', countText(record.droppedAttributesCount)],
  ])
  return [members]
}
