/** Filters the list of annotations by dataset, type, maker and words. Pure. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { View } from '../address/view.ts'
import { findWords } from '../annotations/visible.ts'

type Filter = Pick<View, 'datasets' | 'types' | 'createdBy' | 'text'>

/** @returns the annotations that match every part of the filter, the newest first */
export function filterAnnotations(annotations: readonly Annotation[], filter: Filter): Annotation[] {
  const { datasets, types, createdBy, text } = filter
  const found = findWords(annotations, text).filter(
    (annotation) =>
      (datasets.length === 0 || annotation.datasets.some((name) => datasets.includes(name))) &&
      (types.length === 0 || types.includes(annotation.type)) &&
      (createdBy.length === 0 || createdBy.includes(annotation.createdBy ?? '')),
  )
  return found.sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
}
