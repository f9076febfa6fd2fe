/** Whether something that was nearly always there has disappeared. */
import type { Sides } from './series.ts'

/** At least this share of the buckets before must have something, … */
const PRESENT = 0.9
/** … and at least this number of buckets. */
const BUCKETS_MIN = 8
/** Less than this share of the usual amount counts as nothing, because health checks continue without users. */
const NOTHING = 0.03
/**
 * The minimum of buckets at the end that together have nothing. They must also be half of the time, and three times as many as ever had
 * nothing before, because some senders are minutes late.
 */
const RUN_MIN = 3
const RUN_SHARE = 0.5
const RUN_TIMES = 3
/** The amount that a single bucket needs, for a query that is not grouped by time. */
const ALONE_MIN = 200

type Sizes = Sides<number>

/**
 * @param today the amount in each bucket, such as requests; 0 for nothing
 * @param seasons the same of other days
 * @returns `stops` where it ends on all other days, too, as that of an office does in the evening
 */
export function findGone(today: Sizes, seasons: readonly Sizes[]): 'gone' | 'stops' | undefined {
  if (!isGone(today)) return undefined
  const others = seasons.filter(({ before }) => isSteady(before))
  return others.length > 0 && others.every(stops) ? 'stops' : 'gone'
}

function isGone({ before, after }: Sizes): boolean {
  if (after.length === 0) return false
  if (before.length === 1) return (before[0] ?? 0) >= ALONE_MIN && after.every((size) => size === 0)
  if (!isSteady(before)) return false
  const usual = usualOf(before)
  const shortest = after.length < RUN_MIN ? 2 : Math.max(RUN_MIN, RUN_SHARE * after.length)
  return runAtEnd(after, usual) >= Math.max(shortest, RUN_TIMES * longestRun(before, usual))
}

/** The end need not be at the same minute as today. */
function stops({ before, after }: Sizes): boolean {
  const usual = usualOf(before)
  return runAtEnd(after, usual) > longestRun(before, usual)
}

function isSteady(before: readonly number[]): boolean {
  const filled = before.filter((size) => size > NOTHING * usualOf(before)).length
  return before.length >= BUCKETS_MIN && filled >= PRESENT * before.length
}

/** @returns how many buckets at the end have next to nothing, all together: a health check may come at any time */
function runAtEnd(sizes: readonly number[], usual: number): number {
  let [run, sum] = [0, 0]
  for (const [at, size] of sizes.toReversed().entries()) {
    sum += size
    if (sum <= NOTHING * usual * (at + 1)) run = at + 1
  }
  return run
}

function longestRun(sizes: readonly number[], usual: number): number {
  return Math.max(0, ...sizes.map((_, at) => runAtEnd(sizes.slice(0, at + 1), usual)))
}

const usualOf = (sizes: readonly number[]) => sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0
