/**
 * What the series did at earlier moments by itself: it is looked how much higher each of some hundred times of ten minutes was than the
 * hour before it, less what the last minutes and the same time a day and a week ago let one expect. How many of them rose as much as the
 * time after the event is how often that happens without it: more than at 299 of 300 earlier moments. It has to be rare among those near
 * its hour, too. What happens at one hour only is hardly among them, so the past never judges alone (tested.ts).
 */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { type Bucket, emptyOf, isFilled, type JudgedSeries, NOTHING } from './series.ts'
import type { Past, Tails } from './tested.ts'
import type { Span } from './windows.ts'

/** How many earlier moments are looked at, … */
const MOMENTS = 300
/** … half of them at most this far from the hour of the event, because each hour has its own habits. */
const NEAR_MS = UNIT_MS.h
/** Of fewer times beside each other nobody knows what is rare. */
const TIMES_MIN = 60
/** A time with a smaller part of its buckets filled than those of the event have is left out. */
const FILLED_MIN = 0.8
/** Beyond all moments the chance falls as it does among this number of the highest. */
const HIGHEST = 10

/** How much higher it was after a moment, what could be known of that before, and the variance by chance. */
interface Rise {
  value: number
  known: readonly number[]
  variance: number
}

/**
 * @param leftOut how many buckets before the event are left out
 * @returns `undefined` if too little is known of the past
 */
export function comparePast({ kind, past, before, after, bucketMs }: JudgedSeries, leftOut: number): Past | undefined {
  const line = past && readLine(past.slice(0, -before.length), [...before, ...after])
  if (!line || bucketMs === undefined) return undefined
  const [event, day, week] = [past.length, UNIT_MS.d / bucketMs, UNIT_MS.w / bucketMs]
  const sidesAt = (at: number) => [line.levelOf(at - before.length, at - leftOut), line.levelOf(at, at + after.length)] as const
  // Of another day a longer time is known just as well, and less by chance.
  const usualAt = (at: number) => line.levelOf(at - after.length, at + 2 * after.length).value - sidesAt(at)[0].value
  const describe = (at: number): Rise => {
    const [first, second] = sidesAt(at)
    const latelyAt = (length: number) => line.levelOf(Math.round(at - leftOut - length), at - leftOut).value - first.value
    const known = [latelyAt(after.length / 2), latelyAt(2 * after.length), usualAt(at - day), usualAt(at - week)]
    return {
      value: second.value - first.value,
      known: [1, ...known.map((one) => one || 0)],
      variance: 1 / ((first.events / first.outOf) * second.outOf + 0.5) + 1 / (first.events + 0.5),
    }
  }
  const leastOf = (from: number, to: number) => Math.max(1, FILLED_MIN * line.countFilled(from, to))
  const least = { before: leastOf(event - before.length, event - leftOut), after: leastOf(event, event + after.length) }
  const isWhole = (at: number) =>
    line.countFilled(at - before.length, at - leftOut) >= least.before && line.countFilled(at, at + after.length) >= least.after
  const isNear = (at: number) => Math.abs(((event - at + day / 2) % day) - day / 2) * bucketMs <= NEAR_MS
  const [near, far]: [number[], number[]] = [[], []]
  // Each has a week before it, and ends before the time before the event.
  const first = past.findIndex((bucket) => isFilled(kind, bucket)) + week + before.length
  for (let at = first; at <= event - before.length - after.length; at++) if (isWhole(at)) (isNear(at) ? near : far).push(at)
  if (near.length + far.length < TIMES_MIN * after.length) return undefined
  return rank(describe(event), spread(near).map(describe), spread(far).map(describe))
}

/** Harm is not over with the mark of what did it. */
const HARM_MS = UNIT_MS.h

/** @returns the past until an event, with nothing in it for an hour from each of these times on: what hurt is not usual */
export function withoutHarm<T extends JudgedSeries>(series: T, eventMs: number, hurt: readonly Span[]): T {
  const { past, bucketMs = 0, kind } = series
  if (!past || hurt.length === 0) return series
  const placeOf = (ms: number) => Math.max(0, Math.ceil(past.length - (eventMs - ms) / bucketMs))
  const left: Bucket[] = [...past]
  for (const { startMs, endMs } of hurt) left.fill(emptyOf(kind), placeOf(startMs - bucketMs + 1), placeOf(endMs + HARM_MS))
  return { ...series, past: left }
}

/** @returns half of the moments that are looked at, evenly */
function spread(all: readonly number[]): number[] {
  const few = Math.min(MOMENTS / 2, all.length)
  return Array.from({ length: few }, (_, at) => all[Math.floor((at * all.length) / few)] ?? 0)
}

/** @returns the sums of the buckets between two places; `undefined` if values of today have no logarithm */
function readLine(past: readonly Bucket[], today: readonly Bucket[]) {
  if (today.some((one) => typeof one === 'number' && one <= 0)) return undefined
  const isCounted = today.some((one) => typeof one === 'object' && one !== null)
  const length = past.length + today.length
  const [events, outOf, filled] = [new Float64Array(length + 1), new Float64Array(length + 1), new Float64Array(length + 1)]
  for (let at = 0; at < length; at++) {
    const one = (at < past.length ? past[at] : today[at - past.length]) ?? NOTHING
    const isValue = typeof one === 'number'
    const size = isValue ? Number(one > 0) : one.outOf
    const sum = isValue ? Math.log(Math.max(one, Number.MIN_VALUE)) * size : one.events
    events[at + 1] = (events[at] ?? 0) + sum
    outOf[at + 1] = (outOf[at] ?? 0) + size
    filled[at + 1] = (filled[at] ?? 0) + Number(size > 0)
  }
  const between = (sums: Float64Array, from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0)
  // Of a time its mean on the scale on which changes add up, and what that is made of.
  const levelOf = (from: number, to: number) => {
    const [sum, size] = [between(events, from, to), between(outOf, from, to)]
    const value = isCounted ? Math.log((sum + 0.5) / size) : sum / size
    return { value: size > 0 ? value : Number.NaN, events: isCounted ? sum : size, outOf: size }
  }
  return { levelOf, countFilled: (from: number, to: number) => between(filled, from, to) }
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0)

/** Compares a rise with those at the moments, each less what the others let one expect of it (ridge regression). */
function rank(own: Rise, near: readonly Rise[], far: readonly Rise[]): Past {
  const weigh = ({ value, known, variance }: Rise) => {
    const unit = Math.sqrt(variance)
    return { y: value / unit, x: known.map((one) => one / unit), unit }
  }
  const [event, rows] = [weigh(own), [...near, ...far].map(weigh)]
  const sumOf = (read: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + read(row), 0)
  // The inverse of the matrix of all products, a moment at a time (Sherman and Morrison). It begins as if there were one moment more.
  let inverse = event.x.map((_, i) =>
    event.x.map((__, j) => (i === j ? 1 / (1e-9 + sumOf(({ x }) => (x[i] ?? 0) ** 2) / rows.length) : 0)),
  )
  const reach = (x: readonly number[]) => inverse.map((row) => dot(row, x))
  for (const { x } of rows) {
    const along = reach(x)
    const by = 1 + dot(x, along)
    inverse = inverse.map((row, i) => row.map((one, j) => one - ((along[i] ?? 0) * (along[j] ?? 0)) / by))
  }
  const weights = reach(event.x.map((_, at) => sumOf(({ x, y }) => (x[at] ?? 0) * y)))
  const found = rows.map(({ x, y }) => (y - dot(x, weights)) / Math.sqrt(1 - Math.min(0.99, dot(x, reach(x)))))
  const groups = near.length > HIGHEST ? [found, found.slice(0, near.length)] : [found]
  const sort = (sign: number) => groups.map((all) => all.map((one) => sign * one).sort((a, b) => a - b))
  const [rising, falling] = [sort(1), sort(-1)]
  const tailAmong = (sorted: readonly number[][], distance: number) => Math.max(...sorted.map((all) => tailOf(all, distance)))
  const unit = event.unit * Math.sqrt(1 + dot(event.x, reach(event.x)))
  const excess = (event.y - dot(event.x, weights)) * event.unit
  const tails: Tails = (shift) => {
    const distance = (excess - shift) / unit
    return { pHigher: tailAmong(rising, distance), pLower: tailAmong(falling, -distance) }
  }
  const [side = []] = excess > 0 ? rising : falling
  return { tails, earlier: { moments: side.length, reached: countReached(side, Math.abs(excess) / unit) } }
}

/** @param reached in rising order @returns how many are at least as high */
const countReached = (reached: readonly number[], distance: number) =>
  reached.length - reached.findLastIndex((one) => one < distance) - 1

/** @param reached in rising order @returns how often one of them, or this one, is as high as this one */
function tailOf(reached: readonly number[], distance: number): number {
  const higher = countReached(reached, distance)
  const chance = (1 + higher) / (1 + reached.length)
  const highest = reached.slice(-HIGHEST)
  const [from = 0] = highest
  const mean = highest.reduce((sum, one) => sum + one - from, 0) / (highest.length - 1)
  return higher > 0 ? chance : Math.min(chance, (HIGHEST / (1 + reached.length)) * Math.exp((from - distance) / mean))
}
