/** The result of a test, for counts and for measured values. */
import { findRoot } from './distributions.ts'

export interface Tested {
  /** A rate, or a median. */
  before: number
  after: number
  /** The value expected after, if nothing had changed. */
  expected: number
  /** Relative to `expected`: 1 is a doubling. Infinite if 0 was expected. */
  change: number
  /** The ends of the interval of the change. */
  low: number
  high: number
  /** The probability of such a high value if nothing has changed; and of such a low one. */
  pHigher: number
  pLower: number
  /** How far chance alone explains the values before, from 0 to 1; the rest is memory, trend or season. */
  chanceAlone: number
}

/** The probabilities of a value as high, and as low, as the found one, if the truth has shifted by `shift`. */
export type Tails = (shift: number) => { pHigher: number; pLower: number }

/** Enough for three digits of the ends of an interval. */
const HALVINGS = 20

/** @returns the interval of shifts that are possible at this error rate, within the given ends */
export function findInterval(tails: Tails, errorRate: number, [from, to]: readonly [number, number]): [number, number] {
  const low = findRoot((shift) => tails(shift).pHigher - errorRate, from, to, HALVINGS)
  const high = findRoot((shift) => errorRate - tails(shift).pLower, from, to, HALVINGS)
  return [low, high]
}
