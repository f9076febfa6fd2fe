/** The form that creates or changes an annotation. */
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/annotation'
import {
  DESCRIPTION_POINTS_MAX,
  TAG_POINTS_MAX,
  TITLE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { view } from '../address/navigation.ts'
import { fromInputText, toInputText } from '../address/zone.ts'
import type { Draft } from '../annotations/draft.ts'
import type { FormOf } from '../resources/fields.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { annotationRequests } from '../service/annotations.ts'

/** Datasets and types to choose from; a person may type others. */
interface Offered {
  datasets: readonly string[]
  types: readonly string[]
}

interface AnnotationFormProps extends Offered {
  draft: Draft
  onClose: () => void
  onSaved: (annotation: Annotation) => void
}

export function AnnotationForm({ draft, onClose, onSaved, ...offered }: AnnotationFormProps) {
  const { id } = draft
  const save = async (body: object) =>
    onSaved(await (id === undefined ? annotationRequests.create(body as NewAnnotation) : annotationRequests.change(id, body)))
  return (
    <ResourceForm
      title={id === undefined ? 'New annotation' : 'Change the annotation'}
      form={formOf(draft, offered)}
      one={draft}
      isNew={id === undefined}
      action={id === undefined ? 'Create' : 'Save'}
      task={save}
      onClose={onClose}
    />
  )
}

const TAG = { maxLength: TAG_POINTS_MAX, isRare: true } as const

/**
 * @param draft what is edited, if its times are not to be read from their texts again
 * @param offered those that are there by default
 */
export function formOf(draft?: Draft, { datasets, types }: Partial<Offered> = {}): FormOf {
  const timeOf = (name: 'time' | 'endTime') => ({
    name,
    kind: 'time' as const,
    ...(draft && { write: (text: string) => writeTime(text, draft[name]) }),
  })
  return {
    fields: [
      { name: 'type', label: 'Type', kind: 'type', required: true, placeholder: 'production-deploy', ...optionsOf(types) },
      { name: 'title', label: 'Title', maxLength: TITLE_POINTS_MAX },
      {
        name: 'datasets',
        label: 'Datasets',
        kind: 'datasets',
        required: true,
        missing: 'Choose at least one dataset: the annotation is shown on its chart.',
        ...optionsOf(datasets),
      },
      { ...timeOf('time'), label: 'Time, or start of a span', required: true },
      // The service cannot remove the end of a span.
      { ...timeOf('endTime'), label: 'End of a span', required: draft?.id !== undefined && draft.endTime !== undefined },
      { name: 'description', label: 'Description, Markdown', rows: 3, maxLength: DESCRIPTION_POINTS_MAX },
      { name: 'url', label: 'Link', kind: 'url', maxLength: URL_POINTS_MAX },
      { name: 'service', label: 'Service', ...TAG },
      { name: 'environment', label: 'Environment', ...TAG },
      { name: 'version', label: 'Version', ...TAG },
      { name: 'tags', label: 'Tags, separated by commas', kind: 'names', isRare: true },
    ],
  }
}

const optionsOf = (names?: readonly string[]) => names && { options: names.map((name) => [name, name] as const) }

/** A time that was not edited is sent as it was: the hour after the clocks are set back has the same texts as the one before. */
function writeTime(text: string, before: string | undefined): string | undefined {
  const { zone } = view.value
  return before !== undefined && text === toInputText(Date.parse(before), zone) ? before : fromInputText(text, zone)
}
