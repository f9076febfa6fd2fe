/** The panel of the annotations that were selected on a chart: what is said of one, where to look, and what else happened. */
import { SignButton } from '../parts/sign-button.tsx'
import './annotations.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatClock } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatView } from '../address/view.ts'
import { ActionMenu } from '../parts/action-menu.tsx'
import { useCopy } from '../parts/copy.tsx'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { annotationRequests } from '../service/annotations.ts'
import { may } from '../service/session.ts'
import { describeTook, titleOf, viewAround, whenOf } from './annotation-view.ts'
import { Carriers } from './carriers.tsx'
import { DeleteAnnotation } from './delete-annotation.tsx'
import { Details } from './details.tsx'
import { makerOf } from './made-by.ts'
import { Markdown } from './markdown.tsx'
import { Neighbors } from './neighbors.tsx'
import { Sign } from './result-sign.tsx'
import { select } from './select.ts'
import { useMakers } from './use-makers.ts'
import { headlineOf, isRelease, roundDuration, toneOf } from './verdict.ts'
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
  return (
    <aside
      class="panel card"
      aria-label="Selected annotations"
      onKeyDown={({ key, target }) => {
        // Escape answers an open dialog first.
        if (key === 'Escape' && !(target as Element).closest('dialog')) select([])
      }}
    >
      {ids.length === 1 ? <One {...props} key={only} id={only} /> : <Several {...props} key={ids.join()} />}
    </aside>
  )
}

interface HeadProps extends Pick<PanelProps, 'takesFocus'> {
  title?: string
  /** The one annotation, if it is known. */
  of?: Annotation | undefined
  children?: ComponentChildren
}

function Head({ takesFocus, of, title = of ? titleOf(of) : 'Annotation', children }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class="row panel-head">
      {of && <Sign annotation={of} />}
      <h2 ref={heading} class="clip" tabIndex={-1} aria-label={of?.verdictDetails && `${title}: ${headlineOf(of, Date.now())}`}>
        {title}
      </h2>
      {children}
      <SignButton label="Close the panel" onClick={() => select([])}>
        ✕
      </SignButton>
    </div>
  )
}

function Several({ annotations, takesFocus }: PanelProps) {
  const { annotations: ids, zone } = view.value
  const known = annotations.filter(({ id }) => ids.includes(id))
  return (
    <>
      <Head takesFocus={takesFocus} title={`${known.length} annotations`} />
      <ul class="picks">
        {known.length === 0 && <li class="hint">None of the {ids.length} selected annotations is in this range.</li>}
        {known.map((annotation) => (
          <li key={annotation.id}>
            <button type="button" class="pick" onClick={() => select([annotation.id])}>
              <Sign annotation={annotation} /> {titleOf(annotation)}
              <span class="hint"> {whenOf(annotation, zone)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function One({ id, annotations, version, takesFocus, onFound, onEdit, onChanged }: PanelProps & { id: string }) {
  const known = annotations.find((one) => one.id === id)
  const { data, error } = useLoad(known ? undefined : (signal) => annotationRequests.get(id, signal), [id, known, version])
  const { makers } = useMakers(0)
  const annotation = known ?? data
  useEffect(() => {
    if (annotation) onFound?.(annotation)
  }, [annotation])
  const details = annotation?.verdictDetails
  return (
    <>
      <Head takesFocus={takesFocus} of={annotation}>
        {annotation && <Actions annotation={annotation} onEdit={onEdit} onChanged={onChanged} />}
      </Head>
      <Failure error={known ? undefined : error} />
      {!annotation && !error && <p class="hint">Loading…</p>}
      {annotation && <Summary annotation={annotation} maker={makers && makerOf(annotation, makers)} onChanged={onChanged} />}
      {annotation && details && (
        <section class={`is-${toneOf(annotation)}`} aria-label="Metrics">
          <VerdictTable details={details} />
        </section>
      )}
      {annotation && details && <Carriers annotation={annotation} details={details} />}
      {annotation && <Neighbors annotation={annotation} annotations={annotations} />}
      {annotation && <Details annotation={annotation} makers={makers} />}
    </>
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
        {[describeTook(annotation, nowMs), maker].filter(Boolean).map((fact) => ` · ${fact}`)}
      </p>
      {isRelease(annotation) && <p class={`verdict is-${toneOf(annotation)}`}>{headlineOf(annotation, nowMs)}</p>}
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
  const { datasets } = annotation
  const [isAsking, setAsking] = useState(false)
  const [said, copy] = useCopy()
  const around = () => viewAround(annotation, view.value)
  const leave = () => {
    select([])
    onChanged()
  }
  const actions = [
    { words: 'Show on chart', isOffered: true, act: () => navigate(around()) },
    { words: 'Copy link', isOffered: true, act: () => copy(location.origin + formatView(around())) },
    { words: 'Change', isOffered: may('annotations|update', datasets), act: () => onEdit(annotation) },
    { words: 'Delete', isOffered: may('annotations|delete', datasets), isDangerous: true, act: () => setAsking(true) },
  ]
  return (
    <span class="row push">
      <span role="status">{said}</span>
      <ActionMenu of={titleOf(annotation)} actions={actions} />
      {isAsking && <DeleteAnnotation annotation={annotation} onClose={() => setAsking(false)} onDeleted={leave} />}
    </span>
  )
}
