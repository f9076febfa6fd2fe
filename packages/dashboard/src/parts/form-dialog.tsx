/** A form in a dialog, which is closed by whoever opened it. A failure is shown above its buttons. */
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { Form } from './form.tsx'
import { useAttempt } from './use-attempt.ts'

interface FormDialogProps {
  title: string
  /** Whether it stands beside what it is about, and not in front of the page. */
  isBeside?: boolean
  /** The action of the form, as a verb; absent if there is only something to read. */
  action?: string
  task?: () => Promise<void>
  /** Whether the form lacks something that only the person can give. */
  isIncomplete?: boolean
  /** Whether the action deletes something permanently. */
  isDangerous?: boolean
  onClose: () => void
  /** A function shows the failure itself, beside its cause. */
  children: ComponentChildren | ((error: unknown) => ComponentChildren)
}

export function FormDialog(props: FormDialogProps) {
  const { title, isBeside = false, action, task, isIncomplete = false, isDangerous = false, onClose, children } = props
  const { error, isBusy, attempt } = useAttempt()
  return (
    <Dialog title={title} isBeside={isBeside} onClose={onClose}>
      <Form onSubmit={() => !isIncomplete && task && void attempt(task)}>
        {typeof children === 'function' ? children(error) : children}
        {typeof children !== 'function' && <Failure error={error} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            {action === undefined ? 'Close' : 'Cancel'}
          </button>
          {action !== undefined && (
            <button
              type="submit"
              class={isDangerous ? 'danger' : 'primary'}
              disabled={isIncomplete}
              aria-disabled={isBusy || isIncomplete}
            >
              {action}
            </button>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
