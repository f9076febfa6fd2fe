/** The time of an event is read as the contract reads it, whichever of the two readers sees it. */
import { isStorable, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readEventTime } from '../src/scan/event-time.ts'

/** @returns nanoseconds, or `undefined` where the time is refused */
function read(text: string): string | undefined {
  const bytes = Buffer.from(`{"_time":${JSON.stringify(text)}}`)
  const time = readEventTime(bytes, { from: 9, to: bytes.length - 1 }, undefined, false)
  if (typeof time !== 'string') return time?.toString()
  expect(time).toMatch(/^the time /)
  return undefined
}

function readByContract(text: string): string | undefined {
  const ns = parseTimestamp(text)
  return ns !== undefined && isStorable(ns) ? ns.toString() : undefined
}

const two = (max: number) => fc.nat(max).map((n) => String(n).padStart(2, '0'))

test('plain times of any day are read alike, days that do not exist included', () => {
  const time = fc
    .tuple(
      fc.oneof(fc.integer({ min: 1960, max: 2270 }), fc.constantFrom(1970, 2000, 2024, 2100, 2261, 2262)),
      two(13),
      fc.oneof(two(32), fc.constantFrom('28', '29', '30', '31')),
      two(24),
      two(60),
      two(61),
      fc.oneof(
        fc.constant(''),
        fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 10 }).map((digits) => `.${digits}`),
      ),
      fc.constantFrom('Z', 'Z', 'Z', 'z', '', '+00:00'),
    )
    .map(
      ([year, month, day, hour, minute, second, fraction, zone]) =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
    )
  fc.assert(
    fc.property(time, (text) => expect(read(text)).toBe(readByContract(text))),
    { numRuns: 5_000 },
  )
})

test('a plain time with one character changed is read alike', () => {
  const plain = '2024-02-29T12:34:56.789Z'
  fc.assert(
    fc.property(fc.nat(plain.length - 1), fc.string({ unit: 'binary-ascii', minLength: 0, maxLength: 2 }), (at, put) => {
      const text = plain.slice(0, at) + put + plain.slice(at + 1)
      expect(read(text)).toBe(readByContract(text))
    }),
    { numRuns: 2_000 },
  )
})

test('every day from 1970 to 2261 is the same day to both', () => {
  for (let ms = 0; ms < Date.UTC(2262, 0, 1); ms += 86_400_000) {
    const text = `${new Date(ms).toISOString().slice(0, 10)}T00:00:00Z`
    if (read(text) !== readByContract(text)) throw new Error(`${text}: ${read(text)}, not ${readByContract(text)}`)
  }
})
