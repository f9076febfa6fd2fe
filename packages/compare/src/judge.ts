/**
 * Turns series into verdicts; pure. A series is worse if three things hold: the forecast does not explain the values after the event,
 * the change is large enough to matter, and there was enough data. If nothing changed, all series of one call together are called worse
 * at most as often as `errorRate` says. docs/compare.md says what the tests can find, with how many events, and how often they are
 * wrong; `npm run bench -- verdicts` measures it.
 */

import type { Verdict } from '@deployment-annotations/contract/verdict'
import { sumOf, testCounts, upperRateOfNone } from './counts.ts'
import { isGone } from './gone.ts'
import { adjust } from './holm.ts'
import type { Counted, CountedSeries, Direction, MeasuredSeries, Series, Sides } from './series.ts'
import type { Tested } from './tested.ts'
import { medianOf, presentOf, testValues } from './values.ts'

export interface JudgeOptions {
  /** How often the verdict may be `worse` if nothing changed: 0.05 is one time in twenty. */
  errorRate: number
  /** A change below this share of the expected value does not matter: 0.1 is a tenth. */
  minChange: number
}

export const JUDGE_DEFAULTS: JudgeOptions = { errorRate: 0.05, minChange: 0.1 }

/** The minimum data for a verdict. */
const VOLUMES = {
  /** The total, such as requests, in each window. */
  outOf: 20,
  /** Events, such as failed requests, in the window with more of them. */
  events: 5,
  /** Buckets with a value, or buckets of a count, in each window. */
  buckets: 8,
} as const

/** A season with a smaller share of filled buckets is ignored: the service did not exist yet, or was down. */
const SEASON_PRESENCE = 0.8

/** A series with its direction. A change without a direction is `higher` or `lower`. */
type JudgedSeries = Series & { direction?: Direction | undefined }

export interface SeriesVerdict extends Pick<Tested, 'before' | 'after' | 'expected' | 'change' | 'low' | 'high'> {
  verdict: Verdict
  /** Why the verdict is “cannot tell”; absent for the other verdicts. */
  lack?: string
  /** The usual kinds of that, for which there are sentences. */
  why?: 'few' | 'uneven' | 'short'
  /** If there is too little: how much is needed. */
  needs?: number
  /** Of a share or a count: the events after, or those before if there are none after. */
  events?: number
  /** If nothing failed before and after: the largest rate that could have gone unseen. */
  unseen?: number
  /** The probability of such a change if nothing happened, corrected for the number of series. Absent without a test. */
  chance?: number
  /** Whether the change is that of the rest up to 100 %, as for a share of successes. */
  ofTheRest: boolean
  /** The amount of data: requests or buckets. */
  volume: { before: number; after: number }
  /** Whether memory, a trend or a season explains the time before better than chance. */
  isUneven: boolean
  /** How many other times, such as a day and a week ago, had data. */
  seasons: number
}

/** A series with the result of its test. */
interface Candidate {
  result: SeriesVerdict
  pHigher: number
  pLower: number
  /** Whether higher is worse; undefined if the direction is unknown. */
  isHigherWorse: boolean | undefined
  hasEvents: boolean
}

/** @returns one for each series, in their order */
export function judge(series: readonly JudgedSeries[], options: JudgeOptions): SeriesVerdict[] {
  const candidates = series.map((one) => examine(one, options.errorRate))
  const tested = candidates.filter(({ result }) => result.lack === undefined && result.verdict !== 'gone')
  for (const isDirected of [true, false]) {
    const family = tested.filter(({ isHigherWorse }) => (isHigherWorse !== undefined) === isDirected)
    // The bad sides of all series are one family of tests and the good sides another. Each family is wrong at most as often as the
    // error rate says.
    const bad = adjust(family.map(({ isHigherWorse, pHigher, pLower }) => (isHigherWorse === false ? pLower : pHigher)))
    const good = adjust(family.map(({ isHigherWorse, pHigher, pLower }) => (isHigherWorse === false ? pHigher : pLower)))
    for (const [at, candidate] of family.entries()) decide(candidate, bad[at] ?? 1, good[at] ?? 1, options)
  }
  return candidates.map(({ result }) => result)
}

function decide({ result, isHigherWorse, hasEvents }: Candidate, bad: number, good: number, options: JudgeOptions) {
  const { errorRate, minChange } = options
  const { change, low, high, isUneven } = result
  const worsening = isHigherWorse === false ? -change : change
  const [up, down]: Verdict[] = isHigherWorse === undefined ? ['higher', 'lower'] : ['worse', 'better']
  result.chance = Math.min(bad, good)
  if (hasEvents && bad <= errorRate && worsening >= minChange) result.verdict = up ?? 'higher'
  else if (hasEvents && good <= errorRate && -worsening >= minChange) result.verdict = down ?? 'lower'
  else if (low >= -minChange && high <= minChange) result.verdict = 'same'
  else if (hasEvents && result.chance <= errorRate)
    result.lack = `a change, but perhaps one below the ${minChange * 100} % that matter`
  // The interval beside it shows the possible changes.
  else if (hasEvents && isUneven) Object.assign(result, { why: 'uneven', lack: 'varied as much before' })
  else Object.assign(result, { why: 'few', lack: 'too few to be sure' })
}

function examine(series: JudgedSeries, errorRate: number): Candidate {
  return series.kind === 'measurement' ? examineValues(series, errorRate) : examineCounts(series, errorRate)
}

function examineCounts(series: CountedSeries & { direction?: Direction | undefined }, errorRate: number): Candidate {
  const whole = sumOf([...series.before, ...series.after])
  // The rarer side is compared: a change from 1 % to 2 % failures is plain, one from 99 % to 98 % successes is not.
  const ofTheRest = series.kind === 'share' && whole.events > whole.outOf / 2
  const turn = (buckets: readonly Counted[]) =>
    ofTheRest ? buckets.map(({ events, outOf }) => ({ events: outOf - events, outOf })) : buckets
  const turnSides = ({ before, after }: Sides<Counted>) => ({ before: turn(before), after: turn(after) })
  const isShare = series.kind === 'share'
  const counted: CountedSeries = {
    kind: series.kind,
    ...turnSides(series),
    seasons: seasonsOf(series, (bucket) => (isShare ? bucket.outOf : bucket.events) > 0).map(turnSides),
    baseline: series.baseline && turnSides(series.baseline),
  }
  const sizeOf = (buckets: readonly Counted[]) => (isShare ? sumOf(buckets).outOf : buckets.length)
  const volume = { before: sizeOf(series.before), after: sizeOf(series.after) }
  const [before, after] = [sumOf(counted.before), sumOf(counted.after)]
  const lack = lackOf(volume, isShare ? VOLUMES.outOf : VOLUMES.buckets)
  const isNone = lack === undefined && before.events + after.events === 0
  const none = isNone ? { lack: 'none before and none after', unseen: upperRateOfNone(after.outOf, errorRate) } : lack
  const tested = none === undefined ? testCounts(counted, errorRate) : untested(rateOf(before), rateOf(after))
  const shown = ofTheRest
    ? { ...tested, before: 1 - tested.before, after: 1 - tested.after, expected: 1 - tested.expected }
    : tested
  const isHigherWorse = series.direction === undefined ? undefined : (series.direction === 'higher-is-worse') !== ofTheRest
  const sizes = (buckets: readonly Counted[]) => buckets.map(({ events, outOf }) => (isShare ? outOf : events))
  // If only the failures disappeared, that is good. If the requests disappeared too, it is the worst case.
  const isGoodRiddance = !isShare && !series.present && series.direction === 'higher-is-worse'
  const [sizesBefore, sizesAfter] = series.present
    ? [series.present.before.map(Number), series.present.after.map(Number)]
    : [sizes(series.before), sizes(series.after)]
  return {
    ...tested,
    isHigherWorse,
    hasEvents: Math.max(before.events, after.events) >= VOLUMES.events,
    result: unjudged(shown, {
      ofTheRest,
      volume,
      ...none,
      events: after.events || before.events,
      seasons: counted.seasons?.length ?? 0,
      isGone: !isGoodRiddance && isGone(sizesBefore, sizesAfter),
    }),
  }
}

function examineValues(series: MeasuredSeries & { direction?: Direction | undefined }, errorRate: number): Candidate {
  const seasons = seasonsOf(series, (value) => value !== null)
  const [before, after] = [presentOf(series.before), presentOf(series.after)]
  const volume = { before: before.length, after: after.length }
  const lack = lackOf(volume, VOLUMES.buckets)
  const tested = lack === undefined ? testValues({ ...series, seasons }, errorRate) : untested(medianOf(before), medianOf(after))
  // A sum without events is 0. If less is better, that is good.
  const isEmpty = (value: number | null) => value === null || (value === 0 && series.direction !== 'higher-is-worse')
  const sizes = (values: readonly (number | null)[]) => values.map((value) => (isEmpty(value) ? 0 : 1))
  return {
    ...tested,
    isHigherWorse: series.direction && series.direction === 'higher-is-worse',
    hasEvents: true,
    result: unjudged(tested, {
      ofTheRest: false,
      volume,
      ...lack,
      seasons: seasons.length,
      isGone: isGone(sizes(series.before), sizes(series.after)),
    }),
  }
}

/** The seasons with nearly as many filled buckets as now. */
function seasonsOf<T>(
  { before, seasons = [] }: Sides<T> & { seasons?: readonly Sides<T>[] | undefined },
  isPresent: (bucket: T) => boolean,
) {
  const presence = (buckets: readonly T[]) => buckets.filter(isPresent).length / Math.max(1, buckets.length)
  const least = SEASON_PRESENCE * presence(before)
  return seasons.filter((season) => presence(season.before) >= least && presence(season.after) > 0)
}

/** Whether a window has too little data. */
function lackOf(volume: SeriesVerdict['volume'], needs: number): Pick<SeriesVerdict, 'lack' | 'why' | 'needs'> | undefined {
  const least = Math.min(volume.before, volume.after)
  return least < needs ? { why: 'short', lack: `${least}, needs ${needs}`, needs } : undefined
}

const rateOf = ({ events, outOf }: Counted) => (outOf > 0 ? events / outOf : Number.NaN)

/** Without enough data for a test, the two values are still shown. */
function untested(before: number, after: number): Tested {
  const none = { expected: Number.NaN, change: Number.NaN, low: Number.NaN, high: Number.NaN }
  return { before, after, ...none, pHigher: 1, pLower: 1, chanceAlone: 1 }
}

function unjudged(
  { before, after, expected, change, low, high, chanceAlone }: Tested,
  {
    lack,
    why,
    needs,
    isGone: isMissing,
    ...rest
  }: Omit<SeriesVerdict, 'verdict' | 'isUneven' | keyof Tested> & { isGone: boolean },
): SeriesVerdict {
  const numbers = { before, after, expected, change, low, high, isUneven: chanceAlone < 0.5, ...rest }
  if (isMissing) return { verdict: 'gone', ...numbers }
  return {
    verdict: 'inconclusive',
    ...numbers,
    ...(lack !== undefined && { lack }),
    ...(why && { why }),
    ...(needs && { needs }),
  }
}
