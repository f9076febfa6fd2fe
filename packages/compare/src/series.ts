/**
 * A compared series of numbers before and after an event. Deliberately not here: where the numbers come from (tables.ts), and their
 * verdict (judge.ts).
 */

/** The direction. Latencies and errors are worse when higher, throughput when lower. */
export const DIRECTIONS = ['higher-is-worse', 'lower-is-worse'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** Events out of a total: failed out of all requests, or events in a number of minutes. */
export interface Counted {
  events: number
  outOf: number
}

export type Bucket = Counted | number | null

/** The numbers of each bucket before and after the event, in the order of time. */
export interface Sides<T> {
  before: readonly T[]
  after: readonly T[]
}

/** A series of one kind of numbers, with what it is compared with. */
export interface Compared<T> extends Sides<T> {
  /** The same buckets on other days: a day ago, a week ago. */
  seasons?: readonly Sides<T>[] | undefined
  /** The buckets before the event, back to some days ago; those before it are the last ones. */
  past?: readonly T[] | undefined
  /** The same buckets of a baseline that ran at the same time, such as the stable version beside a canary. */
  baseline?: Sides<T> | undefined
}

/**
 * `share`: events out of a total, such as failed requests. `count`: events alone; `outOf` is the length of the bucket in minutes. One
 * bucket is enough for a share.
 */
export interface CountedSeries extends Compared<Counted> {
  kind: 'share' | 'count'
  /** Whether each bucket had any event, if the query distinguishes that from a count of 0. */
  present?: Compared<boolean> | undefined
}

/** Measured values, such as a percentile of each minute; null for a bucket without one. */
export interface MeasuredSeries extends Compared<number | null> {
  kind: 'measurement'
}

export type Series = CountedSeries | MeasuredSeries

/** What decides how a series is judged, besides its numbers. */
interface Judged {
  /** A change without a direction is `higher` or `lower`. */
  direction?: Direction | undefined
  /** What it is a part of the answer to: percentiles of one duration are of the same question. By default each is one of its own. */
  question?: string | undefined
  /** The length of the buckets, if it is known. */
  bucketMs?: number | undefined
  /** How many buckets lie between the time before and the time after. */
  gap?: number
  /** Whether the time before is that of the baseline after the event. */
  isBeside?: boolean
  /** Why it cannot be judged, if that is known already. It then takes no part of the error rate of the others. */
  lack?: string | undefined
}

export type JudgedSeries = Series & Judged

export const NOTHING: Counted = { events: 0, outOf: 0 }

/** A bucket of which nothing is known. */
export const emptyOf = (kind: Series['kind']) => (kind === 'measurement' ? null : NOTHING)

/** @returns whether a bucket has something: requests of a share, events of a count, a value */
export function isFilled(kind: Series['kind'], bucket: Bucket): boolean {
  if (bucket === null || typeof bucket === 'number') return bucket !== null
  return (kind === 'share' ? bucket.outOf : bucket.events) > 0
}

/** @returns whether most of the time before is empty: what began with the event can be compared only with what ran beside it */
export function isNew({ kind, before }: Series): boolean {
  return before.filter((bucket) => isFilled(kind, bucket)).length < before.length / 2
}

export const rateOf = ({ events, outOf }: Counted) => (outOf > 0 ? events / outOf : Number.NaN)

export function sumOf(buckets: readonly Counted[]): Counted {
  return buckets.reduce((sum, { events, outOf }) => ({ events: sum.events + events, outOf: sum.outOf + outOf }), NOTHING)
}
