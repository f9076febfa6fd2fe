/**
 * What is judged: one series of numbers before and after an event.
 * Deliberately not here: where the numbers come from (tables.ts), and what becomes of them (judge.ts).
 */

/** Which way is worse. Latencies and errors are worse when higher, throughput when lower. */
export const DIRECTIONS = ['higher-is-worse', 'lower-is-worse'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** So many things were counted out of so many: failed out of all requests, or events in so many minutes. */
export interface Counted {
  events: number
  outOf: number
}

/** The numbers of each bucket on both sides of the event, in the order of time. */
export interface Sides<T> {
  before: readonly T[]
  after: readonly T[]
}

interface Compared<T> extends Sides<T> {
  /** The same buckets at other times that say what was to be expected: a day ago, a week ago. */
  seasons?: readonly Sides<T>[] | undefined
  /** The same buckets of a baseline that ran beside, such as the stable version beside a canary. */
  baseline?: Sides<T> | undefined
}

/**
 * `share`: events out of others, such as failed requests. `count`: events by themselves; `outOf` is the minutes of the bucket.
 * One bucket is enough for a share.
 */
export interface CountedSeries extends Compared<Counted> {
  kind: 'share' | 'count'
  /** Whether there was any event in each bucket, where the query can tell that from none that it counts. */
  present?: Sides<boolean> | undefined
}

/** Values of buckets, such as a percentile of each minute; null where a bucket has none. */
export interface MeasuredSeries extends Compared<number | null> {
  kind: 'measurement'
}

export type Series = CountedSeries | MeasuredSeries
