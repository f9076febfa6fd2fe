/** The annotations on the charts: those with all words that are searched for, and which of them are hidden. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { findWords, visibleOn } from '../annotations/visible.ts'

/** @returns the annotations with all words of the view */
export function useFindMarks(annotations: readonly Annotation[]): readonly Annotation[] {
  const { text } = view.value
  return useMemo(() => findWords(annotations, text), [annotations, text])
}

/**
 * @param datasets those of a chart
 * @returns the annotations that are shown on it
 */
export function useVisible(datasets: readonly string[], annotations: readonly Annotation[]): readonly Annotation[] {
  const { hiddenDatasets, hiddenTypes } = view.value
  return useMemo(
    () => visibleOn(datasets, annotations, { hiddenDatasets, hiddenTypes }),
    [datasets.join(), annotations, hiddenDatasets, hiddenTypes],
  )
}
