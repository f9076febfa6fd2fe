/** Whether something that was nearly always there has disappeared. */

/** At least this share of the buckets before must have something, … */
const PRESENT = 0.9
/** … and at least this number of buckets. */
const BUCKETS_MIN = 8
/** A bucket with less than this share of the usual amount counts as empty, because health checks continue without users. */
const EMPTY = 0.02
/**
 * The minimum of empty buckets in a row at the end. They must also be half of the time, and three times as many as were ever empty
 * before, because some senders are minutes late.
 */
const RUN_MIN = 3
const RUN_SHARE = 0.5
const RUN_TIMES = 3
/** The amount that a single bucket needs, for a query that is not grouped by time. */
const ALONE_MIN = 200

/** @param before the amount in each bucket, such as requests; 0 for nothing */
export function isGone(before: readonly number[], after: readonly number[]): boolean {
  if (after.length === 0) return false
  if (before.length === 1) return (before[0] ?? 0) >= ALONE_MIN && after.every((size) => size === 0)
  const usual = before.toSorted((a, b) => a - b)[Math.floor(before.length / 2)] ?? 0
  const isEmpty = (size: number) => size <= EMPTY * usual
  const empty = before.filter(isEmpty).length
  if (before.length < BUCKETS_MIN || empty > (1 - PRESENT) * before.length) return false
  const run = after.length - 1 - after.findLastIndex((size) => !isEmpty(size))
  const shortest = after.length < RUN_MIN ? 2 : Math.max(RUN_MIN, RUN_SHARE * after.length)
  const least = Math.max(shortest, RUN_TIMES * longestRun(before.map(isEmpty)))
  return run >= least
}

function longestRun(flags: readonly boolean[]): number {
  let [longest, run] = [0, 0]
  for (const flag of flags) {
    run = flag ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
