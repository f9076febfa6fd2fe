/** How others judge the same numbers, to see what is gained: the rules of canary tools, as their documentation describes them. */
import { normalTail } from '../../packages/compare/src/distributions.ts'
import type { Counted, Series, Sides } from '../../packages/compare/src/series.ts'

type Rates = readonly number[]

const TOLERANCE = 1.25
const LEVEL = 0.02

/** A rank test at 98 %, and medians that differ by a quarter: the time after against the time before, … */
export function rankBefore({ before, after }: Sides<number>): boolean {
  return isHigher(before, after)
}

/** … or against what ran beside at the same time. */
export function rankBeside({ after }: Sides<number>, beside: Sides<number>): boolean {
  return isHigher(beside.after, after)
}

/** A limit that somebody set: twice what is usual. */
export function fixedLimit({ after }: Sides<number>, usual: number): boolean {
  return meanOf(after) > 2 * usual
}

/** The numbers of each bucket, as these rules see them. */
export function ratesOf(series: Series): { own: Sides<number>; baseline: Sides<number> | undefined } {
  if (series.kind === 'measurement') {
    const present = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
    const read = ({ before, after }: Sides<number | null>) => ({ before: present(before), after: present(after) })
    return { own: read(series), baseline: series.baseline && read(series.baseline) }
  }
  const rate = (buckets: readonly Counted[]) =>
    buckets.filter(({ outOf }) => outOf > 0).map(({ events, outOf }) => events / outOf)
  const read = ({ before, after }: Sides<Counted>) => ({ before: rate(before), after: rate(after) })
  return { own: read(series), baseline: series.baseline && read(series.baseline) }
}

function isHigher(first: Rates, second: Rates): boolean {
  if (first.length === 0 || second.length === 0) return false
  const wins = second.reduce((sum, y) => sum + first.reduce((all, x) => all + (y > x ? 1 : y === x ? 0.5 : 0), 0), 0)
  const [m, n] = [first.length, second.length]
  const z = (wins - (m * n) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12)
  return normalTail(z) <= LEVEL / 2 && meanOf(second) > TOLERANCE * meanOf(first)
}

const meanOf = (values: Rates) => (values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length)
