/** A dialog in front of the page for as long as it is rendered. Afterwards the focus is where it was before. */
import './dialog.css'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  /** Called for the Escape key; buttons that close the dialog have their own handlers. */
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    // Closing the dialog makes the browser restore the focus, but only while the dialog is still in the page; the clean-up of a plain
    // effect runs after that.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={place}
      class="form"
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}
