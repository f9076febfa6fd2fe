/** Relative times: what is one, and which instant it stands for. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { UNIT_NS } from '../src/duration.ts'
import { endOfMillisecond, parseRelativeTime, withinYears } from '../src/relative-time.ts'
import { formatTimestamp, parseTimestamp } from '../src/timestamp.ts'

const CASES = JSON.parse(readFileSync(new URL('relative-times.json', import.meta.url), 'utf8')) as {
  /** By the text, the time that it stands for at `NOW_NS`. */
  times: Record<string, string>
  /** Texts that are no relative time. */
  others: string[]
}
const NOW_NS = parseTimestamp('2026-01-31T12:00:00.123456789Z') as bigint

test.each(Object.entries(CASES.times))('%j is %s', (text, time) => {
  expect(formatTimestamp(parseRelativeTime(text, NOW_NS) as bigint)).toBe(time)
})

test.each(CASES.others)('%j is none', (text) => expect(parseRelativeTime(text, NOW_NS)).toBeUndefined())

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
