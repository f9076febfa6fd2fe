/** Shortens the title on the button of a mark. Pure. */

/** @returns the width of a text in pixels */
export type Measure = (text: string) => number

/** Fewer letters of a title or its version would say nothing. */
const LETTERS_MIN = 2
const VERSION_LETTERS_MIN = 3

/**
 * Shortens a title and keeps its version, which is the last word with a digit, whole if possible.
 * @param room in pixels
 * @returns the part that fits; if the version alone is too long, the end that tells it from the one before; empty if nothing fits
 */
export function fitTitle(title: string, room: number, measure: Measure): string {
  const fits = (text: string) => measure(text) <= room
  if (fits(title)) return title
  const start = longest(LETTERS_MIN, title, (part) => `${part.trimEnd()}…`, fits)
  const version = title.split(/\s+/).findLast((word) => /\d/.test(word))
  if (version === undefined || version.length === 1 || start.includes(version)) return start
  const name = title.slice(0, title.lastIndexOf(version)).trimEnd()
  const both = longest(LETTERS_MIN, name, (part) => `${part.trimEnd()}… ${version}`, fits)
  if (both !== '') return both
  if (fits(version)) return version
  // People know the start of a commit's hash; of a dotted version, the last number that is not zero has changed.
  const numbers = version.split('.')
  if (numbers.length === 1) return longest(VERSION_LETTERS_MIN, version, (part) => `${part}…`, fits)
  const changed = numbers.findLastIndex((number) => Number(number) !== 0)
  const end = `.${numbers.slice(changed).join('.')}`
  return changed > 0 && fits(end) ? end : ''
}

/** @returns the text with the longest start of `whole` that fits; empty if fewer letters than `lettersMin` fit */
function longest(lettersMin: number, whole: string, write: (part: string) => string, fits: (text: string) => boolean): string {
  // Splits by code points, so that no letter is cut in two.
  const letters = [...whole]
  const textOf = (count: number) => write(letters.slice(0, count).join(''))
  let [most, tooMany] = [lettersMin - 1, letters.length]
  while (tooMany - most > 1) {
    const count = (most + tooMany) >> 1
    if (fits(textOf(count))) most = count
    else tooMany = count
  }
  return most < lettersMin ? '' : textOf(most)
}
