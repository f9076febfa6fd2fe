/** The page of charts: events over time with annotations on them, and the list of events. */
import './explore.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { isMoving } from '../address/range.ts'
import type { View } from '../address/view.ts'
import { isWithin, viewAround } from '../annotations/annotation-view.ts'
import { type Draft, draftOf } from '../annotations/draft.ts'
import { listCharted } from '../charts/charted.ts'
import { DraftForm } from '../charts/draft-form.tsx'
import { Failures, isEarly, useFailures } from '../charts/failures.tsx'
import { useFindMarks } from '../charts/find-marks.ts'
import { laterPanel } from '../charts/later-parts.ts'
import { type Explored, useExplored } from '../charts/use-explored.ts'
import { FieldList } from '../fields/field-list.tsx'
import { useReturnFocus } from '../parts/focus.ts'
import { ReleaseStrip } from '../releases/strip.tsx'
import { AnswerError } from '../service/request.ts'
import { Charts } from './charts.tsx'
import { Controls } from './controls.tsx'
import { NoDatasets } from './empty.tsx'

export function Explore() {
  const { annotations: selected, fields: isListing } = view.value
  const explored = useExplored(view.value)
  const { known, refresh } = explored
  const found = useFindMarks(known)
  const [draft, setDraft] = useState<Draft>()
  const [chartErrors, reportFailure] = useFailures()
  // Until the datasets are known, some are requested that do not exist.
  const isMissing = (error: unknown) => error instanceof AnswerError && error.status === 404 && explored.isListing
  const errors = [...explored.errors, ...chartErrors].filter((error) => !isEarly(error) && !isMissing(error))
  useReturnFocus(selected.join(), '.panel')
  return (
    <div class="explore">
      <h1 class="visually-hidden">Explore</h1>
      <Controls explored={explored} found={found} />
      <Failures errors={errors} hasContent={explored.annotations !== undefined} onRetry={refresh} />
      <ReleaseStrip annotations={known} datasets={pickedBy(view.value, explored)} selected={selected} />
      <div class="beside-panel">
        <Selected explored={explored} onEdit={setDraft} />
        <div class={isListing ? 'explore-body has-fields' : 'explore-body'}>
          {isListing && explored.listRange && (
            <FieldList
              datasets={explored.fieldsOf}
              range={explored.listRange}
              version={explored.version}
              hasList={explored.eventsOf !== ''}
            />
          )}
          <Charts
            explored={explored}
            marked={found}
            onFailure={reportFailure}
            errors={errors}
            onMark={(datasets, span) => setDraft(draftOf(datasets, span))}
          />
        </div>
      </div>
      {explored.hasNoEvents && <NoDatasets onLook={refresh} />}
      <DraftForm draft={draft} datasets={explored.names} known={known} onClose={() => setDraft(undefined)} onChanged={refresh} />
    </div>
  )
}

/** The panel of the open annotations. It comes before the charts, so that the keyboard need not pass all events. */
function Selected({ explored, onEdit }: { explored: Explored; onEdit: (annotation: Annotation) => void }) {
  const { annotations: selected, startTime, endTime } = view.value
  const { range, known, version, refresh } = explored
  // A link to an annotation with a moving range leads to the annotation's time; a fixed range was chosen and stays.
  const isArriving = useRef(isMoving(startTime, endTime))
  const initial = useRef(selected.join())
  if (selected.length === 0) return null
  const arrive = (annotation: Annotation) => {
    if (isArriving.current && range && !isWithin(annotation, range)) navigate(viewAround(annotation, view.value), true)
    isArriving.current = false
  }
  return (
    <laterPanel.View
      annotations={known}
      version={version}
      charted={listCharted(view.value, explored)}
      takesFocus={selected.join() !== initial.current}
      onFound={arrive}
      onEdit={onEdit}
      onChanged={refresh}
    />
  )
}

/** @returns the datasets that somebody asked for; none for all */
function pickedBy({ apl, datasets }: View, { charted }: Explored): readonly string[] {
  return apl === '' && datasets.length === 0 ? [] : charted
}
