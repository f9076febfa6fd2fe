/** Which unit the name of a field tells, and which names tell none. */
import { expect, test } from '@jest/globals'
import { unitOfField } from '../src/unit.ts'

test.each([
  ['duration_ms', 'ms'],
  ['durationMs', 'ms'],
  ['took-ms', 'ms'],
  ['http.response_time_ms', 'ms'],
  ['elapsedUs', 'us'],
  ['latency_ns_p99', 'ns'],
  ['http_request_duration_seconds_sum', 's'],
  ['latency_s', 's'],
  ['bytes', 'bytes'],
  ['body_bytes_sent', 'bytes'],
  ['responseBytes', 'bytes'],
  ['cpu_percent', 'percent'],
  ['http.server.request.duration', 's'],
  ['attributes.http.server.request.duration', 's'],
  ['http.server.duration', 'ms'],
  ['db.client.operation.duration', 's'],
  ['gen_ai.client.operation.duration', 's'],
  ['http.request.body.size', 'bytes'],
  ['process.memory.usage', 'bytes'],
  ['system.cpu.utilization', 'fraction'],
])('%s is a number of %s', (name, unit) => {
  expect(unitOfField(name)).toBe(unit)
})

test.each([
  'duration',
  'status',
  'items',
  'is',
  's',
  'class_s',
  'bytes_per_second',
  'requests_per_second',
  'items.count',
  'forms',
  'params',
])('the name %s tells none', (name) => {
  expect(unitOfField(name)).toBeUndefined()
})

test('the length of a span of a trace is nanoseconds', () => {
  expect(unitOfField('duration', (name) => ['trace_id', 'span_id'].includes(name))).toBe('ns')
})
