/** The choices of the menu of annotations: the words they have, their datasets and types, and a query whose rows are shown, too. */
import './marks-choices.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { navigate, view } from '../address/navigation.ts'
import { Toggles } from '../annotations/toggles.tsx'
import { Search } from '../parts/search.tsx'
import { may } from '../service/session.ts'
import { AnnotationsQuery } from './annotations-query.tsx'

export interface MarksChoicesProps {
  /** The charted datasets. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
  /** The annotations that contain the words that are searched for. */
  found: readonly Annotation[]
}

export function MarksChoices({ datasets, annotations, found }: MarksChoicesProps) {
  const count = (list: readonly Annotation[]) =>
    list.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name))).length
  const { text } = view.value
  return (
    <>
      <span class="row find-marks">
        <Search
          name="Only annotations with these words"
          placeholder="Find annotations"
          value={text}
          onText={(to) => navigate({ text: to }, true)}
        />
        <span class="hint" role="status">
          {text.trim() !== '' && `${count(found).toLocaleString('en')} of ${count(annotations).toLocaleString('en')}`}
        </span>
      </span>
      <Toggles datasets={datasets} annotations={annotations} />
      {may('query|read') && <AnnotationsQuery />}
    </>
  )
}
