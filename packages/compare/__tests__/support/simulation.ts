/** Series as services make them, drawn by chance, and how often the judge says what of them. */

import { VERDICTS, type Verdict } from '@deployment-annotations/contract/verdict'
import { JUDGE_DEFAULTS, judge } from '../../src/judge.ts'
import type { Counted, Series } from '../../src/series.ts'
import { summarizeVerdicts } from '../../src/verdict.ts'
import { type Chance, createChance } from './random.ts'

const { exp } = Math

/** Buckets of a minute before and after, as with `window: 10m`. */
const BUCKETS = { before: 60, after: 10 }

const list = <T>(length: number, make: () => T): T[] => Array.from({ length }, make)

/** @returns how often each verdict came, as shares; several series are judged together */
export function simulate(rounds: number, make: (chance: Chance) => Series | Series[]): Record<Verdict, number> {
  const chance = createChance(20_261_122)
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (let round = 0; round < rounds; round++) {
    const series = [make(chance)].flat().map((one) => ({ ...one, direction: 'higher-is-worse' as const }))
    counts[summarizeVerdicts(judge(series, JUDGE_DEFAULTS).map(({ verdict }) => verdict))] += 1 / rounds
  }
  return counts
}

export interface ShareOptions {
  requests: { before: number; after: number }
  /** Share that fails. */
  rate?: number
  times?: number
}

/** Failed requests, each by itself. */
export function drawShare(chance: Chance, { requests, rate = 0.01, times = 1 }: ShareOptions): Series {
  const draw = (all: number, buckets: number, failing: number): Counted[] =>
    list(buckets, () => ({ events: chance.binomial(Math.round(all / buckets), failing), outOf: Math.round(all / buckets) }))
  return {
    kind: 'share',
    before: draw(requests.before, BUCKETS.before, rate),
    after: draw(requests.after, BUCKETS.after, rate * times),
  }
}

/** Failures that come in bursts: 200 requests a minute, of which 2 fail, but sometimes many and mostly none. */
export function drawBursts(chance: Chance): Series {
  const draw = () => ({ events: chance.poisson(chance.gamma(0.5, 4)), outOf: 200 })
  return { kind: 'share', before: list(BUCKETS.before, draw), after: list(BUCKETS.after, draw) }
}

/** Events of traffic that goes up and down by more than chance alone. */
export function drawCounts(chance: Chance, { mean, shape, times = 1 }: { mean: number; shape: number; times?: number }): Series {
  const draw = (factor: number) => () => ({ events: chance.poisson(chance.gamma(shape, (mean * factor) / shape)), outOf: 1 })
  return { kind: 'count', before: list(BUCKETS.before, draw(1)), after: list(BUCKETS.after, draw(times)) }
}

export interface LatencyOptions {
  /** In a bucket. */
  requests: number
  times?: number
  /** Of the logarithm: 0.8 is a p95 of 3.7 times the median. */
  spread?: number
  buckets?: { before: number; after: number }
}

/** The p95 of each bucket, of latencies that are distributed log-normally. */
export function drawLatencies(
  chance: Chance,
  { requests, times = 1, spread = 0.8, buckets = BUCKETS }: LatencyOptions,
): Series & { kind: 'measurement' } {
  const p95 = (factor: number) => {
    const sorted = list(requests, () => factor * exp(spread * chance.normal())).sort((a, b) => a - b)
    return sorted[Math.floor((requests - 1) * 0.95)] ?? 0
  }
  return { kind: 'measurement', before: list(buckets.before, () => p95(1)), after: list(buckets.after, () => p95(times)) }
}

/**
 * The p99 of each bucket, where 1.5 % of the requests fail after 0.9 s and the others are quick: of so few requests it is the slowest
 * one, and jumps between two levels. There are 27 buckets before, as after half an hour of service.
 */
export function drawLevels(chance: Chance): Series {
  const p99 = () => {
    const sorted = list(35, () => (chance.uniform() < 0.015 ? 900 : 40) + 120 * chance.uniform() ** 3).sort((a, b) => a - b)
    const [last = 0, next = 0] = [sorted[34], sorted[33]]
    return next + 0.66 * (last - next)
  }
  return { kind: 'measurement', before: list(27, p99), after: list(9, p99) }
}

/** Values that resemble those before them: a first-order autoregressive series of this correlation. */
export function drawAlike(chance: Chance, correlation: number): Series {
  let last = chance.normal()
  const values = list(BUCKETS.before + BUCKETS.after, () => {
    last = correlation * last + Math.sqrt(1 - correlation ** 2) * chance.normal()
    return Math.exp(0.2 * last)
  })
  return { kind: 'measurement', before: values.slice(0, BUCKETS.before), after: values.slice(BUCKETS.before) }
}

/** A p95 that is higher by half at this hour every day, deployment or not. */
export function drawRhythm(chance: Chance, times = 1): Series {
  const { before } = drawLatencies(chance, { requests: 50 })
  const hour = drawLatencies(chance, { requests: 50, times: 1.5, buckets: { before: 1, after: BUCKETS.after } })
  const now = drawLatencies(chance, { requests: 50, times: 1.5 * times, buckets: { before: 1, after: BUCKETS.after } })
  const { before: dayBefore } = drawLatencies(chance, { requests: 50 })
  return { kind: 'measurement', before, after: now.after, seasons: [{ before: dayBefore, after: hour.after }] }
}
