/** The annotations that were picked on a chart: all about each, and what can be done to it. */
import { useState } from 'preact/hooks'
import type { Annotation } from '../../api/annotation.ts'
import { colourOf } from '../chart/colours.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { changeAnnotation, deleteAnnotation, getAnnotation } from '../service/annotations.ts'
import { may } from '../session.ts'
import { formatDuration, formatTime } from '../view/format-time.ts'
import { linkOf, titleOf, whenOf } from './describe.ts'
import { Markdown, SafeLink } from './markdown.tsx'

export interface PanelProps {
  ids: readonly string[]
  /** Those in view; an id of another one is looked up. */
  annotations: readonly Annotation[]
  utc: boolean
  onSelect: (ids: string[]) => void
  onEdit: (annotation: Annotation) => void
  /** After a change or a delete. */
  onChanged: () => void
}

export function Panel({ ids, annotations, utc, onSelect, onEdit, onChanged }: PanelProps) {
  const known = annotations.filter(({ id }) => ids.includes(id))
  const [only] = ids
  return (
    <aside class="panel card" aria-label="Annotations picked">
      <div class="row">
        <h2>{ids.length === 1 ? 'Annotation' : `${ids.length} annotations`}</h2>
        <button type="button" class="quiet push" onClick={() => onSelect([])} aria-label="Close the panel">
          ✕
        </button>
      </div>
      {ids.length === 1 && only !== undefined ? (
        <One key={only} id={only} known={known[0]} utc={utc} onEdit={onEdit} onChanged={onChanged} onGone={() => onSelect([])} />
      ) : (
        <ul class="picks">
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

interface OneProps {
  id: string
  known: Annotation | undefined
  utc: boolean
  onEdit: (annotation: Annotation) => void
  onChanged: () => void
  onGone: () => void
}

function One({ id, known, utc, onEdit, onChanged, onGone }: OneProps) {
  const loaded = useLoad(known ? undefined : (signal) => getAnnotation(id, signal), [id, known])
  const annotation = known ?? loaded.data
  if (!annotation) return loaded.error ? <Failure error={loaded.error} /> : <p class="hint">Loading…</p>
  return (
    <>
      <Details annotation={annotation} utc={utc} />
      <Actions annotation={annotation} onEdit={onEdit} onChanged={onChanged} onGone={onGone} />
    </>
  )
}

function Details({ annotation, utc }: { annotation: Annotation; utc: boolean }) {
  const { datasets, time, endTime, description, type, url, id } = annotation
  const link = linkOf(annotation)
  return (
    <>
      <h3 class="clip">{titleOf(annotation)}</h3>
      <dl class="facts">
        <dt>Type</dt>
        <dd>
          <span class={`chip type-${colourOf(type)}`}>{type}</span>
        </dd>
        <dt>Datasets</dt>
        <dd>{datasets.join(', ')}</dd>
        <dt>{endTime === undefined ? 'Time' : 'Start'}</dt>
        <dd>
          <time dateTime={time} title={time}>
            {formatTime(time, utc)}
          </time>
        </dd>
        {endTime !== undefined && (
          <>
            <dt>End</dt>
            <dd>
              <time dateTime={endTime} title={endTime}>
                {formatTime(endTime, utc)}
              </time>
            </dd>
            <dt>Duration</dt>
            <dd>{formatDuration(Date.parse(endTime) - Date.parse(time))}</dd>
          </>
        )}
        {url !== undefined && (
          <>
            <dt>Link</dt>
            <dd>{link === undefined ? <span>{url}</span> : <SafeLink url={link}>{url}</SafeLink>}</dd>
          </>
        )}
        <dt>Id</dt>
        <dd class="mono">{id}</dd>
      </dl>
      {description !== undefined && <Markdown text={description} />}
    </>
  )
}

function Actions({ annotation, onEdit, onChanged, onGone }: Omit<OneProps, 'id' | 'known' | 'utc'> & { annotation: Annotation }) {
  const [error, setError] = useState<unknown>()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const attempt = async (task: () => Promise<unknown>, then?: () => void) => {
    setBusy(true)
    setError(undefined)
    try {
      await task()
      then?.()
      onChanged()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  const mayChange = may('annotations|update')
  const isOpen = annotation.endTime === undefined && Date.parse(annotation.time) < Date.now()
  return (
    <>
      <Failure error={error} />
      <div class="row">
        {mayChange && (
          <button type="button" disabled={isBusy} onClick={() => onEdit(annotation)}>
            Change
          </button>
        )}
        {mayChange && isOpen && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => attempt(() => changeAnnotation(annotation.id, { endTime: new Date().toISOString() }))}
          >
            Close now
          </button>
        )}
        {may('annotations|delete') && !isAsking && (
          <button type="button" class="danger" disabled={isBusy} onClick={() => setAsking(true)}>
            Delete
          </button>
        )}
        {isAsking && (
          <button
            type="button"
            class="danger"
            disabled={isBusy}
            autofocus
            onBlur={() => setAsking(false)}
            onClick={() => attempt(() => deleteAnnotation(annotation.id), onGone)}
          >
            Delete for good
          </button>
        )}
      </div>
    </>
  )
}
