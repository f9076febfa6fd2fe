/**
 * What is judged: one series of numbers before and after an event.
 * Deliberately not here: where the numbers come from (tables.ts), and what becomes of them (judge.ts).
 */

/** Which way is worse. Latencies and errors are worse when higher, throughput when lower. */
export const DIRECTIONS = ['higher is worse', 'lower is worse'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** So many things were counted out of so many: failed out of all requests, or events in so many minutes. */
export interface Counted {
  events: number
  outOf: number
}

/**
 * `share`: events out of others, such as failed requests. `count`: events by themselves; `outOf` is the minutes of the bucket.
 * Both as they were counted in each bucket, in the order of time; one bucket is enough for a share.
 */
export interface CountedSeries {
  kind: 'share' | 'count'
  before: readonly Counted[]
  after: readonly Counted[]
  /** The same time one season earlier as `after`. */
  season?: readonly Counted[]
}

/** Values of buckets, in the order of time, such as a percentile of each minute; null where a bucket has none. */
export interface MeasuredSeries {
  kind: 'measurement'
  before: readonly (number | null)[]
  after: readonly (number | null)[]
  season?: readonly (number | null)[]
}

export type Series = CountedSeries | MeasuredSeries
