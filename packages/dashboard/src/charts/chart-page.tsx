/** What every page of charts has around them: the controls above, the panel beside, their errors, and the form of a new annotation. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { isMoving, type Range } from '../address/range.ts'
import { formatView } from '../address/view.ts'
import { isWithin, viewAround } from '../annotations/annotation-view.ts'
import { type Draft, draftOf } from '../annotations/draft.ts'
import { select } from '../annotations/select.ts'
import { Share } from '../annotations/share.tsx'
import { WhatChanged } from '../changes/what-changed.tsx'
import type { Mark } from '../chart/marks.ts'
import { FilterChips } from '../filters/filter-chips.tsx'
import { useReturnFocus } from '../parts/focus.ts'
import { PageRange } from '../range/page-range.tsx'
import { AnswerError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { Failures, isEarly, type ReportFailure, useFailures } from './failures.tsx'
import { useFindMarks } from './find-marks.ts'
import { laterChanges, laterForm, laterPanel } from './later-parts.ts'
import { MarksMenu } from './marks-menu.tsx'
import type { Explored } from './use-explored.ts'
import { useFound } from './use-found.ts'

/** What all charts of a page have. */
export interface ShownOnCharts {
  range: Range
  /** A new number asks again. */
  version: number
  annotations: readonly Annotation[]
  found: readonly Mark[]
  onFailure: ReportFailure
  /** @returns what begins a new annotation on these datasets; absent if the token may not create it */
  markOn: (datasets: readonly string[]) => ((span: Range) => void) | undefined
}

interface ChartPageProps {
  explored: Explored
  /** What stands before the controls that every page of charts has. */
  first?: ComponentChildren
  /** What stands after them. */
  controls?: ComponentChildren
  below?: ComponentChildren
  /** @param errors those that are already shown above the charts */
  children: (shown: ShownOnCharts, errors: readonly unknown[]) => ComponentChildren
}

export function ChartPage({ explored, first, controls, below, children }: ChartPageProps) {
  const { annotations: selected, moment, annotationsQuery, page } = view.value
  const { known, range, refresh, charted, isListing } = explored
  const annotations = useFindMarks(known)
  const [draft, setDraft] = useState<Draft>()
  const [chartErrors, onFailure] = useFailures()
  const found = useFound(annotationsQuery, range, onFailure)
  // Until the datasets are known, some are requested that do not exist.
  const isMissing = (error: unknown) => error instanceof AnswerError && error.status === 404 && isListing
  const errors = [...explored.errors, ...chartErrors].filter((error) => !isEarly(error) && !isMissing(error))
  useReturnFocus(selected.join() || moment, '.panel')
  const markOn: ShownOnCharts['markOn'] = (datasets) =>
    may('annotations|create', datasets) ? (span) => setDraft(draftOf(datasets, span)) : undefined
  return (
    <>
      <div class="row controls">
        {first}
        <MarksMenu datasets={charted} annotations={known} found={annotations} />
        <FilterChips {...(page === 'explore' && { query: explored.query })} />
        {controls}
        <span class="row push">
          <WhatChanged annotations={known} range={range} />
          <PageRange range={range} onRefresh={refresh} />
          <Share key={formatView(view.value)} range={range} datasets={charted} annotations={known} />
        </span>
      </div>
      {below}
      <Failures errors={errors} hasContent={explored.annotations !== undefined} onRetry={refresh} />
      <div class="beside-panel">
        <Beside explored={explored} onEdit={setDraft} />
        {range && children({ range, version: explored.chartVersion, annotations, found, onFailure, markOn }, errors)}
      </div>
      {draft && (
        <laterForm.View
          draft={draft}
          types={[...new Set(known.map(({ type }) => type))]}
          onClose={() => setDraft(undefined)}
          onSaved={({ id }) => {
            setDraft(undefined)
            refresh()
            select([id])
          }}
        />
      )}
    </>
  )
}

/** The panel of the open annotations, or of what changed before a moment. It comes before the charts, so that the keyboard need not pass all events. */
function Beside({ explored, onEdit }: { explored: Explored; onEdit: (annotation: Annotation) => void }) {
  const { annotations: selected, moment, startTime, endTime, page } = view.value
  const { range, known, version, refresh } = explored
  // A link to an annotation with a moving range leads to the annotation's time; a fixed range was chosen and stays.
  const isArriving = useRef(page === 'explore' && isMoving(startTime, endTime))
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
