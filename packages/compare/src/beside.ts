/**
 * Tests how often one version failed beside another, in the same minutes. If both fail equally often, each failure of a minute is one of
 * the new version with a chance that follows from its part of the requests, whatever else makes that minute good or bad. So the sum of all
 * minutes has the tails of a binomial distribution with the same mean and variance, which are exact where that part stays as it is. For a
 * large share of failures the test is conservative.
 */
import { incompleteBeta } from './distributions.ts'
import { type Counted, isNew, type JudgedSeries, NOTHING, type Sides } from './series.ts'
import { compareRates, type Tails, type Tested } from './tested.ts'

/**
 * @returns what began with the event with its baseline of the same time in the place of the time before, of a share in the minutes in which
 *   both had something; anything else as it is
 */
export function besideBaseline(series: JudgedSeries): JudgedSeries {
  if (!series.baseline || !isNew(series)) return series
  const { baseline, ...own } = series
  const rest = { ...own, seasons: [], past: undefined, gap: 0, isBeside: true }
  if (rest.kind !== 'share') return { ...rest, before: baseline.after } as JudgedSeries
  const { after: first } = baseline as Sides<Counted>
  const isShared = (_: Counted, at: number) => [first, rest.after].every((side) => (side[at]?.outOf ?? 0) > 0)
  return { ...rest, before: first.filter(isShared), after: rest.after.filter(isShared) } as JudgedSeries
}

/** @param sides the old version in the minutes of the new one; both have something in each of them */
export function testBeside(sides: Sides<Counted>, errorRate: number): Tested {
  const minutes = sides.after.map((second, at) => {
    const first = sides.before[at] ?? NOTHING
    return { first, second, failed: first.events + second.events, size: 1 / (1 / first.outOf + 1 / second.outOf) }
  })
  const sum = (read: (minute: (typeof minutes)[number]) => number) => minutes.reduce((total, one) => total + read(one), 0)
  const partOf = ({ first, second }: (typeof minutes)[number], times = 1) =>
    (times * second.outOf) / (first.outOf + times * second.outOf)
  const found = sum(({ second }) => second.events)
  const tails: Tails = (shift) => {
    const mean = sum((one) => one.failed * partOf(one, Math.exp(shift)))
    const squares = sum((one) => one.failed * partOf(one, Math.exp(shift)) ** 2)
    // Minutes with other parts are not quite so many tosses of one coin.
    const others = Math.max(1e-9, mean ** 2 / squares - found)
    const more = incompleteBeta(squares / mean, found + 1, others)
    const atLeast = found === 0 ? 1 : incompleteBeta(squares / mean, found, others + 1)
    return { pHigher: (atLeast + more) / 2, pLower: 1 - more }
  }
  // Both rates as if both had had the same traffic in each minute (Mantel and Haenszel).
  const size = sum((one) => one.size)
  const rateOf = (side: 'first' | 'second') => sum((one) => (one[side].events / one[side].outOf) * one.size) / size
  const [before, after] = [rateOf('first'), rateOf('second')]
  const compared = compareRates(after, before, tails, errorRate)
  const variancesAt = (times: number) => minutes.map((one) => one.failed * partOf(one, times) * (1 - partOf(one, times)))
  const beside = {
    before,
    after,
    excess: minutes.map((one) => one.second.events - one.failed * partOf(one)),
    variances: variancesAt(Number.isFinite(compared.change) ? Math.max(1, compared.change + 1) : 1),
    sizes: variancesAt(1),
  }
  return { ...compared, isUneven: false, beside }
}
