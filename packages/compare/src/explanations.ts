/**
 * The explanations of the time before an event, and the mean that each expects after it: chance alone, memory of several strengths (an
 * autoregressive process below the noise of each bucket), and a trend. The Kalman filter computes the likelihood, which says how well
 * each fits.
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
  /** Degrees of freedom of the scale; infinite if it is given. */
  freedom: number
  /** The variance of the buckets, relative to that of chance. */
  scale: number
  isChanceAlone: boolean
  /** What it is based on: the time before, or also the level, or the course, of another day. */
  basis: string
  /** The prior probability of that basis. */
  basisPrior: number
}

/** The correlations of neighboring buckets that are tried, … */
const MEMORIES = [0.5, 0.75, 0.9, 0.96, 0.99]
/** … and how far the level may move, in variances of a bucket. */
const WANDERINGS = [0.1, 0.3, 1, 3, 10, 30]
/** The variance of a trend over the time before, in variances of a bucket. */
const TREND_VARIANCE = 12
/** The prior probabilities of the explanations. */
const PRIORS = { chanceAlone: { known: 0.97, unknown: 0.4 }, trend: 0.04, unknownScale: 0.05 } as const
/** Widens the interval, because an estimate of memory from one stretch of time is too certain. */
const CAUTION = 1.8
/** The prior of the scale of known variances, which may be too small: as if this number of buckets had shown it. */
const SCALE_PRIOR = { half: 1.5, scale: 1.5 } as const
const VAGUE = { half: 0.5, scale: 1e-9 } as const

/** The basis of an explanation by the values before alone. */
export const PLAIN = 'the time before'

interface Model {
  memory: number
  wandering: number
  trend: number
}

/** An explanation with the logarithm of its prior and likelihood. */
export interface Weighed extends Expectation {
  logWeight: number
}

/** Every combination of memory and trend, each with the variance of chance as it is and as it is estimated. */
export function explain(line: Timeline, prior: number, isVarianceKnown: boolean): Weighed[] {
  const usual = meanVariance(line.before)
  const chance = PRIORS.chanceAlone[isVarianceKnown ? 'known' : 'unknown']
  const each = (1 - chance) / (MEMORIES.length * WANDERINGS.length)
  const models: [Model, number][] = [0, TREND_VARIANCE].flatMap((trend) => {
    const ofTrend = prior * (trend > 0 ? PRIORS.trend : 1 - PRIORS.trend)
    const wander = MEMORIES.flatMap((memory) =>
      WANDERINGS.map((wandering): [Model, number] => [
        { memory, wandering: wandering * usual, trend: trend * usual },
        ofTrend * each,
      ]),
    )
    return [[{ memory: 0, wandering: 0, trend: trend * usual }, ofTrend * chance], ...wander]
  })
  return models.flatMap(([model, ofModel]) => weigh(line, model, ofModel, isVarianceKnown))
}

function weigh(line: Timeline, model: Model, prior: number, isVarianceKnown: boolean): Weighed[] {
  const fit = fitModel(line, model)
  const isPlain = model.wandering === 0 && model.trend === 0
  const variance = fit.variance * (isPlain ? 1 : CAUTION)
  const half = (fit.count - 1) / 2
  const common = { weight: 0, mean: fit.mean, noise: 0, isChanceAlone: isPlain, basis: PLAIN, basisPrior: 1 }
  const logPrior = Math.log(prior) - fit.logDeterminant / 2 - half * Math.log(2 * Math.PI)
  const known = isVarianceKnown ? 1 - PRIORS.unknownScale : 0
  const asKnown: Weighed = {
    ...common,
    logWeight: logPrior + Math.log(known) - fit.squares / 2,
    variance,
    freedom: Number.POSITIVE_INFINITY,
    scale: 1,
  }
  const { half: a0, scale: s0 } = isVarianceKnown ? SCALE_PRIOR : VAGUE
  const [a, b0] = [a0 + half, a0 * s0]
  const b = b0 + fit.squares / 2
  const evidence = a0 * Math.log(b0) + logGamma(a) - logGamma(a0) - a * Math.log(b)
  const scale = b / a
  const estimated: Weighed = {
    ...common,
    logWeight: logPrior + Math.log(1 - known) + evidence,
    variance: variance * scale,
    freedom: 2 * a,
    scale,
  }
  return isVarianceKnown ? [asKnown, estimated] : [estimated]
}

/**
 * Runs the Kalman filter of the model over the values, a constant and a straight line at once. A regression of the innovations of the
 * first on those of the others gives level and trend, and the last state gives the rest of the memory after the event.
 */
function fitModel({ before, after }: Timeline, { memory, wandering, trend }: Model) {
  const { state, sums, logDeterminant, count } = filter(before, memory, wandering)
  const steep = trend > 0 ? sums.tt + 1 / trend : Number.POSITIVE_INFINITY
  const hasTrend = trend > 0
  const determinant = hasTrend ? sums.oo * steep - sums.ot ** 2 : sums.oo
  const level = hasTrend ? (steep * sums.vo - sums.ot * sums.vt) / determinant : sums.vo / sums.oo
  const slope = hasTrend ? (sums.oo * sums.vt - sums.ot * sums.vo) / determinant : 0
  const { weights } = weighAfter(after)
  const rest = weights.reduce((sum, weight, at) => sum + weight * memory ** (at + 1), 0)
  const place = weights.reduce((sum, weight, at) => sum + weight * placeOf(before.length + at, before.length), 0)
  const [one, line] = [1 - rest * state.one, place - rest * state.line]
  const ofLevel = hasTrend
    ? (steep * one ** 2 - 2 * sums.ot * one * line + sums.oo * line ** 2) / determinant
    : one ** 2 / sums.oo
  return {
    mean: level * one + slope * line + rest * state.value,
    variance: rest ** 2 * state.variance + wanderAfter(weights, memory, wandering) + ofLevel,
    squares: Math.max(1e-12, sums.vv - level * sums.vo - slope * sums.vt),
    logDeterminant: logDeterminant + Math.log(determinant) + (hasTrend ? Math.log(trend) : 0),
    count,
  }
}

function filter(before: readonly Observation[], memory: number, wandering: number) {
  const state = { value: 0, one: 0, line: 0, variance: wandering }
  const sums = { vv: 0, vo: 0, vt: 0, oo: 0, ot: 0, tt: 0 }
  let logDeterminant = 0
  let count = 0
  for (const [at, { value, variance }] of before.entries()) {
    if (at > 0) {
      state.value *= memory
      state.one *= memory
      state.line *= memory
      state.variance = memory ** 2 * state.variance + wandering * (1 - memory ** 2)
    }
    if (Number.isNaN(value)) continue
    const total = state.variance + variance
    const [v, o, t] = [value - state.value, 1 - state.one, placeOf(at, before.length) - state.line]
    sums.vv += (v * v) / total
    sums.vo += (v * o) / total
    sums.vt += (v * t) / total
    sums.oo += (o * o) / total
    sums.ot += (o * t) / total
    sums.tt += (t * t) / total
    logDeterminant += Math.log(total)
    count++
    const gain = state.variance / total
    state.value += gain * v
    state.one += gain * o
    state.line += gain * t
    state.variance *= 1 - gain
  }
  return { state, sums, logDeterminant, count }
}

/** The position of a bucket, from −½ at the start of the time before to ½ at its end. */
function placeOf(at: number, count: number): number {
  return (at - (count - 1) / 2) / count
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
