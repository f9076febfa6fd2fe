/**
 * Turns series into verdicts; pure. A series is worse if three things hold: the forecast does not explain the values after the event,
 * the change is large enough to matter, and there was enough data. If nothing changed, all series of one call together are called worse
 * at most as often as `errorRate` says. docs/compare.md says what the tests can find, with how many events, and how often they are
 * wrong; `npm run bench -- verdicts` measures it.
 */

import type { Verdict } from '@deployment-annotations/contract/verdict'
import { besideBaseline, testBeside } from './beside.ts'
import { testCounts } from './counts.ts'
import { isGone } from './gone.ts'
import { countLeftOut, leaveOut } from './onset.ts'
import { comparePast } from './past.ts'
import { adjust } from './questions.ts'
import { type Bucket, type Counted, isFilled, type JudgedSeries, rateOf, type Series, type Sides, sumOf } from './series.ts'
import type { Buckets, Earlier, Tails, Tested } from './tested.ts'
import { medianOf, presentOf, testValues, varianceOf } from './values.ts'

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

/** At most so much more of its question has a new version beside an old one than the time before, which may show what hurts both. */
const BESIDE_MAX = 10

/** A season with a smaller share of filled buckets is ignored: the service did not exist yet, or was down. */
const SEASON_PRESENCE = 0.8

export interface SeriesVerdict extends Pick<Tested, 'expected' | 'change' | 'low' | 'high' | 'isUneven'> {
  verdict: Verdict
  /** A rate, or a median. */
  before: number
  after: number
  /** Why the verdict is “cannot tell”; absent for the other verdicts. */
  lack?: string
  /** The usual kinds of that, for which there are sentences. */
  why?: 'few' | 'uneven' | 'short'
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
  /** Of a test: how often there was as large a change at earlier moments of the series, if enough of these are known. */
  earlier?: Earlier
  /** Whether it began with the event, so that “before” is what its baseline had at the same time. */
  isBeside?: boolean
  /** How many other times, such as a day and a week ago, had data. */
  seasons: number
}

/** A series with the result of its test. */
export type Candidate = ReturnType<typeof examine>

/** @param examined each series, if somebody has done that already @returns one for each series, in their order */
export function judge(series: readonly JudgedSeries[], options: JudgeOptions, examined?: readonly Candidate[]): SeriesVerdict[] {
  const candidates = examined ?? series.map((one) => examine(one, options))
  const tested = candidates.filter(({ result }) => result.lack === undefined && result.verdict !== 'gone')
  for (const isDirected of [true, false]) {
    const family = tested.filter(({ isHigherWorse }) => (isHigherWorse !== undefined) === isDirected)
    // The bad sides of all series are one family of tests and the good sides another. Each family is wrong at most as often as the
    // error rate says.
    const questions = family.map((one) => one.question ?? one)
    const weights = family.map(({ result }) => (result.isBeside ? weighBeside(result) : 1))
    const pOf = (isBad: boolean) =>
      adjust(
        family.map(({ isHigherWorse, tested: { pHigher, pLower } }) => ((isHigherWorse === false) === isBad ? pLower : pHigher)),
        questions,
        weights,
      )
    const [bad, good] = [pOf(true), pOf(false)]
    for (const [at, candidate] of family.entries()) decide(candidate, bad[at] ?? 1, good[at] ?? 1, options)
  }
  for (const candidate of tested) dropPassing(candidate)
  return candidates.map(({ result }) => result)
}

/** Of what the new version changes the time before sees only its part of the requests. */
const weighBeside = ({ volume }: SeriesVerdict) => Math.min(BESIDE_MAX, 1 + volume.before / volume.after)

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
function dropPassing({ result, tested, series }: Candidate): void {
  const { bucketMs = PASSING.ms / PASSING.buckets } = series
  const { excess, variances, sizes } = tested.beside ?? bucketsOf(series, tested.expected)
  const length = Math.ceil(Math.max(PASSING.ms / bucketMs, PASSING.share * excess.length))
  if (!['worse', 'better', 'higher', 'lower'].includes(result.verdict) || excess.length < length + 2) return
  const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)
  const all = sum(excess)
  const sums = excess.slice(length - 1).map((_, at) => sum(excess.slice(at, at + length)))
  const most = all > 0 ? Math.max(...sums) : Math.min(...sums)
  const from = sums.indexOf(most)
  const [within, size] = [variances, sizes].map((values) => sum(values.slice(from, from + length))) as [number, number]
  const restSize = sum(sizes) - size
  const [mean, rest] = [most / size, (all - most) / restSize]
  const deviation = Math.sqrt(within / size ** 2 + (sum(variances) - within) / restSize ** 2)
  if (rest / all >= REST_PART / sum(sizes) || Math.abs(mean - rest) < DEVIATIONS * deviation) return
  result.verdict = 'inconclusive'
  result.lack = `only ${length} of the ${excess.length} buckets after differ`
}

/** How much more each bucket after has than was expected, and the variance of that by chance. */
function bucketsOf(series: Series, expected: number): Buckets {
  const sizes = series.after.map(() => 1)
  if (series.kind !== 'measurement') {
    const excess = series.after.map(({ events, outOf }) => events - expected * outOf)
    return { excess, variances: series.after.map(({ events }) => Math.max(1, events)), sizes }
  }
  const variance = varianceOf(presentOf(series.before))
  return { excess: series.after.map((value) => (value ?? expected) - expected), variances: sizes.map(() => variance), sizes }
}

/** @returns a series as it was tested, of a share the rarer side; whether higher is worse is undefined if the direction is unknown */
export function examine(one: JudgedSeries, { errorRate }: JudgeOptions) {
  const given = besideBaseline(one)
  // Beside each other both have what an annotation that is late leaves to the wrong side.
  const late = given.isBeside ? 0 : countLeftOut(given)
  const { series, ofTheRest } = toRarer(withUsualSeasons(leaveOut(given, late)))
  const { hasEvents, ...sizes } = sizesOf(series)
  const lack = lackOf(series, sizes.volume, errorRate)
  const past = lack ? undefined : comparePast(series, late + (given.gap ?? 0))
  const tested = lack ? UNTESTED : test(series, errorRate, past?.tails)
  const { pHigher: _pHigher, pLower: _pLower, beside, ...numbers } = tested
  const { before, after } = beside ?? sizes
  const show = (value: number) => (ofTheRest ? 1 - value : value)
  const result: SeriesVerdict = {
    verdict: isGone(given) ? 'gone' : 'inconclusive',
    ...numbers,
    ...sizes,
    ...{ before: show(before), after: show(after), expected: show(tested.expected) },
    ofTheRest,
    seasons: series.seasons?.length ?? 0,
    ...(past && { earlier: past.earlier }),
    ...(series.isBeside && { isBeside: true }),
  }
  if (result.verdict !== 'gone') Object.assign(result, lack)
  if (given.lack !== undefined) Object.assign(result, { verdict: 'inconclusive', lack: given.lack })
  const isHigherWorse = series.direction && (series.direction === 'higher-is-worse') !== ofTheRest
  return { result, tested, series, isHigherWorse, hasEvents, question: one.question }
}

const NONE = Number.NaN
const UNTESTED: Tested = { expected: NONE, change: NONE, low: NONE, high: NONE, pHigher: 1, pLower: 1, isUneven: false }

function test(series: JudgedSeries, errorRate: number, past: Tails | undefined): Tested {
  if (series.kind === 'measurement') return testValues(series, errorRate, past)
  return series.isBeside ? testBeside(series, errorRate) : testCounts(series, errorRate, past)
}

/** @returns a share of more than half as that of the rest: a change from 1 % to 2 % failures is plain, one from 99 % to 98 % is not */
function toRarer(series: JudgedSeries): { series: JudgedSeries; ofTheRest: boolean } {
  if (series.kind !== 'share') return { series, ofTheRest: false }
  const whole = sumOf([...series.before, ...series.after])
  if (whole.events <= whole.outOf / 2) return { series, ofTheRest: false }
  const turn = (buckets: readonly Counted[]) => buckets.map(({ events, outOf }) => ({ events: outOf - events, outOf }))
  const turnSides = ({ before, after }: Sides<Counted>) => ({ before: turn(before), after: turn(after) })
  const { seasons, baseline, past } = series
  const others = { seasons: seasons?.map(turnSides), baseline: baseline && turnSides(baseline), past: past && turn(past) }
  return { series: { ...series, ...turnSides(series), ...others }, ofTheRest: true }
}

/** How much there is of it, and its values. */
function sizesOf(series: Series): Pick<SeriesVerdict, 'before' | 'after' | 'volume' | 'events'> & { hasEvents: boolean } {
  if (series.kind === 'measurement') {
    const [first, second] = [presentOf(series.before), presentOf(series.after)]
    const volume = { before: first.length, after: second.length }
    return { before: medianOf(first), after: medianOf(second), volume, hasEvents: true }
  }
  const [first, second] = [sumOf(series.before), sumOf(series.after)]
  const buckets = { before: series.before.length, after: series.after.length }
  return {
    before: rateOf(first),
    after: rateOf(second),
    volume: series.kind === 'share' ? { before: first.outOf, after: second.outOf } : buckets,
    hasEvents: Math.max(first.events, second.events) >= VOLUMES.events,
    events: second.events || first.events,
  }
}

/** Why it cannot be tested. */
function lackOf(
  series: JudgedSeries,
  { before, after }: SeriesVerdict['volume'],
  errorRate: number,
): Pick<SeriesVerdict, 'lack' | 'why' | 'unseen'> | undefined {
  if (series.isBeside && series.kind === 'count')
    return { lack: 'there was none before, and its baseline has a traffic of its own' }
  const [needs, what] = series.kind === 'share' ? [VOLUMES.outOf, 'events'] : [VOLUMES.buckets, 'values']
  if (before < needs) return { why: 'short', lack: `${before} ${what} before, needs ${needs}` }
  if (after < needs) return { why: 'short', lack: `${after} ${what} after, needs ${needs}` }
  if (series.kind === 'measurement' || sumOf([...series.before, ...series.after]).events > 0) return undefined
  return { lack: 'none before and none after', unseen: -Math.log(errorRate) / sumOf(series.after).outOf }
}

/** @returns it with the seasons that have nearly as many filled buckets as now */
function withUsualSeasons<T extends Series>(series: T): T {
  const { kind, before, seasons = [] }: Series = series
  const presence = (buckets: readonly Bucket[]) =>
    buckets.filter((bucket) => isFilled(kind, bucket)).length / Math.max(1, buckets.length)
  const least = SEASON_PRESENCE * presence(before)
  const isUsual = (season: Sides<Bucket>) => presence(season.before) >= least && presence(season.after) > 0
  return { ...series, seasons: [...seasons].filter(isUsual) }
}
