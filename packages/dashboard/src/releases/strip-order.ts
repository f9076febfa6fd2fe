/** Which annotations stand above the charts, and in which order: what hurts now, then what goes on, then the last releases. Pure. */
import { isLive } from '@deployment-annotations/compare/environments'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isRelease } from '../annotations/verdict.ts'

/** More are on the page of releases. */
const SHOWN_MAX = 4

/** @param annotations those of the range, in any order */
export function chooseForStrip(annotations: readonly Annotation[]): Annotation[] {
  const newestFirst = annotations
    .filter((one) => isRelease(one) || one.open === true)
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time))
  const rankOf = (one: Annotation) => {
    // A rehearsal is of interest to few.
    if (!isLive(one)) return 3
    if (one.hurtsNow) return 0
    return isRelease(one) ? 2 : 1
  }
  return newestFirst.sort((one, other) => rankOf(one) - rankOf(other)).slice(0, SHOWN_MAX)
}
