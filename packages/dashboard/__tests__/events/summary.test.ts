/** Events in one line, their times, and values as texts. */
import { expect, test } from '@jest/globals'
import { formatEventTime } from '../../src/events/event-time.ts'
import { flatten } from '../../src/events/flatten.ts'
import { queryDatasets } from '../../src/events/source.ts'
import { formatEvent, summarizeEvent, writeFieldValue } from '../../src/events/summary.ts'

const event = (data: Record<string, unknown>) => ({ _time: '2026-01-01T00:00:00.000000001Z', _sysTime: '', _rowId: 'x', data })

test('a summary names fields and clips their values', () => {
  expect(summarizeEvent(flatten({ status: 500, geo: { city: 'Rome' }, text: 'x'.repeat(100_000) }))).toEqual([
    { name: 'status', value: '500' },
    { name: 'geo.city', value: 'Rome' },
    { name: 'text', value: `${'x'.repeat(79)}…` },
  ])
})

test('a summary of many fields ends where a line does', () => {
  const data = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field${n}`, n]))
  expect(summarizeEvent(flatten(data)).length).toBeLessThan(80)
})

test('every digit is kept, in values and in the event as JSON', () => {
  const big = 9007199254740993n
  expect(writeFieldValue([big, { a: 1 }])).toBe('[9007199254740993,{"a":1}]')
  expect(formatEvent(event({ n: big, _source: 'web' }))).toBe(
    '{\n  "_time": "2026-01-01T00:00:00.000000001Z",\n  "n": 9007199254740993\n}',
  )
})

test('times have milliseconds, whatever the fraction', () => {
  const later = new Date('2027-03-01T00:00:00Z')
  expect(formatEventTime('2026-01-31T12:00:00Z', 'UTC', later)).toBe('31 Jan 2026, 12:00:00.000')
  expect(formatEventTime('2026-01-31T12:00:00.123999999Z', 'UTC', later)).toBe('31 Jan 2026, 12:00:00.123')
  expect(formatEventTime('soon', 'UTC')).toBe('soon')
})

test('times of this year do not say which year it is', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  expect(formatEventTime('2026-01-31T12:00:00Z', 'UTC', now)).toBe('31 Jan, 12:00:00.000')
  expect(formatEventTime('2025-12-31T23:59:59.999Z', 'UTC', now)).toBe('31 Dec 2025, 23:59:59.999')
})

test('events of several datasets say where they are from', () => {
  expect(queryDatasets([], [])).toBe('')
  expect(queryDatasets(['web'], [])).toBe("['web']")
  expect(queryDatasets(['web', 'api'], [])).toBe("union (['web'] | extend _source = 'web'), (['api'] | extend _source = 'api')")
})
