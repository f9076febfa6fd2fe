/**
 * Series in, verdicts out: the whole judgement, pure. A series got worse where three things hold: chance explains the values
 * after the event badly enough, the change is large enough to matter, and there was enough to look at. Where nothing changed,
 * all series of one call together are called worse at most as often as `errorRate` says.
 * What the tests can find, and with how many events, is in docs/compare.md, and simulated in the tests.
 */
import { sumOf, testCounts, upperShare } from './counts.ts'
import { adjust } from './holm.ts'
import { testRanks } from './ranks.ts'
import type { Counted, CountedSeries, Direction, MeasuredSeries, Series } from './series.ts'
import type { Tested } from './tested.ts'
import type { Verdict } from './verdict.ts'

export interface JudgeOptions {
  /** How often `worse` may be said where nothing changed: 0.05 is one time in twenty. */
  errorRate: number
  /** A change below this share of what was before is no matter: 0.1 is a tenth. */
  tolerance: number
}

export const JUDGE_DEFAULTS: JudgeOptions = { errorRate: 0.05, tolerance: 0.1 }

/** What a series needs to be judged at all. */
const VOLUMES = {
  /** Things that something was counted out of, such as requests, in each window. */
  outOf: 20,
  /** Events, such as failed requests, in the window that has more of them, before a change is believed. */
  events: 5,
  /** Buckets with a value, or of a count, in each window. */
  buckets: 8,
} as const

/** `same` is said where the change is known to lie between these: neither halved nor doubled… */
const SAME_FROM = -0.5
const SAME_TO = 1
/** … or where the share has grown by no more than this: one of a hundred. */
const SAME_POINTS = 0.01

export interface Judgement extends Pick<Tested, 'before' | 'after' | 'change' | 'low' | 'high'> {
  verdict: Verdict
  /** Why there is too little data; absent for the other verdicts. */
  lack?: string
  /** How sure it is that there is a change, from 0 to 1, with regard to how many series were looked at. */
  confidence: number
  /** The change is that of what is left to 100 %, as for a share of successes. */
  ofTheRest: boolean
  /** What was looked at: requests, or buckets. */
  volume: { before: number; after: number; season?: number }
}

/** A series with what a test says of it. */
interface Candidate {
  judgement: Judgement
  pWorse: number
  pBetter: number
  worsening: number
  /** Whether it can be said that nothing has changed much. */
  isSame: boolean
  hasEvents: boolean
}

/** @returns one for each series, in their order */
export function judge(
  series: readonly (Series & { direction: Direction })[],
  { errorRate, tolerance }: JudgeOptions,
): Judgement[] {
  const candidates = series.map((one) => examine(one, errorRate))
  const judged = candidates.filter(({ judgement }) => judgement.lack === undefined)
  const pWorse = adjust(judged.map((candidate) => candidate.pWorse))
  const pBetter = adjust(judged.map((candidate) => candidate.pBetter))
  for (const [at, { judgement, worsening, isSame, hasEvents }] of judged.entries()) {
    const [worse = 1, better = 1] = [pWorse[at], pBetter[at]]
    judgement.confidence = 1 - Math.min(worse, better)
    if (hasEvents && worse <= errorRate && worsening >= tolerance) judgement.verdict = 'worse'
    else if (hasEvents && better <= errorRate && -worsening >= tolerance) judgement.verdict = 'better'
    else if (isSame) judgement.verdict = 'same'
    else judgement.lack = 'with so few a doubling or halving cannot be ruled out'
  }
  return candidates.map(({ judgement }) => judgement)
}

function examine(series: Series & { direction: Direction }, errorRate: number): Candidate {
  return series.kind === 'measurement' ? examineValues(series, errorRate) : examineCounts(series, errorRate)
}

function examineCounts(series: CountedSeries & { direction: Direction }, errorRate: number): Candidate {
  const whole = [...series.before, ...series.after]
  // The rarer side is judged: that 2 % failed instead of 1 % is plain, that 98 % went well instead of 99 % is not.
  const ofTheRest = series.kind === 'share' && sumOf(whole).events > sumOf(whole).outOf / 2
  const sideOf = (window: readonly Counted[]) =>
    ofTheRest ? window.map(({ events, outOf }) => ({ events: outOf - events, outOf })) : window
  const [before, after] = [sideOf(series.before), sideOf(series.after)]
  const season = series.season && sideOf(series.season)
  const isHigherWorse = (series.direction === 'higher is worse') !== ofTheRest
  const sizeOf = (window: readonly Counted[]) => (series.kind === 'share' ? sumOf(window).outOf : window.length)
  const volume = volumeOf(sizeOf, { before, after, season })
  const lack =
    series.kind === 'share' ? lackOf(volume, VOLUMES.outOf, 'counted out of') : lackOf(volume, VOLUMES.buckets, 'buckets')
  const tested = lack === undefined ? testCounts(before, after, errorRate) : untested(before, after)
  const compared = season && lack === undefined ? testCounts(season, after, errorRate) : undefined
  const points = upperShare(sumOf(after), errorRate) - tested.before
  const isSame = isWithin(tested) || (series.kind === 'share' && points < SAME_POINTS)
  const hasEvents = Math.max(sumOf(before).events, sumOf(after).events) >= VOLUMES.events
  const shown = ofTheRest ? { ...tested, before: 1 - tested.before, after: 1 - tested.after } : tested
  return { ...weigh(tested, compared, isHigherWorse), isSame, hasEvents, judgement: unjudged(shown, { ofTheRest, volume, lack }) }
}

function examineValues(series: MeasuredSeries & { direction: Direction }, errorRate: number): Candidate {
  const present = (values: readonly (number | null)[]) => values.filter((value) => value !== null && Number.isFinite(value))
  const [before, after] = [present(series.before), present(series.after)] as [number[], number[]]
  const season = series.season && (present(series.season) as number[])
  const volume = volumeOf(({ length }: readonly number[]) => length, { before, after, season })
  const lack = lackOf(volume, VOLUMES.buckets, 'buckets')
  const tested = testRanks(before, after, errorRate)
  const compared = season && lack === undefined ? testRanks(season, after, errorRate) : undefined
  return {
    ...weigh(tested, compared, series.direction === 'higher is worse'),
    isSame: isWithin(tested),
    hasEvents: true,
    judgement: unjudged(tested, { ofTheRest: false, volume, lack }),
  }
}

/** Against both the time before and the season before: it is worse only if it is worse than either. */
function weigh(tested: Tested, season: Tested | undefined, isHigherWorse: boolean) {
  const pHigher = Math.max(tested.pHigher, season?.pHigher ?? 0)
  const pLower = Math.max(tested.pLower, season?.pLower ?? 0)
  return isHigherWorse
    ? { pWorse: pHigher, pBetter: pLower, worsening: tested.change }
    : { pWorse: pLower, pBetter: pHigher, worsening: -tested.change }
}

function isWithin({ low, high }: Tested): boolean {
  return low > SAME_FROM && high < SAME_TO
}

function volumeOf<T>(
  sizeOf: (window: T) => number,
  windows: { before: T; after: T; season: T | undefined },
): Judgement['volume'] {
  const { before, after, season } = windows
  return { before: sizeOf(before), after: sizeOf(after), ...(season && { season: sizeOf(season) }) }
}

/** The first window that has less than is needed, in words. */
function lackOf(volume: Judgement['volume'], least: number, what: string): string | undefined {
  const short = Object.entries(volume).find(([, size]) => size < least)
  if (!short) return undefined
  const [window, size] = short
  const place = window === 'season' ? 'the season before' : `the window ${window}`
  return what === 'buckets'
    ? `${size} buckets in ${place}, at least ${least} are needed`
    : `counted out of ${size} in ${place}, at least ${least} are needed`
}

/** Where there is too little for a test the two rates are shown all the same. */
function untested(before: readonly Counted[], after: readonly Counted[]): Tested {
  const rate = (window: readonly Counted[]) => (sumOf(window).outOf > 0 ? sumOf(window).events / sumOf(window).outOf : Number.NaN)
  return {
    before: rate(before),
    after: rate(after),
    change: Number.NaN,
    low: Number.NaN,
    high: Number.NaN,
    pHigher: 1,
    pLower: 1,
  }
}

function unjudged(
  { before, after, change, low, high }: Tested,
  { lack, ...rest }: Pick<Judgement, 'ofTheRest' | 'volume'> & { lack: string | undefined },
): Judgement {
  const numbers = { before, after, change, low, high, ...rest }
  return { verdict: 'too little data', confidence: 0, ...numbers, ...(lack !== undefined && { lack }) }
}
