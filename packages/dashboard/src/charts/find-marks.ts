/** The search that limits the annotations on the charts to those with all of its words. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { findWords } from '../annotations/visible.ts'

/** @returns the annotations with all words of the view */
export function useFindMarks(annotations: readonly Annotation[]): readonly Annotation[] {
  const { text } = view.value
  return useMemo(() => findWords(annotations, text), [annotations, text])
}
