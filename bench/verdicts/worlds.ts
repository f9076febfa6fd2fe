/**
 * Worlds in which nothing, or something known, happens at a deployment: an hour before it and ten minutes after, a bucket a minute. */
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import { drawLevels } from '../../packages/compare/__tests__/support/simulation.ts'
import { EARLY_SHARE, withShare } from '../../packages/compare/src/around.ts'
import { JUDGE_DEFAULTS, judge } from '../../packages/compare/src/judge.ts'
import type { JudgedSeries, Series, Sides } from '../../packages/compare/src/series.ts'
import { AFTER, BEFORE, list, poisson, wander } from './drawing.ts'

type Draw = (chance: Chance) => JudgedSeries
/** With how often `worse` comes out at least and at most, in per cent, and the share of the error rate that it is looked at with. */
export type World = readonly [name: string, draw: Draw, bounds: readonly [number, number], share?: number]

const cut = <T>(all: readonly T[]): Sides<T> => ({ before: all.slice(0, BEFORE), after: all.slice(BEFORE) })
const stepAt = (at: number, times: number) => (at >= BEFORE ? times : 1)

interface RateOptions {
  /** Requests a minute, or events where there is no `share`. */
  perMinute: number
  share?: number
  memory?: number
  deviation?: number
  times?: number
}

function rates({ perMinute, share = 0, memory = 0, deviation = 0, times = 1 }: RateOptions) {
  return (chance: Chance): Series => {
    const factors = wander(chance, memory, deviation, BEFORE + AFTER)
    const mean = share > 0 ? perMinute * share : perMinute
    const buckets = factors.map((factor, at) => ({
      events: poisson(chance, mean * factor * stepAt(at, times)),
      outOf: share > 0 ? perMinute : 1,
    }))
    return { kind: share > 0 ? 'share' : 'count', ...cut(buckets) }
  }
}

interface LatencyOptions {
  memory?: number
  deviation?: number
  noise?: number
  /** How much it rises in an hour from the deployment on, as a share. */
  leak?: number
  times?: number
  /** An hour is looked at after two, in buckets of two minutes. */
  isHour?: boolean
}

const latencies =
  ({ memory = 0, deviation = 0, noise = 0.1, leak = 0, times = 1, isHour = false }: LatencyOptions) =>
  (chance: Chance): Series => {
    const factors = wander(chance, memory, deviation, BEFORE + (isHour ? 30 : AFTER))
    const bucketsAnHour = isHour ? 30 : 60
    const value = (factor: number, at: number) =>
      100 *
      factor *
      Math.exp(noise * chance.normal()) *
      (1 + (leak * Math.max(0, at - BEFORE)) / bucketsAnHour) *
      stepAt(at, times)
    return { kind: 'measurement', ...cut(factors.map(value)) }
  }

const MEMORIES = [0.5, 0.8, 0.9, 0.95]
const many = (name: string, drawOf: (memory: number) => Draw, atMost = 100) =>
  MEMORIES.map((memory): World => [`${name}, memory ${memory}`, drawOf(memory), [0, atMost]])

const SHARE = { perMinute: 2_000, share: 0.01 }
const RARE = { perMinute: 200, share: 0.01 }
const SWAYING = { ...SHARE, memory: 0.9, deviation: 0.5, times: 2 }

/** Nothing happens; the service's look at an hour takes as much of the error rate as its early ones. Worlds that may always come out are there to show the limits. */
const UNCHANGED: readonly World[] = [
  ['share of 1 %, 200 a minute, independent', rates(RARE), [0, 5]],
  ['share of 1 %, 2,000 a minute, independent', rates(SHARE), [0, 5]],
  ...many('share of 1 %, 2,000 a minute', (memory) => rates({ ...SHARE, memory, deviation: 0.5 }), 6),
  ...many('count, 200 a minute', (memory) => rates({ perMinute: 200, memory, deviation: 0.2 }), 6),
  ...many('share of 1 %, 200 a minute', (memory) => rates({ ...RARE, memory, deviation: 0.5 })),
  ...many('count, 20 a minute', (memory) => rates({ perMinute: 20, memory, deviation: 0.2 })),
  ...many('p95', (memory) => latencies({ memory, deviation: 0.15 }), 6),
  ...[0.5, 0.9].map((memory): World => {
    const draw = latencies({ memory, deviation: 0.15, isHour: true })
    return [`p95 in the hour after, memory ${memory}`, draw, [0, 1], EARLY_SHARE]
  }),
  ['low traffic, 2 a minute', rates({ perMinute: 2 }), [0, 5]],
  ['p99 of 35 a minute, which jumps between two levels', drawLevels, [0, 5]],
]

/** Something happens. */
const CHANGED: readonly World[] = [
  ['share ×2, 200 a minute, independent', rates({ ...RARE, times: 2 }), [95, 100]],
  ['share ×2, 2,000 a minute, independent', rates({ ...SHARE, times: 2 }), [99, 100]],
  ['share ×2, 2,000 a minute, memory 0.9', rates(SWAYING), [55, 100]],
  ['p95 +30 %', latencies({ noise: 0.15, times: 1.3 }), [98, 100]],
  ['a leak: p95 +40 % an hour from the deployment on', latencies({ noise: 0.05, leak: 0.4 }), [0, 100]],
  ['the same leak, in the hour after', latencies({ noise: 0.05, leak: 0.4, isHour: true }), [95, 100], EARLY_SHARE],
]

export const WORLDS: readonly World[] = [...UNCHANGED, ...CHANGED]

/** A bucket of all worlds. */
const BUCKET_MS = 60_000

/** @param share the share of the error rate that it is looked at with */
export function isWorse(series: ReturnType<Draw>, share = 1): boolean {
  const [found] = judge([{ direction: 'higher-is-worse', bucketMs: BUCKET_MS, ...series }], withShare(JUDGE_DEFAULTS, share))
  return found?.verdict === 'worse'
}

/** @returns how many of so many rounds are worse */
export function countWorse([, draw, , share]: World, chance: Chance, rounds: number): number {
  return list(rounds, () => isWorse(draw(chance), share)).filter(Boolean).length
}

/** @returns how far a figure may be beyond a bound by chance, three standard deviations of so many rounds; in points of per cent */
export const reachOf = (bound: number, rounds: number): number => 3 * Math.sqrt((bound * (100 - bound)) / rounds)
