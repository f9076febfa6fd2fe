/** The result of a test, for counts and for measured values. */
import { findRoot } from './distributions.ts'
import { type Counted, rateOf, sumOf } from './series.ts'

/** What the buckets after have. */
export interface Buckets {
  /** How much more than was expected. */
  excess: readonly number[]
  /** The variance of that by chance. */
  variances: readonly number[]
  /** How much each tells, in relation to the others. */
  sizes: readonly number[]
}

export interface Tested {
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
  /** Whether memory or a season explains the time before better than chance. */
  isUneven: boolean
  /** Of versions side by side: both rates as if both had had the same traffic in each minute, and what each minute has. */
  beside?: Buckets & { before: number; after: number }
}

/** The probabilities of a value as high, and as low, as the found one, if the truth has shifted by `shift`. */
export type Tails = (shift: number) => { pHigher: number; pLower: number }

/** How often there was as large a change at earlier moments. */
export interface Earlier {
  moments: number
  reached: number
}

/** What earlier moments say of a change. */
export interface Past {
  tails: Tails
  earlier: Earlier
}

/** What the time before and other days make quite ordinary is no harm, however rare it was. */
const VETO = 8

/** @returns the chance by earlier moments; that by the model alone if there are too few of them */
export function besidePast(model: Tails, past: Tails | undefined): Tails {
  if (!past) return model
  return (shift) => {
    const [own, other] = [past(shift), model(shift)]
    return { pHigher: Math.max(own.pHigher, other.pHigher / VETO), pLower: Math.max(own.pLower, other.pLower / VETO) }
  }
}

/** @returns the chance; of what a stretch of the time before as long as the time after reached, too, it is 1: rates come in waves and bursts */
export function unlessReached(
  chance: ReturnType<Tails>,
  before: readonly Counted[],
  after: readonly Counted[],
): ReturnType<Tails> {
  const known = before.filter(({ outOf }) => outOf > 0)
  const stretches = known.slice(after.length - 1).map((_, at) => rateOf(sumOf(known.slice(at, at + after.length))))
  const rate = rateOf(sumOf(after))
  return {
    pHigher: stretches.some((one) => one >= rate) ? 1 : chance.pHigher,
    pLower: stretches.some((one) => one <= rate) ? 1 : chance.pLower,
  }
}

/** Ends of the search for the interval of a rate, as logarithms. */
const SHIFTS: readonly [number, number] = [-12, 12]

/** @param errorRate how often each end of the interval of the change may be wrong, as a share */
export function compareRates(after: number, expected: number, tails: Tails, errorRate: number) {
  const [low, high] = findInterval(tails, errorRate, SHIFTS)
  return {
    expected,
    change: expected === 0 ? (after === 0 ? 0 : Number.POSITIVE_INFINITY) : after / expected - 1,
    low: Math.expm1(low),
    high: high > SHIFTS[1] - 1e-6 ? Number.POSITIVE_INFINITY : Math.expm1(high),
    ...tails(0),
  }
}

/** Enough for three digits of the ends of an interval. */
const HALVINGS = 20

/** @returns the interval of shifts that are possible at this error rate, within the given ends */
export function findInterval(tails: Tails, errorRate: number, [from, to]: readonly [number, number]): [number, number] {
  const low = findRoot((shift) => tails(shift).pHigher - errorRate, from, to, HALVINGS)
  const high = findRoot((shift) => errorRate - tails(shift).pLower, from, to, HALVINGS)
  return [low, high]
}
