/**
 * Tests measured values of buckets, such as percentiles, by a forecast from the time before, on the scale on which changes of such values
 * add up.
 */
import { studentTail } from './distributions.ts'
import { combineTails, type Forecast, forecast, isUneven, nearestExpected } from './forecast.ts'
import type { MeasuredSeries, Sides } from './series.ts'
import { besidePast, findInterval, type Tails, type Tested, unlessReached } from './tested.ts'
import type { Observation, Timeline } from './timeline.ts'

/** Values farther from the median of their window than this number of deviations are moved to that distance. */
const OUTLIER = 4
/**
 * If more values than this share are farther away, they are no outliers. A p99 of forty requests is the slowest of them and jumps
 * between two levels. If outliers were moved before the event and not after it, where the higher level was more frequent by chance, that
 * would look like a change.
 */
const OUTLIERS_MAX = 1 / 8
/** The standard deviation of a normal distribution, in median absolute deviations. */
const DEVIATION_OF_MEDIAN = 1.4826

type Values = readonly (number | null)[]

/** @param errorRate how often each end of the interval may be wrong, as a share */
export function testValues(
  { before, after, seasons = [], baseline }: MeasuredSeries,
  errorRate: number,
  past: Tails | undefined,
): Tested {
  const all = [before, after, ...[...seasons, ...(baseline ? [baseline] : [])].flatMap((sides) => [sides.before, sides.after])]
  const isPositive = all.flatMap(presentOf).every((value) => value > 0)
  const scale = isPositive ? Math.log : (value: number) => value
  const hasLevels = all.some((values) => countOutliers(values, scale) > Math.max(1, OUTLIERS_MAX * presentOf(values).length))
  const toLine = (sides: Sides<number | null>): Timeline => ({
    before: observe(sides.before, scale, hasLevels),
    after: observe(sides.after, scale, hasLevels),
  })
  const today = toLine({ before, after })
  const present: Timeline = { before: today.before, after: today.after.filter(({ value }) => !Number.isNaN(value)) }
  const expectations = forecast(seasons.length > 0 || baseline ? today : present, {
    seasons: seasons.map(toLine),
    baseline: baseline && toLine(baseline),
    isVarianceKnown: false,
  })
  const mean = meanOf(present.after.map(({ value }) => value))
  const tails = besidePast(tailsOf(expectations, mean), past)
  const expected = nearestExpected(expectations, mean, (one) => one.mean)
  const found = mean - expected
  const reach = reachOf(expectations)
  const [low, high] = findInterval(tails, errorRate, [found - reach, found + reach])
  const back = isPositive ? Math.exp : (value: number) => value
  const relative = (shift: number) => (isPositive ? Math.expm1(shift) : divide(shift, Math.abs(expected)))
  return {
    expected: back(expected),
    change: relative(found),
    low: relative(low),
    high: relative(high),
    ...(past || baseline ? tails(0) : unlessReached(tails(0), toCounted(today.before), toCounted(present.after))),
    isUneven: isUneven(expectations),
  }
}

const toCounted = (line: readonly Observation[]) =>
  line.map(({ value }) => (Number.isNaN(value) ? { events: 0, outOf: 0 } : { events: value, outOf: 1 }))

/** How far an interval can extend from the found value. */
function reachOf(expectations: Forecast): number {
  const spread = Math.max(...expectations.flat().map(({ variance, noise }) => Math.sqrt(variance + noise)))
  return 60 * spread + 1e-9
}

function tailsOf(expectations: Forecast, mean: number): Tails {
  return (shift) =>
    combineTails(expectations, (one) => {
      const distance = (mean - shift - one.mean) / Math.sqrt(one.variance + one.noise)
      const tail = studentTail(Math.abs(distance), one.freedom)
      return distance > 0 ? { pHigher: tail, pLower: 1 - tail } : { pHigher: 1 - tail, pLower: tail }
    })
}

/** The distance from the median of their window within which values are no outliers. */
function spreadOf(values: Values, scale: (value: number) => number): { middle: number; reach: number } {
  const present = presentOf(values).map(scale)
  const middle = medianOf(present)
  return { middle, reach: OUTLIER * DEVIATION_OF_MEDIAN * medianOf(present.map((value) => Math.abs(value - middle))) }
}

function countOutliers(values: Values, scale: (value: number) => number): number {
  const { middle, reach } = spreadOf(values, scale)
  return reach === 0 ? 0 : presentOf(values).filter((value) => Math.abs(scale(value) - middle) > reach).length
}

/**
 * Puts the values on the scale and moves outliers in, unless there are levels. The variance of a bucket is unknown, so all have the
 * same.
 */
function observe(values: Values, scale: (value: number) => number, hasLevels: boolean): Observation[] {
  const { middle, reach } = spreadOf(values, scale)
  const isWhole = hasLevels || reach === 0
  const draw = (value: number) => (isWhole ? value : Math.max(middle - reach, Math.min(middle + reach, value)))
  return values.map((value) => ({ value: isPresent(value) ? draw(scale(value)) : Number.NaN, variance: 1 }))
}

const isPresent = (value: number | null): value is number => value !== null && Number.isFinite(value)
export const presentOf = (values: Values): number[] => values.filter(isPresent)
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
export const varianceOf = (values: readonly number[]) => meanOf(values.map((value) => (value - meanOf(values)) ** 2))
const divide = (value: number, by: number) => (value === 0 ? 0 : value / by)

/** @returns NaN for no values */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (place: number) => sorted[place] ?? Number.NaN
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2
}
