/** The form that creates or changes an annotation. Deliberately not here: which of its texts are sent; see `draft.ts`. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import {
  DESCRIPTION_POINTS_MAX,
  TAG_POINTS_MAX,
  TITLE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { useState } from 'preact/hooks'
import { zoneName } from '../address/zone.ts'
import { DatasetChoice } from '../parts/dataset-choice.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { splitNames } from '../parts/split-names.ts'
import { TypeField } from '../parts/type-field.tsx'
import { annotationRequests } from '../service/annotations.ts'
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
  const isNew = draft.id === undefined
  const save = async () => {
    const chosen = splitNames(texts.datasets)
    if (chosen.length === 0) throw new Error('Choose at least one dataset: the annotation is shown on its chart.')
    checkDatasetNames(chosen)
    const change = changeOf({ draft, before, texts, zone })
    onSaved(
      draft.id === undefined
        ? await annotationRequests.create({ type: texts.type, datasets: [], ...change })
        : await annotationRequests.change(draft.id, change),
    )
  }
  return (
    <FormDialog
      title={isNew ? 'New annotation' : 'Change the annotation'}
      action={isNew ? 'Create' : 'Save'}
      task={save}
      onClose={onClose}
    >
      <Fields
        texts={texts}
        datasets={datasets}
        zone={zone}
        mustKeepEnd={before.endTime !== '' && !isNew}
        onChange={(change) => setTexts({ ...texts, ...change })}
      />
      <Choices id="types" values={types} />
    </FormDialog>
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
    onText: (text: string) => onChange({ [name]: text }),
  })
  return (
    <>
      <TypeField {...field('type')} label="Type" required placeholder="production-deploy" list="types" />
      <Field {...field('title')} label="Title" maxLength={TITLE_POINTS_MAX} />
      <DatasetChoice
        legend="Datasets"
        datasets={datasets}
        value={texts.datasets}
        onChange={(chosen) => onChange({ datasets: chosen })}
      />
      <Field {...field('time')} label={`Time, or start of a span${inZone}`} type="datetime-local" step="0.001" required />
      <Field {...field('endTime')} label={`End of a span${inZone}`} type="datetime-local" step="0.001" required={mustKeepEnd} />
      <Field {...field('description')} label="Description, Markdown" rows={3} maxLength={DESCRIPTION_POINTS_MAX} />
      <Field {...field('url')} label="Link" type="url" maxLength={URL_POINTS_MAX} />
      <details>
        <summary>Service, environment, version and tags</summary>
        {TAGS.map(([name, label]) => (
          <Field key={name} {...field(name)} label={label} {...(name !== 'tags' && { maxLength: TAG_POINTS_MAX })} />
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
