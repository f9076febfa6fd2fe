/**
 * Counts before and after, each out of something: is the rate another one than was to be expected? If two rates are equal, every event
 * falls into the second window with the chance that its size gives it, so the number of events there is binomial, and its tail is exact
 * for any number of events (conditional binomial test). The same formula takes what a forecast expects: a rate known as well as so many
 * events would tell it. For a share it is exact as long as the share is small, and careful above.
 * Both have to agree: the forecast, and the exact test with the events counting for less where they come in bursts.
 */
import { incompleteBeta, normalQuantile } from './distributions.ts'
import type { Expectation } from './explanations.ts'
import { combineTails, forecast, isPlain, nearestExpected, weightOf } from './forecast.ts'
import type { Counted, CountedSeries, Sides } from './series.ts'
import { findInterval, type Tails, type Tested } from './tested.ts'
import type { Observation, Timeline } from './timeline.ts'

/** Stretches of a window whose scatter is looked at: long enough that a burst lies within one, and enough of them. */
const STRETCHES_MAX = 24
const STRETCHES_MIN = 4
/** Below so many events in a stretch their scatter says little. */
const EVENTS_EACH = 5
/** Scatter that independent events show in one of five hundred cases is taken for chance. */
const CHANCE_OF_SCATTER = 0.002
/** Below so many events before, memory cannot be told from chance. */
const FORECAST_EVENTS_MIN = 20
/** Buckets are merged until they have about so many events, as long as so many buckets are left. */
const BUCKET_EVENTS = 5
const BUCKETS_MIN = 12
/** The mean of several explanations is careful where chance alone is at work: it says 5 % where 3.6 % would be true. */
const CALIBRATION = 0.72
/** Ends of the search for an interval, as logarithms. */
const SHIFTS: readonly [number, number] = [-12, 12]

/** @param errorRate how often each end of the interval may be wrong */
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

/** @returns the share, or the rate, that the true one is not above, with this rate of errors, where nothing was counted */
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

/** Buckets next to the event stay whole; the one that is far from it may be smaller. */
function mergeFromEnd(buckets: readonly Counted[], each: number): Counted[] {
  const merged: Counted[] = []
  for (let end = buckets.length; end > 0; end -= each) merged.unshift(sumOf(buckets.slice(Math.max(0, end - each), end)))
  return merged
}

/** The logarithm of the rate, with the variance that chance gives it. */
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
      // The rate is known as well as so many events would tell it.
      const events = one.isChanceAlone ? before.events / one.scale : 1 / Math.expm1(Math.max(1e-9, one.variance))
      const outOf = one.isChanceAlone ? before.outOf / one.scale : events / Math.max(1e-12, rateExpected(one, before))
      const second = { events: after.events / one.scale, outOf: after.outOf / one.scale }
      // An event more is what the exact test takes for the chance of the events before; a forecast has that in its variance.
      return binomialTails({ events, outOf }, second, { shift, extra: one.isChanceAlone ? 1 : 0 })
    })
    return { pHigher: CALIBRATION * pHigher, pLower: CALIBRATION * pLower }
  }
}

function tailsOfCounts(before: Counted, after: Counted, scatter: number): Tails {
  const [first, second] = [before, after].map(({ events, outOf }) => ({ events: events / scatter, outOf })) as [Counted, Counted]
  return (shift) => binomialTails(first, second, { shift, extra: 1, isWhole: scatter > 1 })
}

/** @param isWhole counts the last event in whole; otherwise by half, which is right on average */
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
