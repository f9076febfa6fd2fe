/** The form for the name of a saved view, and its field. */
import { SAVED_VIEW_NAME_POINTS_MAX } from '@deployment-annotations/contract/saved-view'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { useAttempt } from '../parts/use-attempt.ts'

interface NameFormProps {
  title: string
  name: string
  task: (name: string) => Promise<void>
  onClose: () => void
}

export function NameForm({ title, name: before, task, onClose }: NameFormProps) {
  const [name, setName] = useState(before)
  const { error, isBusy, attempt } = useAttempt()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(() => task(name.trim()))
        }}
      >
        <NameField id="view-name" label="Name" name={name} onName={setName} />
        <Failure error={error} />
        <FormButtons action="Save" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
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
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        required
        // A name needs a character other than a space.
        pattern=".*\S.*"
        maxLength={SAVED_VIEW_NAME_POINTS_MAX}
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => onName(currentTarget.value)}
      />
    </>
  )
}
