/**
 * Tests counts before and after, each out of a total: is the rate after another than the expected one? If two rates are equal, each
 * event falls into the second window with a probability that follows from its size. So the number of events there is binomial, and its
 * tail is exact for any number of events (conditional binomial test). The same formula takes the forecast as a rate with the certainty
 * of some number of events. For a small share it is exact, and for a large one conservative.
 */
import { incompleteBeta } from './distributions.ts'
import type { Expectation } from './explanations.ts'
import { combineTails, type Forecast, forecast, isUneven, nearestExpected } from './forecast.ts'
import { type Counted, type CountedSeries, rateOf, type Sides, sumOf } from './series.ts'
import { besidePast, compareRates, type Tails, type Tested, unlessReached } from './tested.ts'
import type { Observation, Timeline } from './timeline.ts'

/** With fewer events before, memory cannot be separated from chance. */
const FORECAST_EVENTS_MIN = 20
/** Buckets are merged until they have about this number of events, if enough buckets remain. */
const BUCKET_EVENTS = 5
const BUCKETS_MIN = 12
/** Corrects the mean of several explanations, which is too conservative for pure chance: it says 5 % where 3.6 % is true. */
const CALIBRATION = 0.72

/** @param errorRate how often each end of the interval may be wrong, as a share */
export function testCounts(
  { before, after, seasons = [], baseline }: CountedSeries,
  errorRate: number,
  past: Tails | undefined,
): Tested {
  const [first, second] = [sumOf(before), sumOf(after)]
  const expectations = expect({ before, after }, seasons, baseline)
  const tails = besidePast(tailsOfForecast(expectations, first, second), past)
  const expected = nearestExpected(expectations, rateOf(second), (one) => rateExpected(one, first))
  return {
    ...compareRates(rateOf(second), expected, tails, errorRate),
    ...(!past && !baseline && unlessReached(tails(0), before, after)),
    isUneven: isUneven(expectations),
  }
}

const UNSWAYING = { mean: Number.NaN, variance: 0, noise: 0, freedom: Number.POSITIVE_INFINITY, scale: 1 }
const CHANCE_ALONE: Expectation = { ...UNSWAYING, weight: 1, isChanceAlone: true }

function expect(sides: Sides<Counted>, seasons: readonly Sides<Counted>[], baseline: Sides<Counted> | undefined): Forecast {
  const { events, outOf } = sumOf(sides.before)
  const withEvents = sides.before.filter((bucket) => bucket.outOf > 0).length
  if (outOf === 0 || (!baseline && (events < FORECAST_EVENTS_MIN || withEvents < BUCKETS_MIN))) return [[CHANCE_ALONE]]
  const perBucket = Math.max(1, Math.min(Math.ceil((BUCKET_EVENTS * withEvents) / events), Math.ceil(withEvents / BUCKETS_MIN)))
  const toLine = ({ before, after }: Sides<Counted>): Timeline => {
    const rate = rateOf(sumOf(before))
    return {
      before: mergeFromEnd(before, perBucket).map((bucket) => toObservation(bucket, rate)),
      after: mergeFromEnd(after.toReversed(), perBucket)
        .toReversed()
        .map((bucket) => toObservation(bucket, rate)),
    }
  }
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

function tailsOfForecast(expectations: Forecast, before: Counted, after: Counted): Tails {
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

/** The last event counts half, which is right on average. */
function binomialTails(before: Counted, after: Counted, { shift, extra }: { shift: number; extra: number }) {
  const size = after.outOf * Math.exp(shift)
  const chance = size / (before.outOf + size)
  const [x, y] = [before.events, after.events]
  const atLeast = y === 0 ? 1 : incompleteBeta(chance, y, x + extra)
  const more = incompleteBeta(chance, y + 1, x + extra)
  const atMost = x === 0 ? 1 : 1 - (extra === 0 ? more : incompleteBeta(chance, y + 1, x))
  return { pHigher: (atLeast + more) / 2, pLower: atMost }
}
