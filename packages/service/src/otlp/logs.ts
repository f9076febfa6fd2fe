/**
 * A log record as an event, under the names of OpenTelemetry's data model for logs.
 */
import type { Attributes } from './attributes.ts'
import { nameOf } from './json-text.ts'
import type { Members } from './members.ts'
import { LogRecord } from './messages.ts'
import { ABSENT, MessageFields } from './source.ts'

const F = LogRecord.fields
const record = new MessageFields(LogRecord)
const N = {
  observedTime: nameOf('observed_time'),
  severityNumber: nameOf('severity_number'),
  severityText: nameOf('severity_text'),
  body: nameOf('body'),
  eventName: nameOf('event_name'),
  traceId: nameOf('trace_id'),
  spanId: nameOf('span_id'),
  attributes: nameOf('attributes'),
  flags: nameOf('flags'),
  dropped: nameOf('dropped_attributes_count'),
}

/** @param end writes the rest of the event @throws WireError */
export function writeLogEvents(item: number, members: Members, attributes: Attributes, end: () => void): void {
  members.find(item, record)
  members.open()
  // Where a record does not say when it happened, the protocol has it that this is when it was seen.
  if (!members.time(members.digits(record, F.timeUnixNano))) members.time(members.digits(record, F.observedTimeUnixNano))
  members.ns(N.observedTime, record, F.observedTimeUnixNano)
  members.count(N.severityNumber, record, F.severityNumber)
  members.text(N.severityText, record, F.severityText)
  const body = record.at(F.body)
  if (body !== ABSENT) members.any(N.body, body)
  members.text(N.eventName, record, F.eventName)
  members.id(N.traceId, record, F.traceId)
  members.id(N.spanId, record, F.spanId)
  attributes.write(N.attributes, record.list(F.attributes), members)
  members.count(N.flags, record, F.flags)
  members.count(N.dropped, record, F.droppedAttributesCount)
  end()
}
