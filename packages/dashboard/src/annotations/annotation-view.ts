/**
 * An annotation as the page shows it: its title, its times and its duration.
 */

import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { describeDuration, formatTime } from '../address/format-time.ts'
import { formatRange, type Range } from '../address/range.ts'
import { DEFAULT_VIEW, type View } from '../address/view.ts'
import { resultOf } from './result.ts'

export function titleOf({ title, type }: Annotation): string {
  return title ?? type
}

/** @returns title, kind, time and how it went: what a mark says to who cannot see it */
export function describeMark(annotation: Annotation, utc: boolean): string {
  const parts = [titleOf(annotation), annotation.type, whenOf(annotation, utc), resultOf(annotation)]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** @returns time, and length if it is a span: `31 Jan 2026, 12:00:00, for 4 min 12 s` */
export function whenOf({ time, endTime }: Annotation, utc: boolean): string {
  const length = endTime === undefined ? '' : `, for ${describeDuration(Date.parse(endTime) - Date.parse(time))}`
  return formatTime(time, utc) + length
}

/** As the service's links to annotations have it; of what took longer, as long again. */
const AROUND_MS_MIN = UNIT_MS.h

export function spanOf({ time, endTime = time }: Annotation): Range {
  return { startMs: Date.parse(time), endMs: Date.parse(endTime) }
}

/** @returns whether some of it can be seen in a range */
export function isWithin(annotation: Annotation, { startMs, endMs }: Range): boolean {
  const span = spanOf(annotation)
  return span.endMs >= startMs && span.startMs <= endMs
}

/** @param from the view whose zone and toggles stay */
export function viewAround(annotation: Annotation, { utc }: Pick<View, 'utc'>): View {
  const { startMs, endMs } = spanOf(annotation)
  const aroundMs = Math.max(AROUND_MS_MIN, endMs - startMs)
  return {
    ...DEFAULT_VIEW,
    ...formatRange({ startMs: startMs - aroundMs, endMs: endMs + aroundMs }),
    datasets: annotation.datasets,
    annotations: [annotation.id],
    utc,
  }
}
