/** Whether something that was nearly always there has disappeared. */
import type { Compared, JudgedSeries, Sides } from './series.ts'

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

export function isGone(series: JudgedSeries): boolean {
  const { before, after } = sizesOf(series) ?? { before: [], after: [] }
  if (after.length === 0) return false
  if (before.length === 1) return (before[0] ?? 0) >= ALONE_MIN && after.every((size) => size === 0)
  if (!isSteady(before)) return false
  const usual = usualOf(before)
  const shortest = after.length < RUN_MIN ? 2 : Math.max(RUN_MIN, RUN_SHARE * after.length)
  return runAtEnd(after, usual) >= Math.max(shortest, RUN_TIMES * longestRun(before, usual))
}

/**
 * @param today is gone
 * @param days the same of other days, with the time around the end of today in the place of the time after
 * @returns whether it ends for as long on all other days on which it was there, as that of an office does in the evening
 */
export function isUsualEnd(today: JudgedSeries, days: readonly JudgedSeries[]): boolean {
  const lengthOf = (series: JudgedSeries, countRun: typeof runAtEnd) => {
    const { before, after } = sizesOf(series) ?? { before: [], after: [] }
    return countRun(after, usualOf(before)) * (series.bucketMs ?? 1)
  }
  const others = days.filter((day) => isSteady(sizesOf(day)?.before ?? []))
  return others.length > 0 && others.every((day) => lengthOf(day, longestRun) >= lengthOf(today, runAtEnd))
}

/** @returns the amount in each bucket, such as requests; 0 for nothing. `undefined` if it is no loss that nothing comes */
function sizesOf(series: JudgedSeries): Sides<number> | undefined {
  if (series.isBeside) return undefined
  const isLessBetter = series.direction === 'higher-is-worse'
  // A sum without events is 0. If less is better, that is good.
  if (series.kind === 'measurement') return sidesOf(series, (value) => Number(value !== null && (value !== 0 || isLessBetter)))
  if (series.present) return sidesOf(series.present, Number)
  if (series.kind === 'share') return sidesOf(series, ({ outOf }) => outOf)
  // If only the failures disappeared, that is good. If the requests disappeared too, it is the worst case.
  return isLessBetter ? undefined : sidesOf(series, ({ events }) => events)
}

function sidesOf<T>({ before, after }: Compared<T>, sizeOf: (bucket: T) => number): Sides<number> {
  return { before: before.map(sizeOf), after: after.map(sizeOf) }
}

function isSteady(before: readonly number[]): boolean {
  const least = NOTHING * usualOf(before)
  const filled = before.filter((size) => size > least).length
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
