/**
 * What others would do, at 5 % in all: each looks at the errors and the 95th percentile of the time after and the hour before, at 2.5 % each.
 * What has no time before is compared with its baseline. Deliberately not here: other days, the past and versions, which they ignore.
 */
import type { Case } from './public-worlds.ts'

interface Sample {
  before: number[]
  after: number[]
}

/** Of both together 5 % are beyond this many standard deviations on one side. */
const DEVIATIONS = 1.96
/** The limit: so many times as much, and at least so many errors. */
const [TIMES, EVENTS] = [1.5, 5]

/** @returns the errors per request of each minute, and the percentiles */
function samplesOf({ before, after, baseline }: Case): { errors: Sample; p95: Sample } {
  const usual = baseline?.after ?? before
  const errors = ({ requests, failed }: typeof usual) =>
    failed.map((one, at) => (one ?? 0) / (requests[at] || Number.NaN)).filter((one) => one >= 0)
  const values = ({ p95 }: typeof usual) => p95.filter((one) => one !== null)
  return { errors: { before: errors(usual), after: errors(after) }, p95: { before: values(usual), after: values(after) } }
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)
const meanOf = (values: readonly number[]) => sum(values) / values.length

/** How many standard deviations the sum of ranks is above what chance lets expect. */
function rankDistance({ before, after }: Sample): number {
  const all = [...before, ...after].sort((a, b) => a - b)
  const n = all.length
  const rankOf = (value: number) => (all.indexOf(value) + all.lastIndexOf(value)) / 2 + 1
  const ties = [...new Set(all)].map((value) => all.lastIndexOf(value) - all.indexOf(value) + 1)
  const expected = (after.length * (n + 1)) / 2
  const variance = ((after.length * before.length) / 12) * (n + 1 - sum(ties.map((tie) => tie ** 3 - tie)) / (n * (n - 1)))
  return (sum(after.map(rankOf)) - expected - 0.5) / Math.sqrt(variance)
}

/** How far the level moves from minute to minute, as a part of the variance of one. */
const MOVES = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1]

/** How many standard deviations the mean after is above the forecast of a level that wanders (a Kalman filter, the likeliest of the moves). */
function levelDistance({ before, after }: Sample): number {
  const fits = MOVES.map((move) => {
    let [level, variance, squares, logs] = [before[0] ?? 0, 1, 0, 0]
    for (const value of before.slice(1)) {
      const whole = variance + move + 1
      const [error, gain] = [value - level, (variance + move) / whole]
      squares += error ** 2 / whole
      logs += Math.log(whole)
      level += gain * error
      variance = gain
    }
    const count = before.length - 1
    const m = after.length
    const spread = variance + (move * (m + 1) * (2 * m + 1)) / (6 * m) + 1 / m
    return {
      misfit: count * Math.log(squares / count) + logs,
      distance: (meanOf(after) - level) / Math.sqrt((spread * squares) / count),
    }
  })
  return fits.reduce((best, fit) => (fit.misfit < best.misfit ? fit : best)).distance
}

const scale = ({ before, after }: Sample, by: (value: number) => number) => ({ before: before.map(by), after: after.map(by) })

/** Whether a case is worse. */
export const RIVALS: Readonly<Record<string, (one: Case) => boolean>> = {
  'Mann–Whitney': (one) => Object.values(samplesOf(one)).some((sample) => rankDistance(sample) > DEVIATIONS),
  'a limit at ×1.5': (one) => {
    const { errors, p95 } = samplesOf(one)
    const isAbove = ({ before, after }: Sample) => meanOf(after) > TIMES * meanOf(before)
    return (sum(one.after.failed.map(Number)) >= EVENTS && isAbove(errors)) || isAbove(p95)
  },
  'a local level': (one) => {
    const { errors, p95 } = samplesOf(one)
    return [scale(errors, Math.sqrt), scale(p95, Math.log)].some((sample) => levelDistance(sample) > DEVIATIONS)
  },
}
