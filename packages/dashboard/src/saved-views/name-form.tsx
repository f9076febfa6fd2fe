/** The form for the name of a saved view, and its field. */
import { SAVED_VIEW_NAME_POINTS_MAX } from '@deployment-annotations/contract/saved-view'
import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'

interface NameFormProps {
  title: string
  name: string
  task: (name: string) => Promise<void>
  onClose: () => void
}

export function NameForm({ title, name: before, task, onClose }: NameFormProps) {
  const [name, setName] = useState(before)
  return (
    <FormDialog title={title} action="Save" task={() => task(name.trim())} onClose={onClose}>
      <NameField id="view-name" label="Name" name={name} onName={setName} />
    </FormDialog>
  )
}

interface NameFieldProps {
  id: string
  label: string
  name: string
  onName: (name: string) => void
}

export function NameField({ id, label, name, onName }: NameFieldProps) {
  return (
    <Field
      id={id}
      label={label}
      required
      // A name needs a character other than a space.
      pattern=".*\S.*"
      maxLength={SAVED_VIEW_NAME_POINTS_MAX}
      value={name}
      onText={onName}
    />
  )
}
