/** A form in a dialog, which is closed by whoever opened it. A failure is shown above its buttons. */
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { useAttempt } from './use-attempt.ts'

interface FormDialogProps {
  title: string
  className?: string
  /** The action of the form, as a verb. */
  action: string
  task: () => Promise<void>
  /** Whether the form lacks something that only the person can give. */
  isIncomplete?: boolean
  /** Whether the action deletes something for good. */
  isDangerous?: boolean
  onClose: () => void
  /** A function shows the failure itself, beside its cause. */
  children: ComponentChildren | ((error: unknown) => ComponentChildren)
}

export function FormDialog(props: FormDialogProps) {
  const { title, className, action, task, isIncomplete = false, isDangerous = false, onClose, children } = props
  const { error, isBusy, attempt } = useAttempt()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class={className}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isIncomplete) void attempt(task)
        }}
      >
        {typeof children === 'function' ? children(error) : children}
        {typeof children !== 'function' && <Failure error={error} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={isDangerous ? 'danger' : 'primary'}
            disabled={isIncomplete}
            aria-disabled={isBusy || isIncomplete}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
