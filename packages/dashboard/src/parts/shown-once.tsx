/** The dialog of what is shown only once, such as a secret, to be copied. */
import type { ComponentChildren } from 'preact'
import { CopyLines } from './copy.tsx'
import { FormDialog } from './form-dialog.tsx'

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
    <FormDialog title={title} onClose={onClose}>
      <p>{children}</p>
      {text !== undefined && <CopyLines text={text} of={`the ${what}`} class="secret" />}
      {after}
    </FormDialog>
  )
}
