/** Joins the bins of a chart to points that each say something: few errors a minute are noise, however they are drawn. Pure. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Frame, Values } from '../chart/frame.ts'

/** A point stands for at least this many errors, or values of a percentile. */
const COUNT_MIN = 30
/** A dataset with more releases is cut only at those that changed something. */
const BINS_PER_CUT = 8
/** What is known of now: of so many bins, and of at least so long. */
const LATEST_BINS = 3
const LATEST_MS = 10 * UNIT_MS.m

/** Bins from the first until before the second, and whether something changed at its start. */
type Span = readonly [from: number, until: number, isChange: boolean]

export interface Binned {
  values: Values
  /** Of what each value is the mean; each counts the same without them. */
  weights?: Values | undefined
  /** How many errors or values each bin has; any are enough without them. */
  counts?: Values | undefined
}

/** A moment at which the levels may change. */
export interface Cut {
  ms: number
  /** Whether it was found to have changed something. */
  isChange: boolean
}

/**
 * @returns the bins between the cuts. A bin in which a release is has both levels, so it is in no span, and neither are those that have
 * begun before the range or are not over
 */
export function spansOf({ times, stepMs }: Frame, range: { startMs: number; endMs: number }, cuts: readonly Cut[]): Span[] {
  const isLong = times.length > 2
  const first = isLong && (times[0] ?? 0) < range.startMs ? 1 : 0
  const isUnfinished = isLong && (times.at(-1) ?? 0) + stepMs > range.endMs
  const until = times.length - (isUnfinished ? 1 : 0)
  const chosen = cuts.length > times.length / BINS_PER_CUT ? cuts.filter(({ isChange }) => isChange) : cuts
  const mixed = new Map<number, boolean>()
  for (const { ms, isChange } of chosen) {
    const bin = Math.floor((ms - (times[0] ?? 0)) / stepMs)
    if (bin >= first && bin < until) mixed.set(bin, isChange || mixed.get(bin) === true)
  }
  const ends = [...mixed.keys()].sort((a, b) => a - b)
  const starts: [from: number, isChange: boolean][] = [
    [first, true],
    ...ends.map((bin) => [bin + 1, mixed.get(bin) === true] as [number, boolean]),
  ]
  return starts.map(([from, isChange], at): Span => [from, ends[at] ?? until, isChange]).filter(([from, end]) => end > from)
}

/** @returns the spans; one that is too short for a point goes on where nothing is known to have changed */
function joinShort({ counts }: Binned, spans: readonly Span[]): Span[] {
  const countIn = ([from, until]: Span) =>
    counts?.slice(from, until).reduce<number>((sum, count) => sum + (count ?? 0), 0) ?? COUNT_MIN
  const joined: Span[] = []
  for (const span of spans) {
    const before = joined.at(-1)
    if (before && !span[2] && Math.min(countIn(before), countIn(span)) < COUNT_MIN)
      joined.splice(-1, 1, [before[0], span[1], before[2]])
    else joined.push(span)
  }
  return joined
}

/**
 * @param binsMin the fewest bins of a point
 * @returns a value at the middle of each point and at the ends of each span, and `undefined` between them
 */
export function joinBins(binned: Binned, spans: readonly Span[], binsMin: number): (number | undefined)[] {
  const points: (number | undefined)[] = Array.from({ length: binned.values.length + 1 })
  for (const span of joinShort(binned, spans)) {
    const joined = joinSpan(binned, span, binsMin)
    for (const { from, until, sum, weight } of joined) points[(from + until) >> 1] = sum / weight
    const [first, last] = [joined.at(0), joined.at(-1)]
    if (first) points[first.from] = first.sum / first.weight
    if (last) points[last.until] = last.sum / last.weight
  }
  return points
}

/** @returns the mean of the last bins since the last change: of so many that a point stands for; `undefined` without any */
export function latestOf(binned: Binned, spans: readonly Span[], stepMs: number): number | undefined {
  const until = spans.at(-1)?.[1] ?? 0
  const start = spans.findLast(([, , isChange]) => isChange)?.[0] ?? 0
  const least = Math.max(LATEST_BINS, Math.ceil(LATEST_MS / stepMs))
  let from = until
  for (let count = 0; from > start && (until - from < least || count < COUNT_MIN); from--)
    count += binned.counts ? (binned.counts[from - 1] ?? 0) : COUNT_MIN
  const [all] = joinSpan({ ...binned, counts: binned.values.map(() => 0) }, [from, until], 1)
  return all && all.sum / all.weight
}

interface Joined {
  from: number
  until: number
  sum: number
  weight: number
}

/** The rest of a span joins the point before it; where it is the only one, it is drawn as a flat line. */
function joinSpan(
  { values, weights, counts }: Binned,
  [from, until]: readonly [number, number, ...unknown[]],
  binsMin: number,
): Joined[] {
  const joined: Joined[] = []
  let open: Joined | undefined
  let count = 0
  for (let bin = from; bin < until; bin++) {
    const value = values[bin] ?? null
    const weight = weights ? (weights[bin] ?? 0) : 1
    if (value !== null && weight > 0) {
      open ??= { from: bin, until: bin, sum: 0, weight: 0 }
      open.sum += value * weight
      open.weight += weight
      open.until = bin + 1
      count += counts ? (counts[bin] ?? 0) : COUNT_MIN
    }
    if (!open || bin + 1 - open.from < binsMin || count < COUNT_MIN) continue
    joined.push(open)
    open = undefined
    count = 0
  }
  const before = joined.at(-1)
  if (open && before)
    Object.assign(before, { until: open.until, sum: before.sum + open.sum, weight: before.weight + open.weight })
  return open && !before ? [open] : joined
}
