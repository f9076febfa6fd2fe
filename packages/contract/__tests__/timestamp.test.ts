import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatTimestamp, isStorable, parseTimestamp } from '../src/timestamp.ts'

const read = (text: string) => {
  const ns = parseTimestamp(text)
  return ns === undefined ? undefined : formatTimestamp(ns)
}

test.each([
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['2026-01-01t00:00:00z', '2026-01-01T00:00:00Z'],
  ['2026-01-01 00:00:00Z', '2026-01-01T00:00:00Z'],
  ['2026-01-01T00:00:00', '2026-01-01T00:00:00Z'],
  ['2026-01-01', '2026-01-01T00:00:00Z'],
  ['20260101T000000Z', '2026-01-01T00:00:00Z'],
  ['2026-01-01T00:00Z', '2026-01-01T00:00:00Z'],
  ['2026-01-01T00:00:00.120Z', '2026-01-01T00:00:00.12Z'],
  ['2026-01-01T00:00:00,5Z', '2026-01-01T00:00:00.5Z'],
  ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'],
  ['2026-01-01T00:00:00.123+05:30', '2025-12-31T18:30:00.123Z'],
  ['2026-01-01T00:00:00-12:00', '2026-01-01T12:00:00Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
  ['2017-01-01T05:29:60+05:30', '2016-12-31T23:59:59Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['1677-09-21T00:12:43.5Z', '1677-09-21T00:12:43.5Z'],
])('%s is %s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  '',
  'now',
  '12',
  '2026',
  '2026-01',
  '20260101',
  '2026-1-1',
  '2026-02-29',
  '1900-02-29T00:00:00Z',
  '2026-13-01',
  '2026-01-00',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T12:00:60Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00.1234567890Z',
  '2026-01-01T00:00:00+24:00',
  ' 2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z\n',
  '2026-01-01T00:00:00UTC',
  '２０２６-01-01T00:00:00Z',
  'Thu, 01 Jan 2026 00:00:00 GMT',
  '1767225600',
  '2026-01-01T00:00:00Z[UTC]',
])('%j is not a timestamp', (text) => {
  expect(read(text)).toBeUndefined()
})

test('every nanosecond that can be stored survives being written and read', () => {
  const storable = fc.bigInt({ min: -2_208_988_800_000_000_000n, max: 9_223_372_036_854_775_807n })
  fc.assert(
    fc.property(storable, (ns) => isStorable(ns) && parseTimestamp(formatTimestamp(ns)) === ns),
    { numRuns: 2_000 },
  )
})

const vectors = new URL('../../../../shared/corpora/timestamp-vectors.json', import.meta.url)
const testWithVectors = existsSync(vectors) ? test : test.skip
testWithVectors('every RFC 3339 text of the vectors is read as a strict implementation reads it', () => {
  const rows = JSON.parse(readFileSync(vectors, 'utf8')) as { s: string; rfc3339: boolean; temporalInstant: string | null }[]
  const strict = rows.filter((row) => row.rfc3339 && row.temporalInstant !== null && !row.temporalInstant.startsWith('+'))
  expect(strict.length).toBeGreaterThan(20)
  expect(strict.map((row) => [row.s, read(row.s)])).toEqual(strict.map((row) => [row.s, row.temporalInstant]))
})
