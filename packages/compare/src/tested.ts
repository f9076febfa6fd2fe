/** What a test of a series says; the same for counts and for measured values. */
import { findRoot } from './distributions.ts'

export interface Tested {
  /** A rate, or a median. */
  before: number
  after: number
  /** What was to be expected after, had nothing changed. */
  expected: number
  /** Of `expected`: 1 is twice as much. Infinite where nothing was to be expected. */
  change: number
  /** Ends of the interval of the change. */
  low: number
  high: number
  /** How probable so high a value after is if nothing has changed; and so low a one. */
  pHigher: number
  pLower: number
  /** How far the values before can be explained by chance alone, from 0 to 1; the rest is memory, trend or season. */
  chanceAlone: number
}

/** Probabilities of a value as high, and as low, as the one after, if the truth has shifted by so much. */
export type Tails = (shift: number) => { pHigher: number; pLower: number }

/** Ends of an interval are shown with three digits. */
const HALVINGS = 20

/** @returns the shifts that the errors of this rate leave possible, between the ends given */
export function findInterval(tails: Tails, errorRate: number, [from, to]: readonly [number, number]): [number, number] {
  const low = findRoot((shift) => tails(shift).pHigher - errorRate, from, to, HALVINGS)
  const high = findRoot((shift) => errorRate - tails(shift).pLower, from, to, HALVINGS)
  return [low, high]
}
