/** The form that creates or changes an annotation. Deliberately not here: which of its texts are sent; see `draft.ts`. */
import {
  DESCRIPTION_POINTS_MAX,
  TAG_POINTS_MAX,
  TITLE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { zoneName } from '../address/zone.ts'
import { DatasetChoice } from '../parts/dataset-choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { checkDatasetNames, explainPattern, TYPE_WORDS } from '../parts/plain-words.ts'
import { splitNames } from '../parts/split-names.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { changeAnnotation, createAnnotation } from '../service/annotations.ts'
import { changeOf, type Draft, type DraftTexts, textsOf } from './draft.ts'

interface AnnotationFormProps {
  draft: Draft
  /** Datasets and types to choose from; a person may type others. */
  datasets: readonly string[]
  types: readonly string[]
  zone: string
  onClose: () => void
  onSaved: (annotation: Annotation) => void
}

export function AnnotationForm({ draft, datasets, types, zone, onClose, onSaved }: AnnotationFormProps) {
  const [before] = useState(() => textsOf(draft, zone))
  const [texts, setTexts] = useState(before)
  const { error, isBusy, attempt } = useAttempt()
  const isNew = draft.id === undefined
  const save = async () => {
    const chosen = splitNames(texts.datasets)
    if (chosen.length === 0) throw new Error('Choose at least one dataset: the annotation is shown on its chart.')
    checkDatasetNames(chosen)
    const change = changeOf({ draft, before, texts, zone })
    onSaved(
      draft.id === undefined
        ? await createAnnotation({ type: texts.type, datasets: [], ...change })
        : await changeAnnotation(draft.id, change),
    )
  }
  return (
    <Dialog title={isNew ? 'New annotation' : 'Change the annotation'} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(save)
        }}
      >
        <Fields
          texts={texts}
          datasets={datasets}
          zone={zone}
          mustKeepEnd={before.endTime !== '' && !isNew}
          onChange={(change) => setTexts({ ...texts, ...change })}
        />
        <Choices id="types" values={types} />
        <Failure error={error} />
        <FormButtons action={isNew ? 'Create' : 'Save'} isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  texts: DraftTexts
  datasets: readonly string[]
  zone: string
  /** Whether the end has to stay, because the service cannot remove the end of a span. */
  mustKeepEnd: boolean
  onChange: (change: Partial<DraftTexts>) => void
}

const TAGS = [
  ['service', 'Service'],
  ['environment', 'Environment'],
  ['version', 'Version'],
  ['tags', 'Tags, separated by commas'],
] as const

function Fields({ texts, datasets, zone, mustKeepEnd, onChange }: FieldsProps) {
  const inZone = ` (${zoneName(zone)})`
  const field = (name: keyof DraftTexts) => ({
    id: `annotation-${name}`,
    name,
    value: texts[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onChange({ [name]: currentTarget.value }),
  })
  return (
    <>
      <label for="annotation-type">Type</label>
      <input
        {...field('type')}
        {...explainPattern(TYPE_WORDS)}
        required
        pattern="[a-z0-9\-]+"
        placeholder="production-deploy"
        list="types"
      />
      <label for="annotation-title">Title</label>
      <input {...field('title')} maxLength={TITLE_POINTS_MAX} />
      <DatasetChoice
        legend="Datasets"
        datasets={datasets}
        value={texts.datasets}
        onChange={(chosen) => onChange({ datasets: chosen })}
      />
      <label for="annotation-time">{`Time, or start of a span${inZone}`}</label>
      <input {...field('time')} type="datetime-local" step="0.001" required />
      <label for="annotation-endTime">{`End of a span${inZone}`}</label>
      <input {...field('endTime')} type="datetime-local" step="0.001" required={mustKeepEnd} />
      <label for="annotation-description">Description, Markdown</label>
      <textarea {...field('description')} rows={3} maxLength={DESCRIPTION_POINTS_MAX} />
      <label for="annotation-url">Link</label>
      <input {...field('url')} type="url" maxLength={URL_POINTS_MAX} />
      <details>
        <summary>Service, environment, version and tags</summary>
        {TAGS.map(([name, label]) => (
          <Fragment key={name}>
            <label for={`annotation-${name}`}>{label}</label>
            <input {...field(name)} maxLength={name === 'tags' ? undefined : TAG_POINTS_MAX} />
          </Fragment>
        ))}
      </details>
    </>
  )
}

function Choices({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
