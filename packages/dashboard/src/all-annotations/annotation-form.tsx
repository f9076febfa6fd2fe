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

interface AnnotationFormProps {
  draft: Draft
  /** Types to choose from; a person may type others. */
  types: readonly string[]
  onClose: () => void
  onSaved: (annotation: Annotation) => void
}

export function AnnotationForm({ draft, types, onClose, onSaved }: AnnotationFormProps) {
  const { id } = draft
  const save = async (body: object) =>
    onSaved(await (id === undefined ? annotationRequests.create(body as NewAnnotation) : annotationRequests.change(id, body)))
  return (
    <ResourceForm
      title={id === undefined ? 'New annotation' : 'Change the annotation'}
      form={formOf(draft, types)}
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
 * @param types what is offered
 */
export function formOf(draft?: Draft, types: readonly string[] = []): FormOf {
  const timeOf = (name: 'time' | 'endTime') => ({
    name,
    kind: 'time' as const,
    ...(draft && { write: (text: string) => writeTime(text, draft[name]) }),
  })
  return {
    fields: [
      {
        name: 'type',
        label: 'Type',
        kind: 'type',
        required: true,
        placeholder: 'production-deploy',
        options: types.map((type) => [type, type]),
      },
      { name: 'title', label: 'Title', maxLength: TITLE_POINTS_MAX },
      {
        name: 'datasets',
        label: 'Datasets',
        kind: 'datasets',
        required: true,
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

/** A time that was not edited is sent as it was: the hour after the clocks are set back has the same texts as the one before. */
function writeTime(text: string, before: string | undefined): string | undefined {
  const { zone } = view.value
  return before !== undefined && text === toInputText(Date.parse(before), zone) ? before : fromInputText(text, zone)
}
