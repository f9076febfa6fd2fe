/** A dialog in front of the page, or beside what it is about, for as long as it is rendered. Afterwards the focus is where it was before. */
import './dialog.css'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  /** Whether the rest of the page can be used meanwhile. */
  isBeside?: boolean
  /** Called for the Escape key; buttons that close the dialog have their own handlers. */
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, isBeside = false, onClose, children }: DialogProps) {
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
      {children}
    </dialog>
  )
}
