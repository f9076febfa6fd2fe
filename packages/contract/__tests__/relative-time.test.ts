/** Relative times: what is one, and which instant it stands for. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { UNIT_NS } from '../src/duration.ts'
import { endOfMillisecond, parseRelativeTime, withinYears } from '../src/relative-time.ts'
import { formatTimestamp, parseTimestamp } from '../src/timestamp.ts'

const NOW_NS = parseTimestamp('2026-01-31T12:00:00.123456789Z') as bigint

test.each([
  ['now', '2026-01-31T12:00:00.123456789Z'],
  ['now-20s', '2026-01-31T11:59:40.123456789Z'],
  ['now - 20s', '2026-01-31T11:59:40.123456789Z'],
  ['now \t-  90m', '2026-01-31T10:30:00.123456789Z'],
  ['now+1h', '2026-01-31T13:00:00.123456789Z'],
  ['now-1d', '2026-01-30T12:00:00.123456789Z'],
  ['now-0001w', '2026-01-24T12:00:00.123456789Z'],
  ['now-999999999w', '0001-01-01T00:00:00Z'],
  ['now+999999999w', '9999-01-01T00:00:00Z'],
])('%j is %s', (text, time) => {
  expect(formatTimestamp(parseRelativeTime(text, NOW_NS) as bigint)).toBe(time)
})

test.each([
  '',
  'Now',
  ' now',
  'now ',
  'now-1h ',
  'now-',
  'now-h',
  'now-1',
  'now-1H',
  'now-1 h',
  'now-1.5h',
  'now-1h30m',
  'now-1ms',
  'now--1h',
  'now-1234567890s',
  '-1h',
  '2026-01-31',
])('%j is none', (text) => expect(parseRelativeTime(text, NOW_NS)).toBeUndefined())

test('any distance is kept to the nanosecond, within the years that can be written', () => {
  const parts = { sign: fc.constantFrom(1n, -1n), count: fc.nat(999_999_999), unit: fc.constantFrom('s', 'm', 'h', 'd', 'w') }
  fc.assert(
    fc.property(fc.record(parts), fc.constantFrom('', ' ', '  '), ({ sign, count, unit }, blank) => {
      const text = `now${blank}${sign < 0n ? '-' : '+'}${blank}${count}${unit}`
      const wanted = NOW_NS + sign * BigInt(count) * UNIT_NS[unit as keyof typeof UNIT_NS]
      expect(parseRelativeTime(text, NOW_NS)).toBe(withinYears(wanted))
    }),
  )
})

test('now is the end of its millisecond', () => {
  expect(endOfMillisecond(1_769_860_800_123)).toBe(1_769_860_800_124_000_000n)
})
