/**
 * Tests counts before and after, each out of a total: is the rate after another than the expected one? If two rates are equal, each
 * event falls into the second window with a probability that follows from its size. So the number of events there is binomial, and its
 * tail is exact for any number of events (conditional binomial test). The same formula takes the forecast as a rate with the certainty
 * of some number of events. For a small share it is exact, and for a large one conservative. Forecast and exact test both have to agree;
 * in the exact test, events count less if they come in bursts.
 */
import { incompleteBeta, normalQuantile } from './distributions.ts'
import type { Expectation } from './explanations.ts'
import { combineTails, forecast, isPlain, nearestExpected, weightOf } from './forecast.ts'
import type { Counted, CountedSeries, Sides } from './series.ts'
import { findInterval, type Tails, type Tested } from './tested.ts'
import type { Observation, Timeline } from './timeline.ts'

/** The number of stretches of a window whose scatter is measured: long enough that a burst is within one, and enough of them. */
const STRETCHES_MAX = 24
const STRETCHES_MIN = 4
/** With fewer events in a stretch its scatter says little. */
const EVENTS_EACH = 5
/** A scatter that independent events show in more than one of five hundred cases counts as chance. */
const CHANCE_OF_SCATTER = 0.002
/** With fewer events before, memory cannot be separated from chance. */
const FORECAST_EVENTS_MIN = 20
/** Buckets are merged until they have about this number of events, if enough buckets remain. */
const BUCKET_EVENTS = 5
const BUCKETS_MIN = 12
/** Corrects the mean of several explanations, which is too conservative for pure chance: it says 5 % where 3.6 % is true. */
const CALIBRATION = 0.72
/** Ends of the search for an interval, as logarithms. */
const SHIFTS: readonly [number, number] = [-12, 12]

/** @param errorRate how often each end of the interval may be wrong, as a share */
export function testCounts({ before, after, seasons = [], baseline }: CountedSeries, errorRate: number): Tested {
  const [first, second] = [sumOf(before), sumOf(after)]
  const expectations = expect({ before, after }, seasons, baseline)
  const forecastTails = tailsOfForecast(expectations, first, second)
  const exactTails = tailsOfCounts(first, second, measureScatter([before, after]))
  const isPlainToo = isPlain(expectations, { baseline })
  const tails: Tails = (shift) => {
    const [model, exact] = [forecastTails(shift), isPlainToo ? exactTails(shift) : { pHigher: 0, pLower: 0 }]
    return { pHigher: Math.max(model.pHigher, exact.pHigher), pLower: Math.max(model.pLower, exact.pLower) }
  }
  const expected = nearestExpected(expectations, rateOf(second), (one) => rateExpected(one, first))
  const [low, high] = findInterval(tails, errorRate, SHIFTS)
  return {
    before: rateOf(first),
    after: rateOf(second),
    expected,
    change: expected === 0 ? (second.events === 0 ? 0 : Number.POSITIVE_INFINITY) : rateOf(second) / expected - 1,
    low: Math.expm1(low),
    high: high > SHIFTS[1] - 1e-6 ? Number.POSITIVE_INFINITY : Math.expm1(high),
    ...tails(0),
    chanceAlone: weightOf(expectations, ({ isChanceAlone }) => isChanceAlone),
  }
}

/** @returns the upper bound of the true share or rate if nothing was counted, at this error rate */
export function upperRateOfNone(outOf: number, errorRate: number): number {
  return -Math.log(errorRate) / outOf
}

export function sumOf(buckets: readonly Counted[]): Counted {
  return buckets.reduce<Counted>((sum, { events, outOf }) => ({ events: sum.events + events, outOf: sum.outOf + outOf }), {
    events: 0,
    outOf: 0,
  })
}

const rateOf = ({ events, outOf }: Counted) => events / outOf

const CHANCE_ALONE: Expectation = {
  weight: 1,
  mean: Number.NaN,
  variance: 0,
  noise: 0,
  freedom: Number.POSITIVE_INFINITY,
  scale: 1,
  isChanceAlone: true,
  basis: 'the time before',
  basisPrior: 1,
}

function expect(
  sides: Sides<Counted>,
  seasons: readonly Sides<Counted>[],
  baseline: Sides<Counted> | undefined,
): readonly Expectation[] {
  const { events, outOf } = sumOf(sides.before)
  const withEvents = sides.before.filter((bucket) => bucket.outOf > 0).length
  if (!baseline && (events < FORECAST_EVENTS_MIN || withEvents < BUCKETS_MIN)) return [CHANCE_ALONE]
  const perBucket = Math.max(
    1,
    Math.min(Math.ceil((BUCKET_EVENTS * sides.before.length) / events), Math.ceil(sides.before.length / BUCKETS_MIN)),
  )
  const toLine = ({ before, after }: Sides<Counted>): Timeline => {
    const rate = rateOf(sumOf(before))
    return {
      before: mergeFromEnd(before, perBucket).map((bucket) => toObservation(bucket, rate)),
      after: mergeFromEnd(after.toReversed(), perBucket)
        .toReversed()
        .map((bucket) => toObservation(bucket, rate)),
    }
  }
  if (outOf === 0) return [CHANCE_ALONE]
  return forecast(toLine(sides), {
    seasons: seasons.map(toLine),
    baseline: baseline && toLine(baseline),
    isVarianceKnown: true,
  })
}

/** Buckets near the event stay whole; only the one farthest from it may be smaller. */
function mergeFromEnd(buckets: readonly Counted[], each: number): Counted[] {
  const merged: Counted[] = []
  for (let end = buckets.length; end > 0; end -= each) merged.unshift(sumOf(buckets.slice(Math.max(0, end - each), end)))
  return merged
}

/** The logarithm of the rate, with its variance by chance. */
function toObservation({ events, outOf }: Counted, rate: number): Observation {
  if (outOf === 0) return { value: Number.NaN, variance: 1 }
  return { value: Math.log((events + 0.5) / outOf), variance: 1 / (rate * outOf + 0.5) }
}

function rateExpected({ isChanceAlone, mean }: Expectation, before: Counted): number {
  return isChanceAlone ? rateOf(before) : Math.exp(mean)
}

function tailsOfForecast(expectations: readonly Expectation[], before: Counted, after: Counted): Tails {
  return (shift) => {
    const { pHigher, pLower } = combineTails(expectations, (one) => {
      // The certainty of the rate, as a number of events.
      const events = one.isChanceAlone ? before.events / one.scale : 1 / Math.expm1(Math.max(1e-9, one.variance))
      const outOf = one.isChanceAlone ? before.outOf / one.scale : events / Math.max(1e-12, rateExpected(one, before))
      const second = { events: after.events / one.scale, outOf: after.outOf / one.scale }
      // The exact test adds one event for the uncertainty of the counts before. A forecast already includes it in its variance.
      return binomialTails({ events, outOf }, second, { shift, extra: one.isChanceAlone ? 1 : 0 })
    })
    return { pHigher: CALIBRATION * pHigher, pLower: CALIBRATION * pLower }
  }
}

function tailsOfCounts(before: Counted, after: Counted, scatter: number): Tails {
  const [first, second] = [before, after].map(({ events, outOf }) => ({ events: events / scatter, outOf })) as [Counted, Counted]
  return (shift) => binomialTails(first, second, { shift, extra: 1, isWhole: scatter > 1 })
}

/** @param isWhole whether the last event counts fully; otherwise it counts half, which is right on average */
function binomialTails(
  before: Counted,
  after: Counted,
  { shift, extra, isWhole = false }: { shift: number; extra: number; isWhole?: boolean },
) {
  const size = after.outOf * Math.exp(shift)
  const chance = size / (before.outOf + size)
  const [x, y] = [before.events, after.events]
  const atLeast = y === 0 ? 1 : incompleteBeta(chance, y, x + extra)
  const more = incompleteBeta(chance, y + 1, x + extra)
  const atMost = x === 0 ? 1 : 1 - incompleteBeta(chance, y + 1, x)
  return { pHigher: isWhole ? atLeast : (atLeast + more) / 2, pLower: atMost }
}

/**
 * The variance of the counts of stretches, relative to independent events (Pearson's chi-squared divided by its degrees of freedom).
 * Each window is compared with its own rate. 1 if chance explains the scatter.
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

/** The value that chi-squared exceeds by chance in one of a hundred cases (approximation of Wilson and Hilferty). */
function chiSquaredLimit(freedom: number): number {
  const spread = 2 / (9 * freedom)
  return freedom * (1 - spread + normalQuantile(CHANCE_OF_SCATTER) * Math.sqrt(spread)) ** 3
}
