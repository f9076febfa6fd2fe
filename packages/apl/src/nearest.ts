/**
 * The nearest existing name to one that does not exist.
 * Deliberately not here: any choice made for the author; the name is only shown in a hint.
 */

/** More candidates than this are not compared: a hint must not cost more than the compilation. */
const CANDIDATES_MAX = 2_000

/** A hint naming the candidate closest to `name`, or `undefined` where none is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  let left = CANDIDATES_MAX
  for (const candidate of candidates) {
    if (left-- === 0) break
    const lower = candidate.toLowerCase()
    const tail = lower.slice(lower.lastIndexOf('.') + 1)
    const distance = tail !== lower && tail === wanted ? 1 : editDistance(wanted, lower, bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best === undefined ? undefined : `did you mean "${best}"?`
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
