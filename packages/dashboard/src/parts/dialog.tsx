/**
 * A dialog in front of the page, there for as long as it is rendered. When it goes, the focus is where it was before.
 */
import './dialog.css'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  /** By the Escape key; buttons that close it call their own. */
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    // Closing it is what makes the browser give the focus back to where it was, and only while it is still in the page: the
    // clean-up of a plain effect comes after that.
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
