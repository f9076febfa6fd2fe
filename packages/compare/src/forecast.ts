/**
 * What the time before an event lets one expect of the time after it, and how far the truth may lie from that.
 * Several explanations of the time before are weighed by how well each fits it (Bayesian model averaging): chance alone; values that
 * resemble those before them, for a short or a long while (an autoregressive process below the chance of each bucket); a trend; and each
 * of these on top of what the same time a day or a week ago showed. Where values have memory the explanations with memory win, and
 * the interval is as wide as such values wander. Where they have none, chance alone wins, and the interval is narrow.
 * docs/compare.md has the error rates, and the sources of the constants are the simulations of `npm run bench -- verdicts`.
 */
import { type Expectation, explain, PLAIN, type Weighed } from './explanations.ts'
import { flatten, hasJump, meanOf, smooth, type Timeline, varianceOfSeasons, weighAfter, without } from './timeline.ts'

interface ForecastOptions {
  /** Other times that may say what was to be expected. */
  seasons: readonly Timeline[]
  /** What ran beside: it is subtracted, whatever the time before says. */
  baseline: Timeline | undefined
  /** The variances are those of chance as they are, and not only in proportion. */
  isVarianceKnown: boolean
}

/** How probable it is, before the values are seen, that another day says what was to be expected. */
const SEASON_PRIOR = 0.5
/** Explanations that count for less than this are left out. */
const WEIGHT_MIN = 1e-4

/** @returns the explanations that count, and the mean that each expects */
export function forecast(today: Timeline, options: ForecastOptions): Expectation[] {
  const { seasons, baseline, isVarianceKnown } = options
  const own = baseline ? without(today, baseline) : today
  const unsteady = varianceOfSeasons(seasons)
  const others = seasons.flatMap((season, at): [string, Timeline][] => [
    [`the course of season ${at + 1}`, smooth(season)],
    ...(hasJump(season, isVarianceKnown) ? [[`the change of season ${at + 1}`, flatten(season)] as [string, Timeline]] : []),
  ])
  const share = others.length > 0 ? SEASON_PRIOR : 0
  const found: Weighed[] = explain(own, 1 - share, isVarianceKnown).map((one) => ({ ...one, basisPrior: 1 - share }))
  for (const [basis, season] of others) {
    const rest = explain(without(own, season), share / others.length, isVarianceKnown)
    found.push(...rest.map((one) => ({ ...ontoOf(season, one), basis, basisPrior: share / others.length })))
  }
  const { noise } = weighAfter(today.after)
  return normalize(
    found.map((one) => {
      const expected = baseline ? ontoOf(baseline, one) : one
      return { ...expected, variance: expected.variance + unsteady, noise: noise * expected.scale }
    }),
  )
}

/** What was expected of the difference from another line becomes what is expected of the values. */
function ontoOf<T extends Expectation>({ after }: Timeline, one: T): T {
  const variance = one.variance + weighAfter(after).noise * one.scale
  return { ...one, mean: one.mean + meanOf(after), variance, isChanceAlone: false }
}

/** A basis for which the time before speaks by so much less than for the best one is ruled out; all others have to call it a change. */
const EVIDENCE_MIN = 0.2

/**
 * @param tailsOf the probabilities of so high, and so low, a value by one explanation
 * @returns the greatest by any basis that the time before leaves possible; within a basis the explanations are weighed
 */
export function combineTails(
  expectations: readonly Expectation[],
  tailsOf: (one: Expectation) => { pHigher: number; pLower: number },
): { pHigher: number; pLower: number } {
  let [pHigher, pLower] = [0, 0]
  for (const { weight, members } of possibleBases(expectations)) {
    const tails = members.map((one) => ({ share: one.weight / weight, ...tailsOf(one) }))
    pHigher = Math.max(
      pHigher,
      tails.reduce((sum, one) => sum + one.share * one.pHigher, 0),
    )
    pLower = Math.max(
      pLower,
      tails.reduce((sum, one) => sum + one.share * one.pLower, 0),
    )
  }
  return { pHigher, pLower }
}

/**
 * @param expectedBy what an explanation expects, on the scale on which it is shown
 * @returns of what the possible bases expect, that which is next to what was found: it calls the change no greater than it has to be
 */
export function nearestExpected(
  expectations: readonly Expectation[],
  found: number,
  expectedBy: (one: Expectation) => number,
): number {
  const expected = possibleBases(expectations).map(({ weight, members }) =>
    members.reduce((sum, one) => sum + (one.weight / weight) * expectedBy(one), 0),
  )
  return expected.reduce((nearest, one) => (Math.abs(one - found) < Math.abs(nearest - found) ? one : nearest))
}

interface Basis {
  basis: string
  weight: number
  members: Expectation[]
}

/** Those that the time before does not rule out. */
function possibleBases(expectations: readonly Expectation[]): Basis[] {
  const bases = [...new Set(expectations.map(({ basis }) => basis))].map((basis) => {
    const members = expectations.filter((one) => one.basis === basis)
    const weight = weightOf(members, () => true)
    return { basis, members, weight, evidence: weight / (members[0]?.basisPrior ?? 1) }
  })
  const best = Math.max(...bases.map(({ evidence }) => evidence))
  return bases.filter(({ evidence }) => evidence >= EVIDENCE_MIN * best)
}

/** @returns how much the explanations of this kind count together */
export function weightOf(expectations: readonly Expectation[], isOfKind: (one: Expectation) => boolean): number {
  return expectations.filter(isOfKind).reduce((sum, { weight }) => sum + weight, 0)
}

/** @returns whether the time before by itself may say what was to be expected, without another day or a baseline */
export function isPlain(expectations: readonly Expectation[], { baseline }: { baseline?: unknown }): boolean {
  return baseline === undefined && possibleBases(expectations).some(({ basis }) => basis === PLAIN)
}

function normalize(found: readonly Weighed[]): Expectation[] {
  const top = Math.max(...found.map(({ logWeight }) => logWeight))
  const total = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0)
  const weights = found.map(({ logWeight }) => Math.exp(logWeight - top))
  const counting = found.filter((_, at) => (weights[at] ?? 0) >= WEIGHT_MIN)
  const sum = total(weights.filter((weight) => weight >= WEIGHT_MIN))
  return counting.map(({ logWeight, ...one }) => ({ ...one, weight: Math.exp(logWeight - top) / sum }))
}
