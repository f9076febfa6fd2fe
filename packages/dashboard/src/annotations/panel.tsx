/** The panel of the annotations that were selected on a chart, with the actions on each. */
import { SignButton } from '../parts/sign-button.tsx'
import './annotations.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { styleOf } from '../address/type-colors.ts'
import { formatView } from '../address/view.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { annotationRequests } from '../service/annotations.ts'
import { may } from '../service/session.ts'
import { titleOf, viewAround, whenOf } from './annotation-view.ts'
import { BeforeAfter } from './before-after.tsx'
import type { Charted } from './compare-around.ts'
import { DeleteAnnotation } from './delete-annotation.tsx'
import { Details, Origin } from './details.tsx'
import { ResultSign } from './result-sign.tsx'
import { select } from './select.ts'
import { useMakers } from './use-makers.ts'
import { headlineOf, isRelease, signOf, toneOf } from './verdict.ts'

interface PanelProps {
  /** The annotations in view; others are loaded by their ids. */
  annotations: readonly Annotation[]
  /** A new number reloads the annotations that are not in view. */
  version: number
  /** The series and datasets that the charts show. */
  charted: readonly Charted[]
  /** Whether the person opened it; otherwise the address did. */
  takesFocus: boolean
  /** Called with an annotation that was loaded alone. */
  onFound?: (annotation: Annotation) => void
  onEdit: (annotation: Annotation) => void
  /** Called after a change or a deletion. */
  onChanged: () => void
}

export function Panel(props: PanelProps) {
  const { annotations, takesFocus } = props
  const { annotations: ids, zone } = view.value
  const known = annotations.filter(({ id }) => ids.includes(id))
  const [only] = ids
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [ids.join()])
  return (
    <aside
      class="panel card"
      aria-label="Selected annotations"
      onKeyDown={({ key, target }) => {
        // Escape answers an open dialog first.
        if (key === 'Escape' && !(target as Element).closest('dialog')) select([])
      }}
    >
      <div class="row">
        <h2 ref={heading} tabIndex={-1}>
          {ids.length === 1 ? 'Annotation' : `${known.length} annotations`}
        </h2>
        <SignButton class="quiet push" label="Close the panel" onClick={() => select([])}>
          ✕
        </SignButton>
      </div>
      {ids.length === 1 && only !== undefined ? (
        <OneAnnotation {...props} key={only} id={only} known={known[0]} />
      ) : (
        <ul class="picks">
          {known.length === 0 && <li class="hint">None of the {ids.length} selected annotations is in this range.</li>}
          {known.map((annotation) => (
            <li key={annotation.id}>
              <button type="button" class="pick" onClick={() => select([annotation.id])}>
                <span class="swatch" style={styleOf(annotation.type)} /> <ResultSign annotation={annotation} />
                {titleOf(annotation)}
                <span class="hint"> {whenOf(annotation, zone)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}

type OneAnnotationProps = Pick<PanelProps, 'version' | 'charted' | 'onFound' | 'onEdit' | 'onChanged'> & {
  id: string
  known: Annotation | undefined
}

function OneAnnotation({ id, known, version, charted, onFound, onEdit, onChanged }: OneAnnotationProps) {
  const loaded = useLoad(known ? undefined : (signal) => annotationRequests.get(id, signal), [id, known, version])
  const { makers } = useMakers(0)
  const annotation = known ?? loaded.data
  useEffect(() => {
    if (annotation) onFound?.(annotation)
  }, [annotation])
  if (!annotation) return loaded.error ? <Failure error={loaded.error} /> : <p class="hint">Loading…</p>
  return (
    <>
      <Failure error={known ? undefined : loaded.error} />
      <h3 class="clip">{titleOf(annotation)}</h3>
      {isRelease(annotation) && <Verdict annotation={annotation} />}
      <BeforeAfter annotation={annotation} charted={charted} version={version} />
      <Details annotation={annotation} />
      <Actions annotation={annotation} onEdit={onEdit} onChanged={onChanged} />
      <Origin annotation={annotation} makers={makers} />
    </>
  )
}

/** What everybody wants to know first. */
function Verdict({ annotation }: { annotation: Annotation }) {
  return (
    <section class={`verdict is-${toneOf(annotation)}`} aria-label="Verdict">
      <p>
        <span aria-hidden="true">{signOf(annotation)}</span> {headlineOf(annotation, Date.now())}
      </p>
    </section>
  )
}

type ActionsProps = Pick<OneAnnotationProps, 'onEdit' | 'onChanged'> & { annotation: Annotation }

function Actions({ annotation, onEdit, onChanged }: ActionsProps) {
  const { error, isBusy, attempt } = useAttempt()
  const [isAsking, setAsking] = useState(false)
  const mayChange = may('annotations|update', annotation.datasets)
  // A point in time has no end.
  const isOpen = annotation.open === true || Date.parse(annotation.endTime ?? annotation.time) > Date.now()
  const closeNow = async () => {
    await annotationRequests.change(annotation.id, { endTime: new Date().toISOString() })
    onChanged()
  }
  const leave = () => {
    select([])
    onChanged()
  }
  return (
    <>
      <Failure error={error} />
      <div class="row">
        <button type="button" onClick={() => navigate(viewAround(annotation, view.value))}>
          Show on chart
        </button>
        <CopyButton label="Copy link" text={location.origin + formatView(viewAround(annotation, view.value))} />
      </div>
      <div class="row panel-actions">
        {mayChange && (
          <button type="button" onClick={() => onEdit(annotation)}>
            Change
          </button>
        )}
        {mayChange && isOpen && (
          <button type="button" aria-disabled={isBusy} onClick={() => attempt(closeNow)}>
            Close now
          </button>
        )}
        {may('annotations|delete', annotation.datasets) && (
          <button type="button" class="danger" onClick={() => setAsking(true)}>
            Delete
          </button>
        )}
      </div>
      {isAsking && <DeleteAnnotation annotation={annotation} onClose={() => setAsking(false)} onDeleted={leave} />}
    </>
  )
}
