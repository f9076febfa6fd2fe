/**
 * The numbers before and after an event on a scale on which changes add up, and operations on them: subtract, smooth, or reduce to the
 * shift.
 */

/** A number on a scale on which changes add up, such as a logarithm, with its variance by chance. NaN is a missing one. */
export interface Observation {
  value: number
  variance: number
}

export interface Timeline {
  before: readonly Observation[]
  after: readonly Observation[]
}

/** Buckets with more events get more weight. */
export function weighAfter(after: readonly Observation[]): { weights: number[]; noise: number } {
  const precisions = after.map(({ value, variance }) => (Number.isNaN(value) ? 0 : 1 / variance))
  const total = precisions.reduce((sum, one) => sum + one, 0)
  return { weights: precisions.map((one) => one / total), noise: 1 / total }
}

export function meanOf(observations: readonly Observation[]): number {
  const { weights } = weighAfter(observations)
  return observations.reduce((sum, { value }, at) => (Number.isNaN(value) ? sum : sum + value * (weights[at] ?? 0)), 0)
}

export function meanVariance(observations: readonly Observation[]): number {
  const present = observations.filter(({ value }) => !Number.isNaN(value))
  return present.reduce((sum, { variance }) => sum + variance, 0) / present.length
}

/** The difference of each bucket; the variances add up. */
export function without(line: Timeline, other: Timeline): Timeline {
  const subtract = (side: readonly Observation[], from: readonly Observation[]) =>
    side.map(({ value, variance }, at): Observation => {
      const { value: less, variance: more } = from[at] ?? { value: Number.NaN, variance: 1 }
      return { value: value - less, variance: variance + more }
    })
  return { before: subtract(line.before, other.before), after: subtract(line.after, other.after) }
}

/** Neighbors on each side of a bucket of another day that are averaged with it, because chance on that day says nothing about today. */
const NEIGHBORS = 2

/** @returns the same line with less noise */
export function smooth({ before, after }: Timeline): Timeline {
  const all = [...before, ...after]
  const smoothed = all.map((_, at): Observation => {
    const near = all.slice(Math.max(0, at - NEIGHBORS), at + NEIGHBORS + 1).filter(({ value }) => !Number.isNaN(value))
    if (near.length === 0) return { value: Number.NaN, variance: 1 }
    const sum = (read: (one: Observation) => number) => near.reduce((total, one) => total + read(one), 0)
    return { value: sum(({ value }) => value) / near.length, variance: sum(({ variance }) => variance) / near.length ** 2 }
  })
  return { before: smoothed.slice(0, before.length), after: smoothed.slice(before.length) }
}

/** Keeps only the means: the shift at this hour without its course. */
export function flatten({ before, after }: Timeline): Timeline {
  const level = (side: readonly Observation[]) => {
    const value = meanOf(side)
    return side.map((): Observation => ({ value, variance: 0 }))
  }
  const { noise } = weighAfter(before)
  const [first, second] = [level(before), level(after)]
  const noiseAfter = (noise + weighAfter(after).noise) * second.length
  return { before: first, after: second.map(({ value }) => ({ value, variance: noiseAfter })) }
}

/** From this number of standard deviations on, another day changed at this hour, too. */
const JUMP = 2

export function hasJump({ before, after }: Timeline, isVarianceKnown: boolean): boolean {
  const middle = meanOf(before)
  const present = before.filter(({ value }) => !Number.isNaN(value))
  const squares = present.reduce((sum, { value, variance }) => sum + (value - middle) ** 2 / variance, 0)
  const scatter = squares / Math.max(1, present.length - 1)
  const scale = isVarianceKnown ? Math.max(1, scatter) : scatter
  const noise = scale * (weighAfter(before).noise + weighAfter(after).noise)
  return Math.abs(meanOf(after) - middle) > JUMP * Math.sqrt(noise)
}

/** If two other days differ in their course, neither says much about today. */
export function varianceOfSeasons(seasons: readonly Timeline[]): number {
  const [first, second] = seasons.map(({ before, after }) => meanOf(after) - meanOf(before))
  return first === undefined || second === undefined ? 0 : (first - second) ** 2
}
