/** Lists annotations by the times of the page. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatRange, parseTime, type Range } from '../address/range.ts'
import { annotationRequests } from '../service/annotations.ts'

/** @returns the annotations that overlap the range, ascending by time */
export function listAnnotations(range: Range, signal: AbortSignal): Promise<Annotation[]> {
  const { startTime: start, endTime: end } = formatRange(range)
  return annotationRequests.list({ start, end }, signal)
}

/** @returns the timestamp from which a list is asked for, or `undefined` if the text is not a time */
export function startOf(since: string): string | undefined {
  const ms = parseTime(since, Date.now())
  return ms === undefined ? undefined : new Date(ms).toISOString()
}
