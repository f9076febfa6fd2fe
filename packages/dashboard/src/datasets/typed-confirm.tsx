/** Asks before events are deleted: whoever means it types the name of the dataset. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { useAttempt } from '../parts/use-attempt.ts'

interface TypedConfirmProps {
  title: string
  /** Of the dataset. */
  name: string
  /** What will happen. */
  children: ComponentChildren
  /** On the button that does it. */
  action: string
  task: () => Promise<void>
  onClose: () => void
}

export function TypedConfirm({ title, name, children, action, task, onClose }: TypedConfirmProps) {
  const [typed, setTyped] = useState('')
  const { error, isBusy, attempt } = useAttempt()
  const isMeant = typed === name
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isMeant) void attempt(task)
        }}
      >
        {children}
        <label for="typed-name">
          To confirm, type <span class="mono clip">{name}</span>
        </label>
        <input
          id="typed-name"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Failure error={error} />
        <FormButtons action={action} isBusy={isBusy} isIncomplete={!isMeant} isDangerous onClose={onClose} />
      </form>
    </Dialog>
  )
}
