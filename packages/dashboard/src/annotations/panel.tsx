/** The panel of the annotations that were selected on a chart: what is said of one, where to look, and what else happened. */
import { rowsOf } from '@deployment-annotations/compare/report'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useState } from 'preact/hooks'
import { formatClock } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { ActionMenu } from '../parts/action-menu.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { annotationRequests } from '../service/annotations.ts'
import { may } from '../service/session.ts'
import { describeTook, titleOf, viewAround, whenOf } from './annotation-view.ts'
import { Carriers } from './carriers.tsx'
import { Details } from './details.tsx'
import { makerOf } from './made-by.ts'
import { Markdown } from './markdown.tsx'
import { Neighbors } from './neighbors.tsx'
import { PanelFrame, Pick } from './panel-frame.tsx'
import { useMakers } from './use-makers.ts'
import { headlineOf, isRelease, roundDuration, stateOf } from './verdict.ts'
import { VerdictTable } from './verdict-table.tsx'

interface PanelProps {
  /** The annotations in view; others are loaded by their ids. */
  annotations: readonly Annotation[]
  /** A new number reloads the annotations that are not in view. */
  version: number
  /** Whether the person opened it; otherwise the address did. */
  takesFocus: boolean
  /** Called with an annotation that was loaded alone. */
  onFound?: (annotation: Annotation) => void
  onEdit: (annotation: Annotation) => void
  /** Called after a change or a deletion. */
  onChanged: () => void
}

export function Panel(props: PanelProps) {
  const { annotations: ids } = view.value
  const [only = ''] = ids
  return ids.length === 1 ? <One {...props} key={only} id={only} /> : <Several {...props} key={ids.join()} />
}

const CLOSED = { annotations: [] }

function Several({ annotations, takesFocus }: PanelProps) {
  const { annotations: ids, zone } = view.value
  const chosen = new Set(ids)
  const known = annotations.filter(({ id }) => chosen.has(id))
  return (
    <PanelFrame title={`${known.length} annotations`} takesFocus={takesFocus} without={CLOSED}>
      <ul class="picks">
        {known.length === 0 && <li class="hint">None of the {ids.length} selected annotations is in this range.</li>}
        {known.map((annotation) => (
          <li key={annotation.id}>
            <Pick annotation={annotation} when={whenOf(annotation, zone)} />
          </li>
        ))}
      </ul>
    </PanelFrame>
  )
}

function One({ id, annotations, version, takesFocus, onFound, onEdit, onChanged }: PanelProps & { id: string }) {
  const known = annotations.find((one) => one.id === id)
  const { data, error } = useLoad(known ? undefined : (signal) => annotationRequests.get(id, signal), [id, known, version])
  const { makers } = useMakers()
  const annotation = known ?? data
  const details = annotation?.verdictDetails
  useEffect(() => {
    if (annotation) onFound?.(annotation)
  }, [annotation])
  return (
    <PanelFrame
      title={annotation ? titleOf(annotation) : 'Annotation'}
      of={annotation}
      takesFocus={takesFocus}
      without={CLOSED}
      actions={annotation && <Actions annotation={annotation} onEdit={onEdit} onChanged={onChanged} />}
    >
      <Failure error={known ? undefined : error} />
      {!annotation && !error && <p class="hint">Loading…</p>}
      {annotation && (
        <>
          <Summary annotation={annotation} maker={makers && makerOf(annotation, makers)} onChanged={onChanged} />
          {details && (
            <section class={`is-${stateOf(annotation)}`} aria-label="Metrics">
              <VerdictTable rows={rowsOf(details)} details={details} />
            </section>
          )}
          {details && <Carriers annotation={annotation} details={details} />}
          <Neighbors annotation={annotation} annotations={annotations} />
          <Details annotation={annotation} makers={makers} />
        </>
      )}
    </PanelFrame>
  )
}

type SummaryProps = Pick<PanelProps, 'onChanged'> & { annotation: Annotation; maker: string | undefined }

/** What everybody wants to know first: when, for how long, by whom, and whether it hurt. */
function Summary({ annotation, maker, onChanged }: SummaryProps) {
  const { id, time, endTime = time, open, datasets, description, verdictDetails } = annotation
  const nowMs = Date.now()
  const { error, isBusy, attempt } = useAttempt()
  // A point in time has no end.
  const isOpen = open === true || (endTime !== time && Date.parse(endTime) > nowMs)
  const closeNow = async () => {
    await annotationRequests.change(id, { endTime: new Date().toISOString() })
    onChanged()
  }
  const ago = open || Date.parse(time) > nowMs ? undefined : `${roundDuration(nowMs - Date.parse(time))} ago`
  return (
    <section aria-label="Summary">
      <p class="panel-facts">
        <Moment time={time}>{[formatClock(time, view.value.zone, nowMs), ago].filter(Boolean).join(', ')}</Moment>
        {[describeTook(annotation, nowMs, isRelease(annotation) ? 'took' : 'for'), maker]
          .filter(Boolean)
          .map((fact) => ` · ${fact}`)}
      </p>
      {isRelease(annotation) && <p class="verdict">{headlineOf(annotation, nowMs)}</p>}
      {!verdictDetails && description !== undefined && <Markdown text={description} />}
      <Failure error={error} />
      {isOpen && may('annotations|update', datasets) && (
        <button type="button" aria-disabled={isBusy} onClick={() => attempt(closeNow)}>
          Close now
        </button>
      )}
    </section>
  )
}

type ActionsProps = Pick<PanelProps, 'onEdit' | 'onChanged'> & { annotation: Annotation }

function Actions({ annotation, onEdit, onChanged }: ActionsProps) {
  const { id, datasets } = annotation
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    await annotationRequests.delete(id)
    navigate(CLOSED)
    onChanged()
  }
  const actions = [
    { words: 'Show on chart', isOffered: true, act: () => navigate(viewAround(annotation, view.value)) },
    { words: 'Change', isOffered: may('annotations|update', datasets), act: () => onEdit(annotation) },
    { words: 'Delete', isOffered: may('annotations|delete', datasets), isDangerous: true, act: () => setAsking(true) },
  ]
  return (
    <>
      <ActionMenu of={titleOf(annotation)} actions={actions} />
      {isAsking && (
        <Confirm title="Delete the annotation?" action="Delete permanently" task={remove} onClose={() => setAsking(false)}>
          <p class="clip">
            {titleOf(annotation)} will disappear from the charts of {datasets.join(', ')}.
          </p>
        </Confirm>
      )}
    </>
  )
}
