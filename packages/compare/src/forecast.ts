/**
 * Forecasts the time after an event from the time before, with the uncertainty. Several explanations of the time before are weighted by
 * how well each fits (Bayesian model averaging): chance alone; values that resemble the ones before them, for a short or a long time (an
 * autoregressive process below the noise of each bucket); and each of these on top of the same time a day or a week ago. If
 * values have memory, the explanations with memory win, and the interval is as wide as such values move. If not, chance alone wins, and
 * the interval is narrow. docs/compare.md has the error rates. The constants come from the simulations of `npm run bench -- verdicts`.
 */
import { type Expectation, explain, type Weighed } from './explanations.ts'
import type { Tails } from './tested.ts'
import { type Change, changeOf, meanOf, smooth, type Timeline, varianceOf, weighAfter, without } from './timeline.ts'

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
/** From this number of standard deviations on, another day changed at this hour, too: perhaps what happens every day. */
const JUMP = 2
/** How likely the time before alone has to be, relative to other days, if what these did at this hour is to be ruled out by itself. */
const PLAIN_MIN = 0.1
/** Explanations with a smaller weight are left out. */
const WEIGHT_MIN = 1e-4

/** Explanations with their weights: the usual ones, and for each other day that changed at this hour those that expect the same today. */
export type Forecast = readonly [usual: readonly Expectation[], ...jumped: readonly (readonly Expectation[])[]]

export function forecast(today: Timeline, { seasons, baseline, isVarianceKnown }: ForecastOptions): Forecast {
  const own = baseline ? without(today, baseline) : today
  const changes = seasons.map((season) => changeOf(season, isVarianceKnown))
  const jumps = changes.filter(({ change, noise }) => Math.abs(change) > JUMP * Math.sqrt(noise))
  const plain = explain(own, seasons.length > 0 ? 1 - SEASON_PRIOR : 1, isVarianceKnown)
  const courses = seasons.map(smooth).flatMap((season) => {
    const rest = explain(without(own, season), SEASON_PRIOR / seasons.length, isVarianceKnown)
    return rest.map((one) => ontoOf(one, levelOf(season, one)))
  })
  const { noise } = weighAfter(today.after)
  const finish = (found: readonly Weighed[], unsteady = 0) =>
    normalize(found).map((one) => {
      const expected = baseline ? ontoOf(one, levelOf(baseline, one)) : one
      return { ...expected, variance: expected.variance + unsteady, noise: noise * expected.scale }
    })
  // Where other days explain the time before far better than it does itself, they tell of their changes, too.
  const isPlain = bestOf(plain) >= bestOf([...plain, ...courses]) + Math.log(PLAIN_MIN)
  return [
    finish([...plain, ...courses], varianceOf(changes)),
    ...(isPlain ? jumps.map((jump) => finish(plain.map((one) => ontoOf(one, jump)))) : []),
  ]
}

/** How much is added to a forecast, and how sure that is. */
const levelOf = ({ after }: Timeline, { scale }: Expectation): Change => ({
  change: meanOf(after),
  noise: weighAfter(after).noise * scale,
})

/** Turns the forecast of the difference from another day or a baseline into a forecast of the values. */
function ontoOf<T extends Expectation>(one: T, { change, noise }: Change): T {
  return { ...one, mean: one.mean + change, variance: one.variance + noise, isChanceAlone: false }
}

/** @returns the mean by weight */
function meanBy<T extends { weight: number }>(weighted: readonly T[], read: (one: T) => number): number {
  return weighted.reduce((sum, one) => sum + one.weight * read(one), 0)
}

/** @returns the mean of the chances under each explanation; what happened at this hour on another day has to be ruled out, too */
export function combineTails(all: Forecast, tailsOf: (one: Expectation) => ReturnType<Tails>): ReturnType<Tails> {
  const tails = all.map((expectations) => expectations.map((one) => ({ ...tailsOf(one), weight: one.weight })))
  const most = (read: (one: ReturnType<Tails>) => number) => Math.max(...tails.map((some) => meanBy(some, read)))
  return { pHigher: most((one) => one.pHigher), pLower: most((one) => one.pLower) }
}

/** @returns the expected value that is nearest to the found one, so that no change is overstated */
export function nearestExpected(all: Forecast, found: number, read: (one: Expectation) => number): number {
  const expected = all.map((expectations) => meanBy(expectations, read))
  return expected.reduce((nearest, one) => (Math.abs(one - found) < Math.abs(nearest - found) ? one : nearest))
}

/** @returns whether memory or a season explains the time before better than chance */
export const isUneven = ([usual]: Forecast): boolean => meanBy(usual, (one) => Number(one.isChanceAlone)) < 0.5

const bestOf = (found: readonly Weighed[]): number => Math.max(...found.map(({ logWeight }) => logWeight))

function normalize(found: readonly Weighed[]): Expectation[] {
  const top = bestOf(found)
  const sum = found.reduce((total, { logWeight }) => total + Math.exp(logWeight - top), 0)
  const weighed = found.map(({ logWeight, ...one }) => ({ ...one, weight: Math.exp(logWeight - top) / sum }))
  return weighed.filter(({ weight }) => weight >= WEIGHT_MIN)
}
