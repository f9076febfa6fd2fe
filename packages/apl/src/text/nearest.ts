/**
 * The nearest existing name to one that does not exist.
 * Deliberately not here: any choice made for the author; the name is only shown in a hint.
 */
import type { Guess } from '../error.ts'

/** More candidates than this are not compared: a hint must not cost more than the compilation. */
const CANDIDATES_MAX = 2_000

/** A name as a query has it; what is not plain is quoted. */
export const writeName = (name: string) =>
  /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(name) ? name : `['${name.replace(/[\\']/g, '\\$&')}']`

/** A text as a query has it. */
export const writeText = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** A word of the language, which is never quoted. */
export const guessWord = (word: string, candidates: Iterable<string>): Guess | undefined =>
  guessName(word, candidates, (found) => found)

/** The first word of a closed set that begins so: `left` for `leftouter`. */
export function guessStart(start: string, words: readonly string[]): Guess | undefined {
  const found = start.length > 2 ? words.find((word) => word.startsWith(start.toLowerCase())) : undefined
  return found === undefined ? undefined : { hint: `did you mean "${found}"?`, written: found }
}

/** The candidate closest to `name`, or `undefined` where none is close. */
export function guessName(name: string, candidates: Iterable<string>, write = writeName): Guess | undefined {
  const wanted = name.slice(0, 64).toLowerCase()
  let best: string | undefined
  let bestDistance = slipOf(wanted) + 1
  let left = CANDIDATES_MAX
  for (const candidate of candidates) {
    if (left-- === 0) break
    const lower = candidate.toLowerCase()
    const tail = lower.slice(lower.lastIndexOf('.') + 1)
    const distance =
      tail !== lower && tail === wanted ? 1 : areNear(wanted, lower) ? editDistance(wanted, lower, bestDistance) : bestDistance
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best === undefined ? undefined : { hint: `did you mean "${best}"?`, written: write(best) }
}

/** How many edits a slip of so long a word may be. */
const slipOf = (word: string) => Math.max(1, Math.floor(word.length / 3))

/** Whether each word of a name is near that of the other: `parse_xml` is no slip of `parse_url`, and `ipv6` none of `ipv4`. */
function areNear(name: string, other: string): boolean {
  const [words, others] = [name.split(/[_.-]/), other.split(/[_.-]/)]
  const [digits, otherDigits] = [name.replace(/\D/g, ''), other.replace(/\D/g, '')]
  if (digits !== '' && otherDigits !== '' && digits !== otherDigits) return false
  if (words.length !== others.length) return editDistance(name, other, 3) < 3
  return words.every((word, at) => editDistance(word, others[at] as string, slipOf(word) + 1) <= slipOf(word))
}

/** Insertions, deletions, changes and swaps of neighbors, given up (as `bound`) once they cannot be fewer than `bound`. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] as number) + 1 : bound
      const cost = Math.min(change, swap, (row[j] as number) + 1, (next[j - 1] as number) + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (least >= bound) return bound
    before = row
    row = next
  }
  return row[b.length] as number
}
