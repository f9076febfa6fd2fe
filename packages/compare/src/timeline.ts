/**
 * The numbers before and after an event on a scale on which changes add up, and operations on them: subtract and smooth.
 */
import type { Sides } from './series.ts'

/** A number on a scale on which changes add up, such as a logarithm, with its variance by chance. NaN is a missing one. */
export interface Observation {
  value: number
  variance: number
}

export type Timeline = Sides<Observation>

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

/** How much higher the mean is after, and the variance of that by chance. */
export interface Change {
  change: number
  noise: number
}

/** If two other days differ in their course by more than chance, neither says much about today. */
export function varianceOf([first, second]: readonly Change[]): number {
  return first && second ? Math.max(0, (first.change - second.change) ** 2 - first.noise - second.noise) : 0
}

/** The noise is that of the differences of neighbors, so that no course is noise. */
export function changeOf({ before, after }: Timeline, isVarianceKnown: boolean): Change {
  const present = before.filter(({ value }) => !Number.isNaN(value))
  const squares = present.slice(1).map(({ value, variance }, at) => {
    const last = present[at] ?? { value, variance }
    return (value - last.value) ** 2 / (variance + last.variance)
  })
  const scatter = squares.reduce((sum, one) => sum + one, 0) / Math.max(1, squares.length)
  const scale = isVarianceKnown ? Math.max(1, scatter) : scatter
  return { change: meanOf(after) - meanOf(before), noise: scale * (weighAfter(before).noise + weighAfter(after).noise) }
}
