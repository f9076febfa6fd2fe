/** Durations: as Go writes them, and as people are told. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatDuration, parseDuration, UNIT_MS, UNIT_NS } from '../src/duration.ts'

test.each([
  ['720h', 720n * UNIT_NS.h],
  ['1h30m', 90n * UNIT_NS.m],
  ['7d', 7n * UNIT_NS.d],
  ['720h0m0s', 720n * UNIT_NS.h],
  ['1ms', UNIT_NS.ms],
  ['1m1ms1s', 61n * UNIT_NS.s + UNIT_NS.ms],
  ['1us', 1_000n],
  ['1\u00b5s', 1_000n],
  ['1\u03bcs', 1_000n],
  ['0s', 0n],
])('%j is a duration', (text, ns) => {
  expect(parseDuration(text)).toBe(ns)
})

test.each(['', '1', 'h', '1.5h', '-1h', '1 h', '1h ', '1h,30m', '1w', '1H', '1234567890s', '1constructor'])(
  '%j is none',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test('the parts of a duration add up', () => {
  const part = fc.tuple(fc.nat(999_999_999), fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h', 'd'))
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      const wanted = parts.reduce((sum, [count, unit]) => sum + BigInt(count) * UNIT_NS[unit as keyof typeof UNIT_NS], 0n)
      expect(parseDuration(parts.flat().join(''))).toBe(wanted)
    }),
  )
})

test('milliseconds and nanoseconds of a unit are the same time', () => {
  for (const [unit, ms] of Object.entries(UNIT_MS)) expect(BigInt(ms) * UNIT_NS.ms).toBe(UNIT_NS[unit as keyof typeof UNIT_NS])
})

const TEXTS = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8')) as [ms: number, text: string][]

test.each(TEXTS)('%d ms is told as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
