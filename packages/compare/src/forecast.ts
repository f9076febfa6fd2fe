/**
 * Forecasts the time after an event from the time before, with the uncertainty. Several explanations of the time before are weighted by
 * how well each fits (Bayesian model averaging): chance alone; values that resemble the ones before them, for a short or a long time (an
 * autoregressive process below the noise of each bucket); a trend; and each of these on top of the same time a day or a week ago. If
 * values have memory, the explanations with memory win, and the interval is as wide as such values move. If not, chance alone wins, and
 * the interval is narrow. docs/compare.md has the error rates. The constants come from the simulations of `npm run bench -- verdicts`.
 */
import { type Expectation, explain, PLAIN, type Weighed } from './explanations.ts'
import { flatten, hasJump, meanOf, smooth, type Timeline, varianceOfSeasons, weighAfter, without } from './timeline.ts'

interface ForecastOptions {
  /** The same hours of other days. */
  seasons: readonly Timeline[]
  /** The baseline, which is subtracted in any case. */
  baseline: Timeline | undefined
  /** Whether the variances are known absolutely, and not only relative to each other. */
  isVarianceKnown: boolean
}

/** The prior probability that another day is a good forecast. */
const SEASON_PRIOR = 0.5
/** Explanations with a smaller weight are left out. */
const WEIGHT_MIN = 1e-4

/** @returns the explanations with enough weight, and the mean that each expects */
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

/** Turns the forecast of the difference from another line into a forecast of the values. */
function ontoOf<T extends Expectation>({ after }: Timeline, one: T): T {
  const variance = one.variance + weighAfter(after).noise * one.scale
  return { ...one, mean: one.mean + meanOf(after), variance, isChanceAlone: false }
}

/** A basis whose evidence, relative to the best one, is below this is ruled out. All others have to confirm a change. */
const EVIDENCE_MIN = 0.2

/**
 * @param tailsOf the probabilities of such a high, and such a low, value under one explanation
 * @returns the greatest of any basis that is not ruled out; within a basis, the explanations are averaged by weight
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
 * @param expectedBy the value that an explanation expects, on the scale on which it is shown
 * @returns the expected value, of any basis that is not ruled out, that is nearest to the found one, so that the change is not
 *   overstated
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

/** The bases that the time before does not rule out. */
function possibleBases(expectations: readonly Expectation[]): Basis[] {
  const bases = [...new Set(expectations.map(({ basis }) => basis))].map((basis) => {
    const members = expectations.filter((one) => one.basis === basis)
    const weight = weightOf(members, () => true)
    return { basis, members, weight, evidence: weight / (members[0]?.basisPrior ?? 1) }
  })
  const best = Math.max(...bases.map(({ evidence }) => evidence))
  return bases.filter(({ evidence }) => evidence >= EVIDENCE_MIN * best)
}

/** @returns the total weight of the explanations of this kind */
export function weightOf(expectations: readonly Expectation[], isOfKind: (one: Expectation) => boolean): number {
  return expectations.filter(isOfKind).reduce((sum, { weight }) => sum + weight, 0)
}

/** @returns whether the time before alone is the forecast, without another day or a baseline */
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
