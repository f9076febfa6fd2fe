/** Whether what a release hurt is back at the level from before it. */
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { ComparedSeries } from './comparison.ts'
import { partsOf } from './words.ts'

type HurtSeries = VerdictDetails['series'][number]

/** @returns the series that it made worse */
export const listHurt = ({ verdictDetails }: { verdictDetails?: Pick<VerdictDetails, 'series'> }): HurtSeries[] =>
  verdictDetails?.series.filter(({ verdict }) => isWorse(verdict)) ?? []

/** What is back at its level may still be this much above or below what it was, in times. */
const BACK_TIMES = 1.5

/** @param now the same series of a later time, as far as it has a value */
export function isBack({ verdict, kind, ...levels }: HurtSeries, now: Pick<HurtSeries, 'after'> | undefined): boolean {
  if (now === undefined || now.after === null || Number.isNaN(now.after)) return false
  // What share of nothing failed nobody knows, so that any share of what is there again will do.
  if (verdict === 'gone' && kind !== 'count') return true
  const [before, bad] = [levels.before ?? 0, levels.after ?? 0]
  const middle = Math.sqrt(before * bad)
  return bad < before
    ? now.after >= Math.max(middle, before / BACK_TIMES)
    : now.after <= Math.min(middle || bad / 4, (before || bad) * BACK_TIMES)
}

/** @returns the same series; if it was that of one version, and this is the only one by now, that of all */
export const findSame = <T extends { readonly name: string }>(one: HurtSeries, now: readonly T[]): T | undefined =>
  now.find(({ name }) => name === one.name) ?? now.find(({ name }) => one.name.startsWith(`${name} of `))

/**
 * @param now a later time, compared with the time before the release
 * @returns whether the events show that all of it is back, and exclude that any is as bad as it was
 */
export function areBack(hurt: readonly HurtSeries[], now: readonly ComparedSeries[]): boolean {
  const isQuiet = now.some(({ name, before, after }) => partsOf(name).metric === 'traffic' && after < before / 2)
  return hurt.every((one) => {
    const found = findSame(one, now)
    // Fewer errors a minute are nothing to go by where there is less of everything.
    if (!found || !isBack(one, found) || (one.kind === 'count' && isQuiet)) return false
    return one.verdict === 'gone' || isExcluded(one, found)
  })
}

/** Whether the interval of what it is now leaves out what it was when it hurt. */
function isExcluded({ before, after: bad }: HurtSeries, { expected, low, high, unseen }: ComparedSeries): boolean {
  if (unseen !== undefined) return unseen < (bad ?? 0)
  return (bad ?? 0) > (before ?? 0) ? expected * (1 + high) < (bad ?? 0) : expected * (1 + low) > (bad ?? 0)
}
