/**
 * When a change began. An annotation may be some minutes late, so the buckets just before it may be those of the change already. They are
 * left out of the time before, and are asked here whether they are like the time before or like the time after.
 */
import { emptyOf, type JudgedSeries, type Series } from './series.ts'

/** So many minutes late an annotation may be. */
const LATE_MS = 180_000
/** At most this part of the time before is left out, so that a cut one keeps enough. */
const LEFT_OUT_MAX = 1 / 20
/** A change can have begun at most this number of buckets before those that are left out. */
const EARLIER = 10
/** The logarithm of how much likelier it has to be that the change began before the event. */
const LIKELIER = 4

/** @returns how many buckets before the event are left out */
export function countLeftOut({ before, bucketMs }: JudgedSeries): number {
  return bucketMs === undefined ? 0 : Math.min(Math.ceil(LATE_MS / bucketMs), Math.round(before.length * LEFT_OUT_MAX))
}

/**
 * @returns the series with nothing in the last buckets before the event, and in those between the event and the time after, so that what
 *   has memory is forecast over them
 */
export function leaveOut<T extends JudgedSeries>(series: T, count: number): T {
  const none = emptyOf(series.kind)
  const { before, seasons, past, gap = 0 } = series
  const widen = (buckets: readonly unknown[]) => [...buckets, ...Array.from({ length: gap }, () => none)]
  const kept = before.length - count
  return {
    ...series,
    before: widen(before.map((bucket, at) => (at < kept ? bucket : none))),
    ...(seasons && { seasons: seasons.map((day) => ({ ...day, before: widen(day.before) })) }),
    ...(past && { past: widen(past) }),
  }
}

/**
 * @param levels the values before and after
 * @returns how many buckets before the event the change began; 0 if it began with it
 */
export function findOnset(series: JudgedSeries, levels: { before: number; after: number }): number {
  const gains = gainsOf(series, levels)
    .slice(-(countLeftOut(series) + EARLIER))
    .toReversed()
  let [sum, most, began] = [0, LIKELIER, 0]
  for (const [at, gain] of gains.entries()) {
    sum += gain
    if (sum <= most) continue
    most = sum
    began = at + 1
  }
  return began
}

/** How much likelier each bucket before is after the change than before it, as a logarithm: counts are Poisson, values normal. */
function gainsOf(series: Series, levels: { before: number; after: number }): number[] {
  const [before, after] = [Math.max(levels.before, levels.after / 100), Math.max(levels.after, levels.before / 100)]
  if (series.kind !== 'measurement')
    return series.before.map(({ events, outOf }) => events * Math.log(after / before) - (after - before) * outOf)
  const present = series.before.filter((value) => value !== null)
  const variance = present.reduce((sum, value) => sum + (value - levels.before) ** 2, 0) / present.length
  return series.before.map((value) =>
    value === null ? 0 : ((value - (levels.before + levels.after) / 2) * (levels.after - levels.before)) / variance,
  )
}
