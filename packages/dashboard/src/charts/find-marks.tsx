/** Which annotations the charts show, by words: those that have all of them, as in the list of all annotations. */
import './find-marks.css'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { useMemo } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { findWords } from '../annotations/visible.ts'

/** @returns the annotations that have the words of the view; all of them where it has none */
export function useFindMarks(annotations: readonly Annotation[]): readonly Annotation[] {
  const { text } = view.value
  return useMemo(() => findWords(annotations, text), [annotations, text])
}

interface FindMarksProps {
  /** Those that are charted. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
  /** Those of them that have the words. */
  found: readonly Annotation[]
}

/** Not there where there is nothing to find, unless words hide it. */
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
