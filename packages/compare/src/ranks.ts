/**
 * Tests whether the values after are higher or lower than those before, by ranks (Mann and Whitney), so that neither the shape of the
 * distribution nor one outlier matters. Neighboring buckets resemble each other, so each says less than an independent value: the
 * variance grows with their correlation, as that of an autoregressive series does.
 */
import { normalTail } from './distributions.ts'

/** Larger estimates of the correlation are not reliable. */
const CORRELATION_MAX = 0.9

/** The probability of values after as high, and as low, as these if nothing has changed. */
export function testRanks(before: readonly number[], after: readonly number[]): { pHigher: number; pLower: number } {
  const { rankSum, deviation, correlation } = rank(before, after)
  const [m, n] = [before.length, after.length]
  const spread = deviation * Math.sqrt((1 + correlation) / (1 - correlation))
  const higher = rankSum - (n * (n + 1)) / 2 - (m * n) / 2
  // Ranks change in steps of at least one half, which the smooth curve does not have.
  const pOf = (distance: number) => (spread === 0 ? 1 : normalTail((distance - 0.5) / spread))
  return { pHigher: pOf(higher), pLower: pOf(-higher) }
}

/**
 * Ranks all values together; equal values share their rank. Gives the sum of the ranks after, its standard deviation by chance, and the
 * correlation of neighbors.
 */
function rank(before: readonly number[], after: readonly number[]) {
  const values = [...before, ...after]
  const total = values.length
  const order = values.map((_, at) => at).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = new Array<number>(total).fill(0)
  let ties = 0
  for (let from = 0; from < total; ) {
    let to = from
    while (to < total && values[order[to] ?? 0] === values[order[from] ?? 0]) to++
    for (const at of order.slice(from, to)) ranks[at] = (from + to + 1) / 2
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  const [m, n] = [before.length, after.length]
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)))
  return {
    rankSum: ranks.slice(m).reduce((sum, one) => sum + one, 0),
    deviation: Math.sqrt(Math.max(0, variance)),
    correlation: correlate([ranks.slice(0, m), ranks.slice(m)]),
  }
}

/**
 * The correlation of neighboring buckets, each window around its own mean, from 0 to {@link CORRELATION_MAX}, corrected for the bias of
 * short series.
 */
function correlate(windows: readonly (readonly number[])[]): number {
  let products = 0
  let squares = 0
  for (const window of windows) {
    const mean = window.reduce((sum, one) => sum + one, 0) / window.length
    for (const [at, one] of window.entries()) {
      squares += (one - mean) ** 2
      if (at > 0) products += (one - mean) * ((window[at - 1] ?? mean) - mean)
    }
  }
  const count = windows.reduce((sum, { length }) => sum + length, 0)
  const estimate = squares === 0 ? 0 : (products / squares) * count
  return Math.min(CORRELATION_MAX, Math.max(0, (estimate + windows.length) / (count - 3 * windows.length)))
}
