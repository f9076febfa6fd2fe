/** The annotations that were selected on a chart: all about each, and what can be done to it. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { changeAnnotation, deleteAnnotation, getAnnotation } from '../service/annotations.ts'
import { may } from '../service/session.ts'
import { colourOf } from '../view/colours.ts'
import { titleOf, whenOf } from './annotation-text.ts'
import { BeforeAfter } from './before-after.tsx'
import type { Charted } from './compare-around.ts'
import { Details } from './details.tsx'

interface PanelProps {
  ids: readonly string[]
  /** Those in view; an id of another one is looked up. */
  annotations: readonly Annotation[]
  /** Another number looks those up again that are not in view. */
  version: number
  /** What the charts show. */
  charted: readonly Charted[]
  utc: boolean
  onSelect: (ids: string[]) => void
  onEdit: (annotation: Annotation) => void
  /** After a change or a delete. */
  onChanged: () => void
}

export function Panel({ ids, annotations, version, charted, utc, onSelect, onEdit, onChanged }: PanelProps) {
  const known = annotations.filter(({ id }) => ids.includes(id))
  const [only] = ids
  return (
    <aside class="panel card" aria-label="Selected annotations">
      <div class="row">
        <h2>{ids.length === 1 ? 'Annotation' : `${known.length} annotations`}</h2>
        <button type="button" class="quiet push" onClick={() => onSelect([])} aria-label="Close the panel">
          ✕
        </button>
      </div>
      {ids.length === 1 && only !== undefined ? (
        <OneAnnotation
          key={only}
          id={only}
          known={known[0]}
          version={version}
          charted={charted}
          utc={utc}
          onEdit={onEdit}
          onChanged={onChanged}
          onGone={() => onSelect([])}
        />
      ) : (
        <ul class="picks">
          {known.length === 0 && <li class="hint">None of the {ids.length} selected annotations is in this range.</li>}
          {known.map((annotation) => (
            <li key={annotation.id}>
              <button type="button" class="pick" onClick={() => onSelect([annotation.id])}>
                <span class={`swatch type-${colourOf(annotation.type)}`} /> {titleOf(annotation)}
                <span class="hint"> {whenOf(annotation, utc)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}

interface OneAnnotationProps {
  id: string
  known: Annotation | undefined
  version: number
  charted: readonly Charted[]
  utc: boolean
  onEdit: (annotation: Annotation) => void
  onChanged: () => void
  onGone: () => void
}

function OneAnnotation({ id, known, version, charted, utc, onEdit, onChanged, onGone }: OneAnnotationProps) {
  const loaded = useLoad(known ? undefined : (signal) => getAnnotation(id, signal), [id, known, version])
  const annotation = known ?? loaded.data
  if (!annotation) return loaded.error ? <Failure error={loaded.error} /> : <p class="hint">Loading…</p>
  return (
    <>
      <Details annotation={annotation} utc={utc} />
      <BeforeAfter annotation={annotation} charted={charted} version={version} />
      <Actions annotation={annotation} onEdit={onEdit} onChanged={onChanged} onGone={onGone} />
    </>
  )
}

function Actions({
  annotation,
  onEdit,
  onChanged,
  onGone,
}: Omit<OneAnnotationProps, 'id' | 'known' | 'version' | 'charted' | 'utc'> & { annotation: Annotation }) {
  const { error, isBusy, attempt } = useAttempt()
  const [isAsking, setAsking] = useState(false)
  const mayChange = may('annotations|update')
  const isOpen = annotation.endTime === undefined && Date.parse(annotation.time) < Date.now()
  const closeNow = async () => {
    await changeAnnotation(annotation.id, { endTime: new Date().toISOString() })
    onChanged()
  }
  const remove = async () => {
    await deleteAnnotation(annotation.id)
    onGone()
    onChanged()
  }
  return (
    <>
      <Failure error={error} />
      <div class="row">
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
        {may('annotations|delete') && (
          <button type="button" class="danger" onClick={() => setAsking(true)}>
            Delete
          </button>
        )}
      </div>
      {isAsking && (
        <Confirm title="Delete the annotation?" action="Delete for good" task={remove} onClose={() => setAsking(false)}>
          <p class="clip">
            {titleOf(annotation)} will be gone from the charts of {annotation.datasets.join(', ')}.
          </p>
        </Confirm>
      )}
    </>
  )
}
