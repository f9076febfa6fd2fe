/** The moment of which is asked what changed before it. */
import { listHurt } from '@deployment-annotations/compare/healed'
import { rankByHarm } from '@deployment-annotations/compare/verdict'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { navigate, view } from '../address/navigation.ts'
import { parseTime, type Range } from '../address/range.ts'

/** @returns the moment that is asked about; `undefined` without one, and for what is no time */
export const askedMs = (): number | undefined => parseTime(view.value.moment, Date.now())

let pointed = 0

/** Remembers the moment of a chart that the mouse is at. */
export function point(ms: number): void {
  pointed = ms
}

/** @returns the moment of the chart that the mouse is at now */
export const pointedMs = (): number | undefined => (document.querySelector('.u-over:hover') ? pointed : undefined)

/** Opens the answer for a moment, to the minute: nobody clicks more exactly, and what was in the same minute came before. */
export function askWhatChanged(ms: number): void {
  navigate({ moment: new Date(Math.ceil(ms / UNIT_MS.m) * UNIT_MS.m).toISOString(), annotations: [] })
}

/** @returns when the worst harm of a range began, that goes on if any does; without harm, the end of the range, and at most now */
export function worstMoment(annotations: readonly Annotation[], range: Range, nowMs: number): number {
  const hurt = annotations.flatMap((one) => listHurt(one).map((series) => ({ ...series, change: series.change ?? 0, one })))
  const goingOn = hurt.filter(({ one }) => one.hurtsNow)
  const [worst] = rankByHarm(goingOn.length > 0 ? goingOn : hurt)
  const after = worst?.one.verdictDetails?.windows.after.startTime
  return after === undefined ? Math.min(nowMs, range.endMs) : Date.parse(after)
}
