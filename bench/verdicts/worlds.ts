/**
 * Worlds in which nothing, or something known, happens at a deployment: an hour before it and ten minutes after, a bucket a minute. Where
 * rates have memory their logarithm is an autoregressive process of the first order.
 */
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import { drawLevels } from '../../packages/compare/__tests__/support/simulation.ts'
import type { Counted, Direction, Series, Sides } from '../../packages/compare/src/series.ts'

const BEFORE = 60
const AFTER = 10

export interface World {
  name: string
  /** How often `worse` should come out at least, or may at most. */
  atLeast?: number
  atMost?: number
  direction?: Direction
  /** The share of the error rate that it is looked at with. */
  share?: number
  draw: (chance: Chance) => Series
}

const { exp, sqrt } = Math
const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at))
const cut = <T>(all: readonly T[]): Sides<T> => ({ before: all.slice(0, BEFORE), after: all.slice(BEFORE) })
const stepAt = (at: number, times: number) => (at >= BEFORE ? times : 1)

function poisson(chance: Chance, mean: number): number {
  return mean > 400 ? Math.max(0, Math.round(mean + sqrt(mean) * chance.normal())) : chance.poisson(mean)
}

/** @returns factors around 1 that resemble those before them by `memory` */
function wander(chance: Chance, memory: number, deviation: number, after = AFTER): number[] {
  let level = chance.normal()
  return list(BEFORE + after, () => {
    const factor = exp(deviation * level)
    level = memory * level + sqrt(1 - memory ** 2) * chance.normal()
    return factor
  })
}

interface RateOptions {
  /** Requests a minute, or events where there is no `share`. */
  perMinute: number
  share?: number
  memory?: number
  deviation?: number
  times?: number
  /** A baseline with the same rates runs beside. */
  hasBaseline?: boolean
}

function rates({ perMinute, share = 0, memory = 0, deviation = 0, times = 1, hasBaseline = false }: RateOptions) {
  return (chance: Chance): Series => {
    const factors = wander(chance, memory, deviation)
    const mean = share > 0 ? perMinute * share : perMinute
    const draw = (change: number): Sides<Counted> =>
      cut(
        factors.map((factor, at) => ({
          events: poisson(chance, mean * factor * stepAt(at, change)),
          outOf: share > 0 ? perMinute : 1,
        })),
      )
    return { kind: share > 0 ? 'share' : 'count', ...draw(times), ...(hasBaseline && { baseline: draw(1) }) }
  }
}

/** Failures in bursts: mostly none, sometimes many. */
const bursts =
  (shape: number) =>
  (chance: Chance): Series => ({
    kind: 'share',
    ...cut(list(BEFORE + AFTER, () => ({ events: chance.poisson(chance.gamma(shape, 2 / shape)), outOf: 200 }))),
  })

interface LatencyOptions {
  memory?: number
  deviation?: number
  noise?: number
  /** How much it rises in an hour, as a share; all along, or from the deployment on. */
  drift?: number
  leak?: number
  times?: number
  /** An hour is looked at after two, in buckets of two minutes. */
  isHour?: boolean
}

const latencies =
  ({ memory = 0, deviation = 0, noise = 0.1, drift = 0, leak = 0, times = 1, isHour = false }: LatencyOptions) =>
  (chance: Chance): Series => {
    const factors = wander(chance, memory, deviation, isHour ? 30 : AFTER)
    const bucketsAnHour = isHour ? 30 : 60
    const value = (factor: number, at: number) =>
      100 *
      factor *
      exp(noise * chance.normal()) *
      (1 + (drift * at + leak * Math.max(0, at - BEFORE)) / bucketsAnHour) *
      stepAt(at, times)
    return { kind: 'measurement', ...cut(factors.map(value)) }
  }

/** Traffic between 7 and 9 in the morning, with so many other days. */
const morning =
  (perMinute: number, times: number, days: number) =>
  (chance: Chance): Series => {
    const startsAt = 7 * 60 + Math.floor(chance.uniform() * 110) - BEFORE
    const usual = (minute: number) => 0.3 + 0.7 / (1 + exp((8 * 60 - minute) / 25))
    const day = (change: number): Sides<Counted> => {
      const size = perMinute * exp(0.05 * chance.normal())
      const factors = wander(chance, 0.8, 0.03)
      const mean = (factor: number, at: number) => size * usual(startsAt + at) * factor * stepAt(at, change)
      return cut(factors.map((factor, at) => ({ events: poisson(chance, mean(factor, at)), outOf: 1 })))
    }
    return { kind: 'count', ...day(times), seasons: list(days, () => day(1)) }
  }

const MEMORIES = [0.5, 0.8, 0.9, 0.95]
const many = (name: string, options: RateOptions, atMost?: number): World[] =>
  MEMORIES.map((memory) => ({
    name: `${name}, memory ${memory}`,
    ...(atMost !== undefined && { atMost }),
    draw: rates({ ...options, memory }),
  }))

/** What the service looks at an hour later, with a tenth of the error rate. */
const HOUR = { share: 0.1 } as const

/** Nothing happens. Worlds without a bound are there to show the limits. */
export const UNCHANGED: readonly World[] = [
  { name: 'share of 1 %, 200 a minute, independent', atMost: 5, draw: rates({ perMinute: 200, share: 0.01 }) },
  { name: 'share of 1 %, 2,000 a minute, independent', atMost: 5, draw: rates({ perMinute: 2_000, share: 0.01 }) },
  { name: 'share in bursts (negative binomial, 0.5)', atMost: 5, draw: bursts(0.5) },
  { name: 'share in bursts (negative binomial, 0.1)', atMost: 5, draw: bursts(0.1) },
  ...many('share of 1 %, 2,000 a minute', { perMinute: 2_000, share: 0.01, deviation: 0.5 }, 6),
  ...many('count, 200 a minute', { perMinute: 200, deviation: 0.2 }, 6),
  ...many('share of 1 %, 200 a minute', { perMinute: 200, share: 0.01, deviation: 0.5 }),
  ...many('count, 20 a minute', { perMinute: 20, deviation: 0.2 }),
  ...MEMORIES.map((memory) => ({ name: `p95, memory ${memory}`, atMost: 6, draw: latencies({ memory, deviation: 0.15 }) })),
  ...[0.1, 0.2, 0.4].map((drift) => ({
    name: `p95 that drifts ${drift * 100} % an hour`,
    atMost: 6,
    draw: latencies({ drift, noise: 0.05 }),
  })),
  ...[0.5, 0.9].map((memory) => ({
    name: `p95 in the hour after, memory ${memory}`,
    ...HOUR,
    atMost: 1,
    draw: latencies({ memory, deviation: 0.15, isHour: true }),
  })),
  {
    name: 'p95 in the hour after, drift of 20 %',
    ...HOUR,
    atMost: 1,
    draw: latencies({ drift: 0.2, noise: 0.05, isHour: true }),
  },
  { name: 'traffic in the morning, with yesterday', atMost: 6, draw: morning(2_000, 1, 1) },
  { name: 'low traffic, 2 a minute', atMost: 5, draw: rates({ perMinute: 2 }) },
  { name: 'p99 of 35 a minute, which jumps between two levels', atMost: 5, draw: drawLevels },
]

/** Something happens. */
export const CHANGED: readonly World[] = [
  { name: 'share ×2, 200 a minute, independent', atLeast: 95, draw: rates({ perMinute: 200, share: 0.01, times: 2 }) },
  { name: 'share ×2, 2,000 a minute, independent', atLeast: 99, draw: rates({ perMinute: 2_000, share: 0.01, times: 2 }) },
  {
    name: 'share ×2, 2,000 a minute, memory 0.9',
    atLeast: 55,
    draw: rates({ perMinute: 2_000, share: 0.01, memory: 0.9, deviation: 0.5, times: 2 }),
  },
  {
    name: 'the same with a baseline beside',
    atLeast: 90,
    draw: rates({ perMinute: 2_000, share: 0.01, memory: 0.9, deviation: 0.5, times: 2, hasBaseline: true }),
  },
  { name: 'p95 +30 %', atLeast: 98, draw: latencies({ noise: 0.15, times: 1.3 }) },
  { name: 'a leak: p95 +40 % an hour from the deployment on', draw: latencies({ noise: 0.05, leak: 0.4 }) },
  { name: 'the same leak, in the hour after', ...HOUR, atLeast: 95, draw: latencies({ noise: 0.05, leak: 0.4, isHour: true }) },
  {
    name: 'traffic −20 % in the morning, with yesterday',
    atLeast: 80,
    direction: 'lower-is-worse',
    draw: morning(2_000, 0.8, 1),
  },
  {
    name: 'the same with yesterday and a week ago',
    atLeast: 80,
    direction: 'lower-is-worse',
    draw: morning(2_000, 0.8, 2),
  },
]
