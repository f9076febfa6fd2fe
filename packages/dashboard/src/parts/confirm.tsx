/** Asks before an action that cannot be undone. The safe button has the focus. */
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { useAttempt } from './use-attempt.ts'

interface ConfirmProps {
  title: string
  /** What the action is about. */
  name?: string
  children: ComponentChildren
  /** The label of the button that acts. */
  action: string
  task: () => Promise<void>
  onClose: () => void
}

export function Confirm({ title, name, children, action, task, onClose }: ConfirmProps) {
  const { error, isBusy, attempt } = useAttempt()
  return (
    <Dialog title={title} onClose={onClose}>
      {name !== undefined && (
        <p>
          <strong class="clip">{name}</strong>
        </p>
      )}
      {children}
      <Failure error={error} />
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger" aria-disabled={isBusy} onClick={() => attempt(task)}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
