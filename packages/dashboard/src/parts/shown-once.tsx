/** The dialog of what is shown only once, such as a secret, to be copied. */
import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy.tsx'
import { Dialog } from './dialog.tsx'

export interface ShownOnceProps {
  title: string
  /** What to copy; without it there is nothing to be shown. */
  text: string | undefined
  /** What it is called. */
  what: 'secret' | 'link'
  /** What to do with it. */
  children: ComponentChildren
  /** What comes after it. */
  after?: ComponentChildren
  onClose: () => void
}

export function ShownOnce({ title, text, what, children, after, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {text !== undefined && (
        <>
          <p>
            <code class="secret">{text}</code>
          </p>
          <CopyButton text={text} label={`Copy the ${what}`} />
        </>
      )}
      {after}
      <div class="row end">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
