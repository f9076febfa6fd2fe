/**
 * Turns series into verdicts; pure. A series is worse if three things hold: the forecast does not explain the values after the event,
 * the change is large enough to matter, and there was enough data. If nothing changed, all series of one call together are called worse
 * at most as often as `errorRate` says. docs/compare.md says what the tests can find, with how many events, and how often they are
 * wrong; `npm run bench -- verdicts` measures it.
 */

import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { sumOf, testCounts, upperRateOfNone } from './counts.ts'
import { isGone } from './gone.ts'
import { adjust } from './holm.ts'
import { countLeftOut, leaveOut } from './onset.ts'
import {
  type Counted,
  type CountedSeries,
  isFilled,
  isNew,
  type Judged,
  type JudgedSeries,
  type MeasuredSeries,
  type Series,
  type Sides,
} from './series.ts'
import type { Tested } from './tested.ts'
import { meanOf, medianOf, presentOf, testValues } from './values.ts'

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
  /** Whether it began with the event, so that “before” is what its baseline had at the same time. */
  isBeside?: boolean
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
  bucketMs: number | undefined
  /** The variance of each bucket after by chance. */
  variances: readonly number[]
  /** How much more each bucket after has than was expected. */
  excess: readonly number[]
}

/** @returns one for each series, in their order */
export function judge(series: readonly JudgedSeries[], options: JudgeOptions): SeriesVerdict[] {
  const candidates = series.map((one) => examine(besideBaseline(one), options.errorRate))
  for (const [at, { lack }] of series.entries())
    if (lack !== undefined) Object.assign(candidates[at]?.result ?? {}, { verdict: 'inconclusive', lack })
  const tested = candidates.filter(({ result }) => result.lack === undefined && result.verdict !== 'gone')
  for (const isDirected of [true, false]) {
    const family = tested.filter(({ isHigherWorse }) => (isHigherWorse !== undefined) === isDirected)
    // The bad sides of all series are one family of tests and the good sides another. Each family is wrong at most as often as the
    // error rate says.
    const bad = adjust(family.map(({ isHigherWorse, pHigher, pLower }) => (isHigherWorse === false ? pLower : pHigher)))
    const good = adjust(family.map(({ isHigherWorse, pHigher, pLower }) => (isHigherWorse === false ? pHigher : pLower)))
    for (const [at, candidate] of family.entries()) decide(candidate, bad[at] ?? 1, good[at] ?? 1, options)
  }
  for (const candidate of tested) dropPassing(candidate)
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

/** What is over after this share of the buckets, such as a warm-up or the retries of one client, is no effect that stays, … */
const PASSING = { share: 0.3, buckets: 3, ms: 180_000 } as const
/** … unless the rest has at least this part of the whole change, … */
const REST_PART = 0.3
/** … or differs from it by fewer standard deviations, as the best three minutes of any ten do. */
const DEVIATIONS = 3

/** A change has to be there without its strongest stretch, too. */
function dropPassing({ result, excess, variances, bucketMs }: Candidate): void {
  const least = bucketMs === undefined ? PASSING.buckets : PASSING.ms / bucketMs
  const length = Math.ceil(Math.max(least, PASSING.share * excess.length))
  if (!['worse', 'better', 'higher', 'lower'].includes(result.verdict) || excess.length < length + 2) return
  const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)
  const all = sum(excess)
  const sums = excess.slice(length - 1).map((_, at) => sum(excess.slice(at, at + length)))
  const most = all > 0 ? Math.max(...sums) : Math.min(...sums)
  const from = sums.indexOf(most)
  const restLength = excess.length - length
  const [mean, rest] = [most / length, (all - most) / restLength]
  const within = sum(variances.slice(from, from + length))
  const deviation = Math.sqrt(within / length ** 2 + (sum(variances) - within) / restLength ** 2)
  if (rest / all >= REST_PART / excess.length || Math.abs(mean - rest) < DEVIATIONS * deviation) return
  result.verdict = 'inconclusive'
  result.lack = `only ${length} of the ${excess.length} buckets after differ`
}

function examine(series: JudgedSeries, errorRate: number): Candidate {
  const rest = leaveOut(series, countLeftOut(series))
  const one = rest.kind === 'measurement' ? examineValues(rest, errorRate) : examineCounts(rest, errorRate)
  if (isGone(series)) {
    const { lack: _lack, why: _why, needs: _needs, ...rates } = one.result
    one.result = { ...rates, verdict: 'gone' }
  }
  return series.isBeside ? { ...one, result: { ...one.result, isBeside: true } } : one
}

function examineCounts(series: CountedSeries & Judged, errorRate: number): Candidate {
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
    seasons: seasonsOf(series).map(turnSides),
    baseline: series.baseline && turnSides(series.baseline),
  }
  const sizeOf = (buckets: readonly Counted[]) => (isShare ? sumOf(buckets).outOf : buckets.length)
  const volume = { before: sizeOf(series.before), after: sizeOf(series.after) }
  const [before, after] = [sumOf(counted.before), sumOf(counted.after)]
  const lack = lackOf(volume, isShare ? VOLUMES.outOf : VOLUMES.buckets)
  const other = series.isBeside && !isShare ? { lack: 'there was none before, and its baseline has a traffic of its own' } : lack
  const isNone = other === undefined && before.events + after.events === 0
  const none = isNone ? { lack: 'none before and none after', unseen: upperRateOfNone(after.outOf, errorRate) } : other
  const tested = none === undefined ? testCounts(counted, errorRate) : untested(rateOf(before), rateOf(after))
  const shown = ofTheRest
    ? { ...tested, before: 1 - tested.before, after: 1 - tested.after, expected: 1 - tested.expected }
    : tested
  const isHigherWorse = series.direction === undefined ? undefined : (series.direction === 'higher-is-worse') !== ofTheRest
  return {
    ...tested,
    isHigherWorse,
    hasEvents: Math.max(before.events, after.events) >= VOLUMES.events,
    bucketMs: series.bucketMs,
    variances: counted.after.map(({ events }) => Math.max(1, events)),
    excess: counted.after.map(({ events, outOf }) => events - tested.expected * outOf),
    result: unjudged(shown, {
      ofTheRest,
      volume,
      ...none,
      events: after.events || before.events,
      seasons: counted.seasons?.length ?? 0,
    }),
  }
}

function examineValues(series: MeasuredSeries & Judged, errorRate: number): Candidate {
  const seasons = seasonsOf(series)
  const [before, after] = [presentOf(series.before), presentOf(series.after)]
  const volume = { before: before.length, after: after.length }
  const lack = lackOf(volume, VOLUMES.buckets)
  const tested = lack === undefined ? testValues({ ...series, seasons }, errorRate) : untested(medianOf(before), medianOf(after))
  return {
    ...tested,
    isHigherWorse: series.direction && series.direction === 'higher-is-worse',
    hasEvents: true,
    bucketMs: series.bucketMs,
    variances: series.after.map(() => meanOf(before.map((value) => (value - meanOf(before)) ** 2))),
    excess: series.after.map((value) => (value ?? tested.expected) - tested.expected),
    result: unjudged(tested, { ofTheRest: false, volume, ...lack, seasons: seasons.length }),
  }
}

/** @returns what began with the event with its baseline of the same time in the place of the time before; anything else as it is */
function besideBaseline(series: JudgedSeries): JudgedSeries {
  if (!series.baseline || !isNew(series)) return series
  return { ...series, before: series.baseline.after, baseline: undefined, seasons: [], isBeside: true } as JudgedSeries
}

/** The seasons with nearly as many filled buckets as now. */
function seasonsOf(series: CountedSeries): readonly Sides<Counted>[]
function seasonsOf(series: MeasuredSeries): readonly Sides<number | null>[]
function seasonsOf({ kind, before, seasons = [] }: Series): readonly Sides<Counted | number | null>[] {
  const presence = (buckets: readonly (Counted | number | null)[]) =>
    buckets.filter((bucket) => isFilled(kind, bucket)).length / Math.max(1, buckets.length)
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
  { lack, why, needs, ...rest }: Omit<SeriesVerdict, 'verdict' | 'isUneven' | keyof Tested>,
): SeriesVerdict {
  const numbers = { before, after, expected, change, low, high, isUneven: chanceAlone < 0.5, ...rest }
  return { verdict: 'inconclusive', ...numbers, ...dropUndefined({ lack, why, needs }) }
}
