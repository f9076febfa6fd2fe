/** The moment of which is asked what changed before it. */
import { listHurt } from '@deployment-annotations/compare/healed'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { navigate, view } from '../address/navigation.ts'
import { parseTime, type Range } from '../address/range.ts'

/** @returns the moment that is asked about; `undefined` without one, and for what is no time */
export const askedMs = (): number | undefined => parseTime(view.value.moment, Date.now())

/** Opens the answer for a moment, to the minute: nobody clicks more exactly, and what was in the same minute came before. */
export function askWhatChanged(ms: number): void {
  navigate({ moment: new Date(Math.ceil(ms / UNIT_MS.m) * UNIT_MS.m).toISOString(), annotations: [] })
}

/** @returns when the worst harm of a range began, that goes on if any does; without harm, the end of the range, and at most now */
export function worstMoment(annotations: readonly Annotation[], range: Range, nowMs: number): number {
  const hurt = annotations.filter((one) => listHurt(one).length > 0)
  const harmful = hurt.some(({ hurtsNow }) => hurtsNow) ? hurt.filter(({ hurtsNow }) => hurtsNow) : hurt
  // Half and double are as large; where there was nothing before or is nothing after, there is no larger change.
  const sizeOf = (one: Annotation) =>
    Math.max(...listHurt(one).map(({ change }) => Math.abs(Math.log(1 + (change ?? Number.POSITIVE_INFINITY)))))
  const [worst] = harmful.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  const after = worst?.verdictDetails?.windows.after.startTime
  return after === undefined ? Math.min(nowMs, range.endMs) : Date.parse(after)
}
