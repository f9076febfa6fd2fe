import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatTimestamp, isStorable, parseTimestamp } from '../src/timestamp.ts'

/** Texts beside what they are read as, and texts that are refused. */
const TEXTS = JSON.parse(readFileSync(new URL('./timestamps.json', import.meta.url), 'utf8')) as {
  read: [text: string, timestamp: string][]
  refused: string[]
}

const read = (text: string) => {
  const ns = parseTimestamp(text)
  return ns === undefined ? undefined : formatTimestamp(ns)
}

test.each(TEXTS.read)('%s is %s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each(TEXTS.refused)('%j is not a timestamp', (text) => {
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
