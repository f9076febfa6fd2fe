/**
 * Worlds in which nothing, or something known, happens at a deployment: an hour before it and ten minutes after, a bucket a minute. Where
 * rates have memory their logarithm is an autoregressive process of the first order.
 */
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import { drawLevels } from '../../packages/compare/__tests__/support/simulation.ts'
import { withShare } from '../../packages/compare/src/around.ts'
import { JUDGE_DEFAULTS, judge } from '../../packages/compare/src/judge.ts'
import type { Counted, Direction, Series, Sides } from '../../packages/compare/src/series.ts'

const BEFORE = 60
const AFTER = 10

type Draw = (chance: Chance) => Series & { direction?: Direction }
/** With how often `worse` comes out at least and at most, in per cent, and the share of the error rate that it is looked at with. */
export type World = readonly [name: string, draw: Draw, bounds: readonly [number, number], share?: number]

const { exp, sqrt } = Math
/** @returns what `make` gives for each number from 0 on */
export const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at))
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
const morning = (perMinute: number, times: number, days: number) => (chance: Chance) => {
  const startsAt = 7 * 60 + Math.floor(chance.uniform() * 110) - BEFORE
  const usual = (minute: number) => 0.3 + 0.7 / (1 + exp((8 * 60 - minute) / 25))
  const day = (change: number): Sides<Counted> => {
    const size = perMinute * exp(0.05 * chance.normal())
    const factors = wander(chance, 0.8, 0.03)
    const mean = (factor: number, at: number) => size * usual(startsAt + at) * factor * stepAt(at, change)
    return cut(factors.map((factor, at) => ({ events: poisson(chance, mean(factor, at)), outOf: 1 })))
  }
  const direction = times < 1 ? 'lower-is-worse' : 'higher-is-worse'
  return { kind: 'count', direction, ...day(times), seasons: list(days, () => day(1)) } as const
}

const MEMORIES = [0.5, 0.8, 0.9, 0.95]
const many = (name: string, drawOf: (memory: number) => Draw, atMost = 100) =>
  MEMORIES.map((memory): World => [`${name}, memory ${memory}`, drawOf(memory), [0, atMost]])

/** What the service looks at an hour later, with a tenth of the error rate. */
const HOUR = 0.1
const SHARE = { perMinute: 2_000, share: 0.01 }
const RARE = { perMinute: 200, share: 0.01 }
const SWAYING = { ...SHARE, memory: 0.9, deviation: 0.5, times: 2 }

/** Nothing happens. Worlds that may always come out are there to show the limits. */
const UNCHANGED: readonly World[] = [
  ['share of 1 %, 200 a minute, independent', rates(RARE), [0, 5]],
  ['share of 1 %, 2,000 a minute, independent', rates(SHARE), [0, 5]],
  ['share in bursts (negative binomial, 0.5)', bursts(0.5), [0, 5]],
  ['share in bursts (negative binomial, 0.1)', bursts(0.1), [0, 5]],
  ...many('share of 1 %, 2,000 a minute', (memory) => rates({ ...SHARE, memory, deviation: 0.5 }), 6),
  ...many('count, 200 a minute', (memory) => rates({ perMinute: 200, memory, deviation: 0.2 }), 6),
  ...many('share of 1 %, 200 a minute', (memory) => rates({ ...RARE, memory, deviation: 0.5 })),
  ...many('count, 20 a minute', (memory) => rates({ perMinute: 20, memory, deviation: 0.2 })),
  ...many('p95', (memory) => latencies({ memory, deviation: 0.15 }), 6),
  ...[0.1, 0.2, 0.4].map(
    (drift): World => [`p95 that drifts ${drift * 100} % an hour`, latencies({ drift, noise: 0.05 }), [0, 6]],
  ),
  ...[0.5, 0.9].map((memory): World => {
    const draw = latencies({ memory, deviation: 0.15, isHour: true })
    return [`p95 in the hour after, memory ${memory}`, draw, [0, 1], HOUR]
  }),
  ['p95 in the hour after, drift of 20 %', latencies({ drift: 0.2, noise: 0.05, isHour: true }), [0, 1], HOUR],
  ['traffic in the morning, with yesterday', morning(2_000, 1, 1), [0, 6]],
  ['low traffic, 2 a minute', rates({ perMinute: 2 }), [0, 5]],
  ['p99 of 35 a minute, which jumps between two levels', drawLevels, [0, 5]],
]

/** Something happens. */
const CHANGED: readonly World[] = [
  ['share ×2, 200 a minute, independent', rates({ ...RARE, times: 2 }), [95, 100]],
  ['share ×2, 2,000 a minute, independent', rates({ ...SHARE, times: 2 }), [99, 100]],
  ['share ×2, 2,000 a minute, memory 0.9', rates(SWAYING), [55, 100]],
  ['the same with a baseline beside', rates({ ...SWAYING, hasBaseline: true }), [90, 100]],
  ['p95 +30 %', latencies({ noise: 0.15, times: 1.3 }), [98, 100]],
  ['a leak: p95 +40 % an hour from the deployment on', latencies({ noise: 0.05, leak: 0.4 }), [0, 100]],
  ['the same leak, in the hour after', latencies({ noise: 0.05, leak: 0.4, isHour: true }), [95, 100], HOUR],
  ['traffic −20 % in the morning, with yesterday', morning(2_000, 0.8, 1), [80, 100]],
  ['the same with yesterday and a week ago', morning(2_000, 0.8, 2), [80, 100]],
]

export const WORLDS: readonly World[] = [...UNCHANGED, ...CHANGED]

/** A bucket of all worlds, and of real series where sixty of them are an hour. */
const BUCKET_MS = 60_000

/** @param share the share of the error rate that it is looked at with */
export function isWorse(series: ReturnType<Draw>, share = 1): boolean {
  const [found] = judge([{ direction: 'higher-is-worse', ...series, bucketMs: BUCKET_MS }], withShare(JUDGE_DEFAULTS, share))
  return found?.verdict === 'worse'
}

/** @returns how many of so many rounds are worse */
export function countWorse([, draw, , share]: World, chance: Chance, rounds: number): number {
  return list(rounds, () => isWorse(draw(chance), share)).filter(Boolean).length
}

/** @returns how far a figure may be beyond a bound by chance, three standard deviations of so many rounds; in points of per cent */
export const reachOf = (bound: number, rounds: number): number => 3 * Math.sqrt((bound * (100 - bound)) / rounds)
