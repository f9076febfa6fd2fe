/**
 * The events of the ingest benchmark as clients of other protocols send them: log records of OTLP in protobuf, and documents of
 * Elasticsearch's bulk API.
 */
import { LOGS } from '../packages/service/src/otlp/messages.ts'
import { makeLogEvent } from './ingest-load.ts'

type LogEvent = Record<string, string | number> & { _time: string; message: string; level: string }

const eventsOf = (from: number, count: number, now: number) =>
  Array.from({ length: count }, (_, i) => JSON.parse(makeLogEvent(from + i, now)) as LogEvent)

/** The message is the body of a record, and the rest of the event its attributes. */
export function makeOtlpLogs(from: number, count: number, now: number): Buffer {
  const logRecords = eventsOf(from, count, now).map(({ _time, message, level, ...rest }) => ({
    timeUnixNano: Date.parse(_time) * 1_000_000,
    severityText: level,
    body: { stringValue: message },
    attributes: Object.entries(rest).map(([key, value]) => ({ key, value: anyValueOf(value) })),
  }))
  const scopeLogs = [{ scope: { name: 'bench' }, logRecords }]
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  return Buffer.from(LOGS.request.encode({ resourceLogs: [{ resource, scopeLogs }] }))
}

function anyValueOf(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value }
}

export function makeBulk(from: number, count: number, now: number): Buffer {
  const lines = eventsOf(from, count, now).map(
    ({ _time, ...rest }) => `{"create":{}}\n${JSON.stringify({ '@timestamp': _time, ...rest })}\n`,
  )
  return Buffer.from(lines.join(''))
}
