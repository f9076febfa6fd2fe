/** The form for a name, such as that of a saved view or of a chart in it. */
import { SAVED_VIEW_NAME_POINTS_MAX } from '@deployment-annotations/contract/saved-view'
import type { FieldOf } from '../resources/fields.ts'
import { ResourceForm } from '../resources/resource-form.tsx'

/** A name needs a character other than a space. */
export const NAME: FieldOf = {
  name: 'name',
  label: 'Name',
  required: true,
  pattern: '^\\s*\\S.*$',
  maxLength: SAVED_VIEW_NAME_POINTS_MAX,
  write: (text) => text.trim(),
}

interface NameFormProps {
  title: string
  name: string
  task: (name: string) => Promise<void>
  onClose: () => void
}

export function NameForm({ title, name, task, onClose }: NameFormProps) {
  return (
    <ResourceForm
      title={title}
      form={{ fields: [NAME] }}
      one={{ name }}
      isNew
      action="Save"
      task={(members) => task((members as { name: string }).name)}
      onClose={onClose}
    />
  )
}
