/**
 * JSON whose integers survive: those that a double cannot hold are `bigint`, in both directions. Decimals become what JSON.parse makes
 * of them, because the service stores them in 64 bits as well.
 * Versions of Node and browsers differ in whether they give the text of a number (`context.source`, `JSON.rawJSON`), and a function that
 * is called for every value is slow; so such integers cross JSON.parse and JSON.stringify as strings after a mark that no other string has.
 * Deliberately not here: which error a caller makes of a text that is not JSON.
 */

/** Matches every integer beyond 2^53, and others; the digits of a decimal and of an exponent are left out. */
const MAY_BE_BIG = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

const MARK = '\uE000'
/** The character of the mark and the escape that reads back to it. */
const MARKS = /(?:\uE000|\\u[eE]000)+/g

/** @throws SyntaxError as JSON.parse does */
export function parseExact(text: string): unknown {
  const rounded: unknown = JSON.parse(text)
  const integers = findBigIntegers(text)
  if (integers.length === 0) return rounded
  const mark = chooseMark(text)
  const parts: string[] = []
  let copied = 0
  for (const { start, end } of integers) {
    parts.push(text.slice(copied, start), '"', mark, text.slice(start, end), '"')
    copied = end
  }
  parts.push(text.slice(copied))
  return readMarks(JSON.parse(parts.join('')), mark)
}

/**
 * @param indent spaces per level, for a text that people read
 * @throws TypeError for what cannot be JSON: a function, a value that contains itself
 */
export function stringifyExact(value: unknown, indent?: number): string {
  const first = stringifyMarked(value, MARK, indent)
  if (first.integers === 0) return first.text
  // If texts of the value contain the mark as well, a longer one is used.
  const isOurs = first.text.split(MARK).length - 1 === first.integers
  const mark = isOurs ? MARK : chooseMark(first.text)
  const { text } = isOurs ? first : stringifyMarked(value, mark, indent)
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

function stringifyMarked(value: unknown, mark: string, indent: number | undefined): { text: string; integers: number } {
  let integers = 0
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      if (typeof item !== 'bigint') return item
      integers++
      return mark + item
    },
    indent,
  )
  if (text === undefined) throw new TypeError(`${typeof value} is not a JSON value`)
  return { text, integers }
}

/** @param text valid JSON @returns where integers beyond 2^53 are, outside of strings */
function findBigIntegers(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let quote = text.indexOf('"')
  let stringEnd = -1
  for (const match of text.matchAll(MAY_BE_BIG)) {
    const [digits] = match
    while (quote !== -1 && quote < match.index) {
      stringEnd = findStringEnd(text, quote)
      quote = text.indexOf('"', stringEnd)
    }
    if (match.index < stringEnd || Number.isSafeInteger(Number(digits))) continue
    found.push({ start: match.index, end: match.index + digits.length })
  }
  return found
}

/** @returns the index after the closing quote of the string that opens at `quote` */
function findStringEnd(text: string, quote: number): number {
  for (let at = text.indexOf('"', quote + 1); ; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
}

/** @returns more marks in a row than the text has anywhere */
function chooseMark(text: string): string {
  let longest = 0
  for (const [run] of text.matchAll(MARKS)) longest = Math.max(longest, run.replace(/\\u[eE]000/g, MARK).length)
  return MARK.repeat(longest + 1)
}

/** Puts integers in the place of strings that begin with the mark; without recursion, for any depth that JSON.parse takes. */
function readMarks(parsed: unknown, mark: string): unknown {
  const root = [parsed]
  const open: object[] = [root]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const members = one as Record<string, unknown>
    for (const key of Object.keys(members)) {
      const value = members[key]
      if (typeof value === 'object' && value !== null) open.push(value)
      else if (typeof value === 'string' && value.startsWith(mark)) members[key] = BigInt(value.slice(mark.length))
    }
  }
  return root[0]
}
