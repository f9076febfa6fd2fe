/** The view that shows an annotation on the charts of its datasets, with what was before and after it. Pure. */

import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { formatRange, type Range } from '../address/range.ts'
import { DEFAULT_VIEW, type View } from '../address/view.ts'

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
