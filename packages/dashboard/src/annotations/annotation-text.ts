/** What people call an annotation. Pure. */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { describeDuration, formatTime } from '../address/format-time.ts'
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
