/** A link to another view of the page, which is shown without loading the page again. */
import type { ComponentChildren } from 'preact'
import { navigate } from '../address/navigation.ts'
import { formatView, type View } from '../address/view.ts'

interface ViewLinkProps {
  to: View
  /** Whether the link is still there afterwards, and keeps the focus. */
  stays?: boolean
  children: ComponentChildren
  class?: string
}

export function ViewLink({ to, stays = false, children, ...rest }: ViewLinkProps) {
  return (
    <a
      {...rest}
      href={formatView(to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        navigate(to)
        // Otherwise the link disappears together with its view.
        if (!stays) document.getElementById('main')?.focus()
      }}
    >
      {children}
    </a>
  )
}
