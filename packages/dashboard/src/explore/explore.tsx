/** The page of charts: events over time with annotations on them, and the list of events. */
import './explore.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { isMoving } from '../address/range.ts'
import { isWithin, viewAround } from '../annotations/annotation-view.ts'
import { type Draft, draftOf } from '../annotations/draft.ts'
import { DraftForm } from '../charts/draft-form.tsx'
import { Failures, isEarly, useFailures } from '../charts/failures.tsx'
import { useFindMarks } from '../charts/find-marks.ts'
import { laterChanges, laterPanel } from '../charts/later-parts.ts'
import { type Explored, useExplored } from '../charts/use-explored.ts'
import { useReturnFocus } from '../parts/focus.ts'
import { later } from '../parts/later.tsx'
import { AnswerError } from '../service/request.ts'
import { Charts } from './charts.tsx'
import { Controls } from './controls.tsx'
import { Beginning } from './empty.tsx'

const laterFields = later(async () => (await import('../fields/field-list.tsx')).FieldList)

export function Explore() {
  const { annotations: selected, moment, fields: isListing } = view.value
  const explored = useExplored(view.value)
  const { known, refresh } = explored
  const found = useFindMarks(known)
  const [draft, setDraft] = useState<Draft>()
  const [chartErrors, reportFailure] = useFailures()
  // Until the datasets are known, some are requested that do not exist.
  const isMissing = (error: unknown) => error instanceof AnswerError && error.status === 404 && explored.isListing
  const errors = [...explored.errors, ...chartErrors].filter((error) => !isEarly(error) && !isMissing(error))
  useReturnFocus(selected.join() || moment, '.panel')
  return (
    <div class="explore">
      <h1 class="visually-hidden">Explore</h1>
      <Beginning explored={explored} />
      <Controls explored={explored} found={found} />
      <Failures errors={errors} hasContent={explored.annotations !== undefined} onRetry={refresh} />
      <div class="beside-panel">
        <Selected explored={explored} onEdit={setDraft} />
        <div class={isListing ? 'explore-body has-fields' : 'explore-body'}>
          {isListing && explored.listRange && (
            <laterFields.View
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
      <DraftForm draft={draft} datasets={explored.names} known={known} onClose={() => setDraft(undefined)} onChanged={refresh} />
    </div>
  )
}

/** The panel of the open annotations, or of what changed before a moment. It comes before the charts, so that the keyboard need not pass all events. */
function Selected({ explored, onEdit }: { explored: Explored; onEdit: (annotation: Annotation) => void }) {
  const { annotations: selected, moment, startTime, endTime } = view.value
  const { range, known, version, refresh } = explored
  // A link to an annotation with a moving range leads to the annotation's time; a fixed range was chosen and stays.
  const isArriving = useRef(isMoving(startTime, endTime))
  const initial = useRef(selected.join() || moment)
  const takesFocus = (selected.join() || moment) !== initial.current
  if (selected.length === 0) return moment === '' ? null : <laterChanges.View version={version} takesFocus={takesFocus} />
  const arrive = (annotation: Annotation) => {
    if (isArriving.current && range && !isWithin(annotation, range)) navigate(viewAround(annotation, view.value), true)
    isArriving.current = false
  }
  return (
    <laterPanel.View
      annotations={known}
      version={version}
      takesFocus={takesFocus}
      onFound={arrive}
      onEdit={onEdit}
      onChanged={refresh}
    />
  )
}
