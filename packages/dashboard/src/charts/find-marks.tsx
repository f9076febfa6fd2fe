/** The search that limits the annotations on the charts to those with all of its words. */
import './find-marks.css'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { useMemo } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { findWords } from '../annotations/visible.ts'

/** @returns the annotations with all words of the view */
export function useFindMarks(annotations: readonly Annotation[]): readonly Annotation[] {
  const { text } = view.value
  return useMemo(() => findWords(annotations, text), [annotations, text])
}

interface FindMarksProps {
  /** The charted datasets. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
  /** The annotations that contain the words. */
  found: readonly Annotation[]
}

/** Is hidden if there is nothing to find, unless words are being searched for. */
export function FindMarks({ datasets, annotations, found }: FindMarksProps) {
  const { text } = view.value
  const count = (list: readonly Annotation[]) =>
    list.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name))).length
  const all = count(annotations)
  if (all === 0 && text === '') return null
  return (
    <span class="find-marks">
      <input
        type="search"
        placeholder="Find marks"
        aria-label="Only annotations with these words"
        value={text}
        onInput={({ currentTarget }) => navigate({ text: currentTarget.value }, true)}
      />
      <span class="hint" role="status">
        {text.trim() !== '' && `${count(found).toLocaleString('en')} of ${all.toLocaleString('en')}`}
      </span>
    </span>
  )
}
