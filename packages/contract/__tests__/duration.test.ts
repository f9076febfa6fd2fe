/** Durations: as Go writes them, and as people are told. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatDuration, parseDuration, UNIT_MS, UNIT_NS } from '../src/duration.ts'

const CASES = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8')) as {
  read: [text: string, ns: string][]
  refused: string[]
  written: [ms: number, text: string][]
}

test.each(CASES.read)('%j is a duration', (text, ns) => {
  expect(String(parseDuration(text))).toBe(ns)
})

test.each(CASES.refused)('%j is none', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

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

test.each(CASES.written)('%d ms is told as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
