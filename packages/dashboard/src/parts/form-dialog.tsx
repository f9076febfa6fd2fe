/**
 * A form in a dialog in front of the page, or beside what it is about, for as long as it is rendered. A failure is shown above its buttons.
 * Afterwards the focus is where it was before.
 */
import './dialog.css'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Failure } from './failure.tsx'
import { Form } from './form.tsx'
import { useAttempt } from './use-attempt.ts'

interface FormDialogProps {
  title: string
  /** Whether the rest of the page can be used meanwhile. */
  isBeside?: boolean
  /** The action of the form, as a verb; absent if there is only something to read. */
  action?: string
  task?: () => Promise<void>
  /** Whether the form lacks something that only the person can give. */
  isIncomplete?: boolean
  /** Whether the action deletes something permanently. */
  isDangerous?: boolean
  /** Called for the Escape key and by the button that only closes. */
  onClose: () => void
  /** A function shows the failure itself, beside its cause. */
  children: ComponentChildren | ((error: unknown) => ComponentChildren)
}

export function FormDialog(props: FormDialogProps) {
  const { title, isBeside = false, action, task, isIncomplete = false, isDangerous = false, onClose, children } = props
  const { error, isBusy, attempt } = useAttempt()
  const place = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = place.current
    if (isBeside) dialog?.show()
    else dialog?.showModal()
    // Closing the dialog makes the browser restore the focus, but only while the dialog is still in the page; the clean-up of a plain
    // effect runs after that.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={place}
      class={isBeside ? 'form is-beside' : 'form'}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      // The browser closes only a dialog in front of the page by this key.
      onKeyDown={({ key, defaultPrevented }) => isBeside && key === 'Escape' && !defaultPrevented && onClose()}
    >
      <h2 id={titleId} class="clip">
        {title}
      </h2>
      <Form onSubmit={() => !isIncomplete && task && void attempt(task)}>
        {typeof children === 'function' ? children(error) : children}
        {typeof children !== 'function' && <Failure error={error} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            {action === undefined ? 'Done' : 'Cancel'}
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
    </dialog>
  )
}
