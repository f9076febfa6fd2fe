/** The traffic of a dataset by chance, an hour at a time: an hour of a seed is the same, whoever asks for it and when. */
import { type Chance, createChance } from '../../packages/compare/__tests__/support/random.ts'
import { UNIT_MS } from '../../packages/contract/src/duration.ts'

/** The event of all worlds. */
export const EVENT = Date.parse('2026-01-31T12:00:00Z')
/** The buckets that are compared, of a minute each unless a world says otherwise. */
export const [BEFORE, AFTER] = [60, 10]
/** How many days of the past a judge is given, and the minutes of one. */
export const [PAST_DAYS, DAY] = [14, 24 * 60]

/** @returns what `make` gives for each number from 0 on */
export const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at))

/** @returns what gives the value of a key, which is made once */
export function keep<T, K = string>(): (key: K, make: () => T) => T {
  const known = new Map<K, T>()
  return (key, make) => {
    const value = known.get(key) ?? make()
    known.set(key, value)
    return value
  }
}

/** @returns a seed for what comes next, so that a round does not depend on how much the one before drew */
export const nextSeed = (chance: Chance): number => Math.floor(2 ** 32 * chance.uniform())

export function poisson(chance: Chance, mean: number): number {
  return mean > 100 ? Math.max(0, Math.round(mean + Math.sqrt(mean) * chance.normal())) : chance.poisson(mean)
}

/** @returns factors around 1 that resemble those before them by `memory`: their logarithm is an autoregressive process of the first order */
export function wander(chance: Chance, memory: number, deviation: number, length: number): number[] {
  let level = chance.normal()
  return list(length, () => {
    const factor = Math.exp(deviation * level)
    level = memory * level + Math.sqrt(1 - memory ** 2) * chance.normal()
    return factor
  })
}

/** What a minute is like on average; `slow` multiplies durations of about 80 ms. */
export interface Usual {
  perMinute?: number
  failing?: number
  slow?: number
}

/** What is known of some minutes. */
export interface Drawn {
  requests: number
  failed: number
  p50: number
  p95: number
  p99: number
}

/** @param minute from the event on @param daysAgo 0 for today */
export type UsualAt = (minute: number, daysAgo: number, isBeside: boolean) => Usual

const TICK_MS = 15_000
const MINUTES = 60
const DAY_HOURS = 24
/** So many hours before the event, and after it, are drawn by ticks, and so are they on other days; all others by minutes. */
const NEAR_HOURS = 2
/** The durations of a minute that are drawn at most; the others are like these. */
const DRAWN_MAX = 240
const PERCENTILES = [0.5, 0.95, 0.99]

/** An hour by ticks, with the percentiles of each minute. */
interface Hour {
  tickMs: number
  requests: Float64Array
  failed: Float64Array
  slow: Float64Array
  percentiles: Float64Array
}

/** @returns what happened between two times, which are milliseconds from the event on */
export type Traffic = (fromMs: number, toMs: number, isBeside?: boolean) => Drawn

export function drawTraffic(seed: number, usualAt: UsualAt): Traffic {
  const hours = keep<Hour, number>()
  const hourOf = (hour: number, isBeside: boolean) =>
    hours(2 * hour + Number(isBeside), () => drawHour(createChance(mix(seed, hour, Number(isBeside))), hour, isBeside, usualAt))
  return (fromMs, toMs, isBeside = false) => {
    const first = hourOf(Math.floor(fromMs / UNIT_MS.h), isBeside)
    const sum = { requests: 0, failed: 0, slow: first.slow[placeOf(first, fromMs)] ?? 1 }
    for (let ms = fromMs; ms < toMs; ) {
      const hour = hourOf(Math.floor(ms / UNIT_MS.h), isBeside)
      const at = placeOf(hour, ms)
      sum.requests += hour.requests[at] ?? 0
      sum.failed += hour.failed[at] ?? 0
      ms += hour.tickMs
    }
    if (toMs - fromMs === UNIT_MS.m)
      return { ...sum, ...percentilesOf(first.percentiles, placeOf({ tickMs: UNIT_MS.m }, fromMs)) }
    const found = new Float64Array(PERCENTILES.length)
    drawPercentiles(
      createChance(mix(seed, fromMs, toMs, Number(isBeside))),
      { ...sum, minutes: (toMs - fromMs) / UNIT_MS.m },
      found,
      0,
    )
    return { ...sum, ...percentilesOf(found, 0) }
  }
}

/** @returns what a version and the one beside it have together, with the percentiles of the one that has more requests */
export const sumVersions =
  (traffic: Traffic): Traffic =>
  (fromMs, toMs) => {
    const both = [false, true].map((isBeside) => traffic(fromMs, toMs, isBeside))
    const [most, least] = both.sort((a, b) => b.requests - a.requests) as [Drawn, Drawn]
    return { ...most, requests: most.requests + least.requests, failed: most.failed + least.failed }
  }

const placeOf = ({ tickMs }: Pick<Hour, 'tickMs'>, ms: number) =>
  Math.floor((ms - Math.floor(ms / UNIT_MS.h) * UNIT_MS.h) / tickMs)

const percentilesOf = (all: Float64Array, at: number) => {
  const [p50 = 0, p95 = 0, p99 = 0] = all.subarray(PERCENTILES.length * at)
  return { p50, p95, p99 }
}

/** @returns a seed for a part of what another seed makes */
function mix(...numbers: readonly number[]): number {
  let mixed = 0
  for (const number of numbers) {
    mixed = Math.imul(mixed ^ number ^ Math.floor(number / 2 ** 32), 0x9e3779b1)
    mixed ^= mixed >>> 15
  }
  return mixed >>> 0
}

function drawHour(chance: Chance, hour: number, isBeside: boolean, usualAt: UsualAt): Hour {
  const daysAgo = Math.max(0, Math.round(-hour / DAY_HOURS))
  const firstMinute = (hour + daysAgo * DAY_HOURS) * MINUTES
  const isNear = firstMinute >= -NEAR_HOURS * MINUTES && firstMinute < NEAR_HOURS * MINUTES
  const tickMs = isNear ? TICK_MS : UNIT_MS.m
  const [length, inMinute] = [UNIT_MS.h / tickMs, UNIT_MS.m / tickMs]
  const [requests, failed, slow] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)]
  for (let at = 0; at < length; at++) {
    const usual = usualAt(firstMinute + at / inMinute, daysAgo, isBeside)
    requests[at] = poisson(chance, (usual.perMinute ?? 150) / inMinute)
    failed[at] = chance.binomial(requests[at] ?? 0, usual.failing ?? 0.01)
    slow[at] = usual.slow ?? 1
  }
  const percentiles = new Float64Array(PERCENTILES.length * MINUTES)
  for (let minute = 0; minute < MINUTES; minute++) {
    const at = minute * inMinute
    const count = requests.subarray(at, at + inMinute).reduce((sum, one) => sum + one, 0)
    drawPercentiles(chance, { requests: count, slow: slow[at] ?? 1, minutes: 1 }, percentiles, PERCENTILES.length * minute)
  }
  return { tickMs, requests, failed, slow, percentiles }
}

/** Nearly that of the normal distribution (Abramowitz and Stegun, 26.2.22). */
function quantileOf(share: number): number {
  const tail = Math.sqrt(-2 * Math.log(Math.min(share, 1 - share)))
  const distance = tail - (2.30753 + 0.27061 * tail) / (1 + 0.99229 * tail + 0.04481 * tail ** 2)
  return share < 0.5 ? -distance : distance
}

/** The percentiles of so many durations, without drawing each: their places are as far apart as sums of exponential variables. */
function drawPercentiles(
  chance: Chance,
  { requests, slow, minutes }: { requests: number; slow: number; minutes: number },
  into: Float64Array,
  at: number,
): void {
  const count = Math.min(requests, DRAWN_MAX * minutes)
  if (count === 0) return
  let [place, sum] = [0, 0]
  for (const [index, p] of PERCENTILES.entries()) {
    const next = 1 + Math.floor((count - 1) * p)
    if (next > place) sum += chance.gamma(next - place, 1)
    place = next
    into[at + index] = sum
  }
  const total = sum + chance.gamma(count + 1 - place, 1)
  // In tenths of a millisecond.
  for (const index of PERCENTILES.keys())
    into[at + index] = Math.round(800 * slow * Math.exp(0.5 * quantileOf((into[at + index] ?? 0) / total))) / 10
}
