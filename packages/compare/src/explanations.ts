/**
 * The explanations of the time before an event, and the mean that each expects after it: chance alone, and memory of several strengths (an
 * autoregressive process below the noise of each bucket). The Kalman filter computes the likelihood, which says how well each fits.
 */
import { logGamma } from './distributions.ts'
import { meanVariance, type Observation, type Timeline, weighAfter } from './timeline.ts'

/** One explanation of the time before, and the mean that it expects after. */
export interface Expectation {
  /** Its weight; all weights add up to 1. */
  weight: number
  mean: number
  /** The variance of the true mean around it. */
  variance: number
  /** The variance that chance in the buckets after adds. */
  noise: number
  /** Degrees of freedom of the scale. */
  freedom: number
  /** The variance of the buckets, relative to that of chance. */
  scale: number
  isChanceAlone: boolean
}

/** The correlations of neighboring buckets that are tried, … */
const MEMORIES = [0.5, 0.75, 0.9, 0.96, 0.99]
/** … and how far the level may move, in variances of a bucket. */
const WANDERINGS = [0.1, 1, 10]
/** The prior probability of chance alone, where the variance by chance is known and where it is not. */
const CHANCE_ALONE = { known: 0.97, unknown: 0.4 } as const
/** Widens the interval, because an estimate of memory from one stretch of time is too certain. */
const CAUTION = 1.8
/** The prior of the scale of variances: known ones are as if twice so many buckets had shown them, of the others nothing is known. */
const SCALE_PRIOR = { known: { half: 8, scale: 1 }, unknown: { half: 0.5, scale: 1e-9 } } as const

interface Model {
  memory: number
  wandering: number
}

/** An explanation with the logarithm of its prior and likelihood. */
export interface Weighed extends Expectation {
  logWeight: number
}

/** Chance alone and every memory. */
export function explain(line: Timeline, prior: number, isVarianceKnown: boolean): Weighed[] {
  const usual = meanVariance(line.before)
  const how = isVarianceKnown ? 'known' : 'unknown'
  const each = (1 - CHANCE_ALONE[how]) / (MEMORIES.length * WANDERINGS.length)
  const swaying = MEMORIES.flatMap((memory) => WANDERINGS.map((wandering) => ({ memory, wandering: wandering * usual })))
  return [
    weigh(line, { memory: 0, wandering: 0 }, prior * CHANCE_ALONE[how], how),
    ...swaying.map((model) => weigh(line, model, prior * each, how)),
  ]
}

function weigh(line: Timeline, model: Model, prior: number, how: keyof typeof SCALE_PRIOR): Weighed {
  const fit = fitModel(line, model)
  const isChanceAlone = model.wandering === 0
  const half = (fit.count - 1) / 2
  const { half: a0, scale: s0 } = SCALE_PRIOR[how]
  const [a, b0] = [a0 + half, a0 * s0]
  const b = b0 + fit.squares / 2
  const logPrior = Math.log(prior) - fit.logDeterminant / 2 - half * Math.log(2 * Math.PI)
  const evidence = a0 * Math.log(b0) + logGamma(a) - logGamma(a0) - a * Math.log(b)
  const scale = b / a
  const variance = fit.variance * scale * (isChanceAlone ? 1 : CAUTION)
  return { weight: 0, logWeight: logPrior + evidence, mean: fit.mean, variance, noise: 0, freedom: 2 * a, scale, isChanceAlone }
}

/**
 * Runs the Kalman filter of the model over the values and a constant at once. A regression of the innovations of the first on those of the
 * other gives the level, and the last state gives the rest of the memory after the event.
 */
function fitModel({ before, after }: Timeline, { memory, wandering }: Model) {
  const { state, sums, logDeterminant, count } = filter(before, memory, wandering)
  const level = sums.vo / sums.oo
  const { weights } = weighAfter(after)
  const rest = weights.reduce((sum, weight, at) => sum + weight * memory ** (at + 1), 0)
  const one = 1 - rest * state.one
  return {
    mean: level * one + rest * state.value,
    variance: rest ** 2 * state.variance + wanderAfter(weights, memory, wandering) + one ** 2 / sums.oo,
    squares: Math.max(1e-12, sums.vv - level * sums.vo),
    logDeterminant: logDeterminant + Math.log(sums.oo),
    count,
  }
}

function filter(before: readonly Observation[], memory: number, wandering: number) {
  const state = { value: 0, one: 0, variance: wandering }
  const sums = { vv: 0, vo: 0, oo: 0 }
  let logDeterminant = 0
  let count = 0
  for (const [at, { value, variance }] of before.entries()) {
    if (at > 0) {
      state.value *= memory
      state.one *= memory
      state.variance = memory ** 2 * state.variance + wandering * (1 - memory ** 2)
    }
    if (Number.isNaN(value)) continue
    const total = state.variance + variance
    const [v, o] = [value - state.value, 1 - state.one]
    sums.vv += (v * v) / total
    sums.vo += (v * o) / total
    sums.oo += (o * o) / total
    logDeterminant += Math.log(total)
    count++
    const gain = state.variance / total
    state.value += gain * v
    state.one += gain * o
    state.variance *= 1 - gain
  }
  return { state, sums, logDeterminant, count }
}

/** The part of the variance of the mean after the event that comes from a moving level. */
function wanderAfter(weights: readonly number[], memory: number, wandering: number): number {
  let [carried, variance] = [0, 0]
  for (const weight of weights.toReversed()) {
    carried = weight + memory * carried
    variance += wandering * (1 - memory ** 2) * carried ** 2
  }
  return variance
}
