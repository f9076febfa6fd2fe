/** The spans of a trace as a tree: damaged ones are shown, too. */
import { expect, test } from '@jest/globals'
import { buildTrace, traceFilter } from '../../src/events/trace.ts'
import type { Event } from '../../src/service/query.ts'

const event = (time: string, data: Record<string, unknown>): Event => ({
  _time: time,
  _sysTime: time,
  _rowId: JSON.stringify(data),
  data,
})
const at = (micros: number) => `2026-01-31T12:00:00.${String(micros).padStart(6, '0')}000Z`
const told = (...events: Event[]) => buildTrace(events).spans.map(({ name, depth }) => `${' '.repeat(depth)}${name}`)
const span = (micros: number, span_id: string, parent_span_id: string, name = span_id) =>
  event(at(micros), { trace_id: 't', span_id, parent_span_id, name, duration: 1_000 })

test('each span follows its parent, and those of one parent follow one another as they began', () => {
  expect(told(span(3, 'c', 'a'), span(1, 'a', ''), span(2, 'b', 'a'), span(4, 'd', 'b'))).toEqual(['a', ' b', '  d', ' c'])
})

test('spans whose parent is missing, is themselves or is their own child are shown once', () => {
  expect(told(span(1, 'a', 'gone'), span(2, 'b', 'b'), span(3, 'c', 'd'), span(4, 'd', 'c'))).toEqual(['a', 'b', 'c', ' d'])
})

test('starts and lengths are to the nanosecond, in the unit of their field', () => {
  const { spans, lengthNs } = buildTrace([
    event('2026-01-31T12:00:00.000000001Z', { 'trace.id': 't', duration_ms: 1.5, message: 'slow', level: 'error' }),
    event('2026-01-31T12:00:00.000000003Z', { 'trace.id': 't', message: 'a line' }),
  ])
  expect(spans.map((one) => [one.name, one.startNs, one.lengthNs, one.isError])).toEqual([
    ['slow', 0, 1_500_000, true],
    ['a line', 2, 0, false],
  ])
  expect(lengthNs).toBe(1_500_000)
})

test('an event belongs to a trace by whichever name its field has', () => {
  expect(traceFilter(event(at(1), { trace: { id: "it's" } }))).toBe("trace.id == 'it\\'s'")
  expect(traceFilter(event(at(1), { traceId: '7' }))).toBe("traceId == '7'")
  expect(traceFilter(event(at(1), { trace_id: '', message: 'x' }))).toBeUndefined()
})
