/** Texts are measured in code points and cut between characters as people see them. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { countPoints, cutText } from '../src/text.ts'

/** Texts, how many code points there may be, and what is kept. */
const CUTS = JSON.parse(readFileSync(new URL('cuts.json', import.meta.url), 'utf8')) as [string, number, string][]

test.each(CUTS)('%j within %d is %j', (text, pointsMax, kept) => {
  expect(cutText(text, pointsMax)).toBe(kept)
})

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '\r', '\n', '\u0301', '\u200d', '👩', '💻', '🇨', '🇭', '한', '\ud800', '\udc00'),
    fc.string({ unit: 'binary' }),
  ),
  maxLength: 60,
})

test('a cut text fits, and its beginning ends where a character of the whole text does', () => {
  const ends = (text: string) =>
    new Set([0, ...[...new Intl.Segmenter().segment(text)].map(({ segment, index }) => index + segment.length)])
  fc.assert(
    fc.property(anyText, fc.nat(40), (text, more) => {
      const pointsMax = more + 1
      const kept = cutText(text, pointsMax)
      if (countPoints(text) <= pointsMax) return expect(kept).toBe(text)
      expect(countPoints(kept)).toBeLessThanOrEqual(pointsMax)
      expect(kept.endsWith('…') && text.startsWith(kept.slice(0, -1))).toBe(true)
      const end = kept.length - 1
      expect(ends(text)).toContain(end)
      // And no later end would have done.
      const next = [...ends(text)].find((one) => one > end) ?? text.length
      expect(countPoints(text.slice(0, next)) + 1).toBeGreaterThan(pointsMax)
    }),
    { numRuns: 1_000 },
  )
})
