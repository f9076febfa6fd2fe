/** Creates or changes an annotation. What was not touched is not sent, so that a time keeps its nanoseconds. */

import {
  type Annotation,
  type AnnotationChange,
  DESCRIPTION_POINTS_MAX,
  TITLE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { changeAnnotation, createAnnotation } from '../service/annotations.ts'
import { splitNames } from './names.ts'
import { fromInputText, toInputText } from './time-input.ts'

/** What the form begins with: an annotation that is there, or what a new one may have. */
export type Draft = Annotation | (AnnotationChange & { id?: undefined; datasets: string[] })

export interface FormProps {
  draft: Draft
  /** Datasets and types to choose from; others can be typed. */
  datasets: readonly string[]
  types: readonly string[]
  utc: boolean
  onClose: () => void
  onSaved: (annotation: Annotation) => void
}

interface Texts {
  datasets: string
  type: string
  title: string
  description: string
  url: string
  time: string
  endTime: string
}

export function Form({ draft, datasets, types, utc, onClose, onSaved }: FormProps) {
  const [before] = useState(() => textsOf(draft, utc))
  const [texts, setTexts] = useState(before)
  const { error, isBusy, attempt } = useAttempt()
  const field = (name: keyof Texts) => ({
    id: `annotation-${name}`,
    name,
    value: texts[name],
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      setTexts({ ...texts, [name]: event.currentTarget.value }),
  })
  const save = async () => {
    const change = changeOf(draft, before, texts, utc)
    onSaved(
      draft.id === undefined
        ? await createAnnotation({ type: texts.type, datasets: [], ...change })
        : await changeAnnotation(draft.id, change),
    )
  }
  const zone = utc ? ' (UTC)' : ''
  return (
    <Dialog title={draft.id === undefined ? 'New annotation' : 'Change the annotation'} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(save)
        }}
      >
        <label for="annotation-type">Type</label>
        <input {...field('type')} required pattern="[a-z0-9\-]+" title="lower-case letters, digits and -" list="types" />
        <label for="annotation-title">Title</label>
        <input {...field('title')} maxLength={TITLE_POINTS_MAX} />
        <label for="annotation-datasets">Datasets, separated by commas</label>
        <input {...field('datasets')} required list="datasets" />
        <label for="annotation-time">{`Time, or start of a span${zone}`}</label>
        <input {...field('time')} type="datetime-local" step="0.001" required />
        <label for="annotation-endTime">{`End of a span${zone}`}</label>
        <input
          {...field('endTime')}
          type="datetime-local"
          step="0.001"
          required={before.endTime !== '' && draft.id !== undefined}
        />
        <label for="annotation-description">Description, Markdown</label>
        <textarea {...field('description')} rows={3} maxLength={DESCRIPTION_POINTS_MAX} />
        <label for="annotation-url">Link</label>
        <input {...field('url')} type="url" maxLength={URL_POINTS_MAX} />
        <datalist id="types">
          {types.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <datalist id="datasets">
          {datasets.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Failure error={error} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {draft.id === undefined ? 'Create' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function textsOf(draft: Draft, utc: boolean): Texts {
  const { datasets, type = '', title = '', description = '', url = '', time, endTime } = draft
  const text = (given: string | undefined) => (given === undefined ? '' : toInputText(Date.parse(given), utc))
  return { datasets: datasets.join(', '), type, title, description, url, time: text(time), endTime: text(endTime) }
}

/** @param before what the form began with; of a new annotation, everything that is not empty is sent */
function changeOf(draft: Draft, before: Texts, texts: Texts, utc: boolean): AnnotationChange {
  const isTouched = (name: keyof Texts) => texts[name] !== (draft.id === undefined ? '' : before[name])
  // What was marked stays what it was: the hour after clocks are put back has the same texts as the one before.
  const timeOf = (name: 'time' | 'endTime') => (texts[name] === before[name] ? draft[name] : fromInputText(texts[name], utc))
  const time = timeOf('time')
  const endTime = timeOf('endTime')
  return {
    ...(isTouched('type') && { type: texts.type }),
    ...(isTouched('title') && { title: texts.title }),
    ...(isTouched('description') && { description: texts.description }),
    ...(isTouched('url') && { url: texts.url }),
    ...(isTouched('datasets') && {
      datasets: splitNames(texts.datasets),
    }),
    ...(isTouched('time') && time !== undefined && { time }),
    ...(isTouched('endTime') && endTime !== undefined && { endTime }),
  }
}
