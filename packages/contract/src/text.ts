/**
 * Texts as the contract measures and cuts them, in code points and never within a character as people see it; and as a part of a path.
 * Deliberately not here: quoting, and what is done to characters that cannot be seen, which differ from one place to the next.
 */

/** @returns the length of a text as the contract counts it: code points, not UTF-16 units */
export function countPoints(text: string): number {
  let points = 0
  for (const _ of text) points++
  return points
}

/** Texts whose every unit is a character of its own. */
const SIMPLE = /^[\x20-\x7e]*$/

let segmenter: Intl.Segmenter | undefined

/**
 * @returns the text; if it is longer than `pointsMax` code points, its beginning and `…`, together not longer than that
 *   (shorter if the cut would go through a character that has several code points, such as a flag or a family)
 */
export function cutText(text: string, pointsMax: number): string {
  if (text.length <= pointsMax) return text
  // A code point has at most two UTF-16 units, so this slice has at least `pointsMax + 1` code points if the text is too long.
  const beginning = text.slice(0, 2 * (pointsMax + 1))
  if (SIMPLE.test(beginning)) return `${text.slice(0, pointsMax - 1)}…`
  if (countPoints(beginning) <= pointsMax) return text
  segmenter ??= new Intl.Segmenter()
  let end = 0
  let points = 1
  for (const { segment, index } of segmenter.segment(beginning)) {
    points += countPoints(segment)
    if (points > pointsMax) break
    end = index + segment.length
  }
  return `${text.slice(0, end)}…`
}

/**
 * @returns the text as one segment of a URL's path; half a surrogate pair, which cannot be written in UTF-8 and occurs in no name or
 *   id, becomes U+FFFD
 */
export function toSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
