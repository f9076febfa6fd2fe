/**
 * Two counts, each out of something: is the second rate another one than the first? If the two rates are equal, every event
 * falls into the second window with the chance that its size gives it, whatever the rate is. So the number of events there is
 * binomial, and its tail is exact for any number of events, three or three million (conditional binomial test; the interval is
 * that of Clopper and Pearson). For a share it is exact as long as the share is small, and careful above.
 * Events that come in bursts are not independent: by how much they scatter between stretches of time more than independent
 * events would, by so much less they count.
 */
import { betaQuantile, incompleteBeta, normalQuantile } from './distributions.ts'
import type { Counted } from './series.ts'
import type { Tested } from './tested.ts'

/** Stretches of a window whose scatter is looked at: long enough that a burst lies within one, and enough of them. */
const STRETCHES_MAX = 24
const STRETCHES_MIN = 4
/** Below so many events in a stretch their scatter says little. */
const EVENTS_EACH = 5
/** Scatter that independent events show in one of a hundred cases is taken for chance. */
const CHANCE_OF_SCATTER = 0.01

/** @param errorRate how often each end of the interval may be wrong, and each of the two tests */
export function testCounts(before: readonly Counted[], after: readonly Counted[], errorRate: number): Tested {
  const scatter = measureScatter([before, after])
  const [first, second] = [sumOf(before), sumOf(after)]
  const [x, y] = [first.events / scatter, second.events / scatter]
  const chance = second.outOf / (first.outOf + second.outOf)
  const toRatio = (share: number) => (share / (1 - share)) * (first.outOf / second.outOf)
  return {
    before: first.events / first.outOf,
    after: second.events / second.outOf,
    change: first.events === 0 ? (second.events === 0 ? 0 : Number.POSITIVE_INFINITY) : rateOf(second) / rateOf(first) - 1,
    low: toRatio(betaQuantile(errorRate, y, x + 1)) - 1,
    high: toRatio(betaQuantile(1 - errorRate, y + 1, x)) - 1,
    pHigher: y === 0 ? 1 : incompleteBeta(chance, y, x + 1),
    pLower: x === 0 ? 1 : 1 - incompleteBeta(chance, y + 1, x),
  }
}

/** @returns the share that the true one is not above, with this rate of errors (Clopper and Pearson) */
export function upperShare({ events, outOf }: Counted, errorRate: number): number {
  return betaQuantile(1 - errorRate, events + 1, outOf - events)
}

export function sumOf(buckets: readonly Counted[]): Counted {
  return buckets.reduce<Counted>((sum, { events, outOf }) => ({ events: sum.events + events, outOf: sum.outOf + outOf }), {
    events: 0,
    outOf: 0,
  })
}

const rateOf = ({ events, outOf }: Counted) => events / outOf

/**
 * The variance of the counts of stretches of time, in variances of independent events (Pearson's chi-squared by its degrees of
 * freedom), each window seen around its own rate. 1 where chance explains the scatter.
 */
function measureScatter(windows: readonly (readonly Counted[])[]): number {
  let chiSquared = 0
  let freedom = 0
  for (const window of windows) {
    const count = Math.min(STRETCHES_MAX, window.length, Math.floor(sumOf(window).events / EVENTS_EACH))
    if (count < STRETCHES_MIN) continue
    const rate = rateOf(sumOf(window))
    const stretches = Array.from({ length: count }, (_, at) =>
      sumOf(window.slice(Math.round((at * window.length) / count), Math.round(((at + 1) * window.length) / count))),
    ).filter(({ outOf }) => outOf > 0)
    chiSquared += stretches.reduce((sum, { events, outOf }) => sum + (events - rate * outOf) ** 2 / (rate * outOf), 0)
    freedom += stretches.length - 1
  }
  return freedom > 0 && chiSquared > chiSquaredLimit(freedom) ? chiSquared / freedom : 1
}

/** What chi-squared exceeds by chance in one of a hundred cases (approximation of Wilson and Hilferty). */
function chiSquaredLimit(freedom: number): number {
  const spread = 2 / (9 * freedom)
  return freedom * (1 - spread + normalQuantile(CHANCE_OF_SCATTER) * Math.sqrt(spread)) ** 3
}
