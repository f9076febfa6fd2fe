/** An annotation that is being edited. */
import type { Annotation, AnnotationChange } from '@deployment-annotations/contract/annotation'
import { formatRange, type Range } from '../address/range.ts'

/** An existing annotation, or the defaults of a new one. */
export type Draft = Annotation | (AnnotationChange & { id?: undefined; datasets: string[] })

/** @param span the span that was marked on a chart; by default now, as a point in time */
export function draftOf(datasets: readonly string[], span: Range = { startMs: Date.now(), endMs: Date.now() }): Draft {
  const { startTime, endTime } = formatRange(span)
  return { datasets: [...datasets], time: startTime, ...(span.endMs > span.startMs && { endTime }) }
}
