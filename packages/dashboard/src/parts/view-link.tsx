/** A link to another view of the page, which is shown without loading the page again. */
import type { HTMLAttributes } from 'preact'
import { navigate } from '../address/navigation.ts'
import { formatView, type View } from '../address/view.ts'
import { closeMenu } from './menu.tsx'

interface ViewLinkProps extends HTMLAttributes<HTMLAnchorElement> {
  to: View
  /** Whether the link is still there afterwards, or the menu that it is in, and keeps the focus. */
  stays?: boolean
}

export function ViewLink({ to, stays = false, children, ...rest }: ViewLinkProps) {
  return (
    <a
      {...(rest as object)}
      href={formatView(to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        closeMenu(event.currentTarget)
        navigate(to)
        // Otherwise the link disappears together with its view.
        if (!stays) document.getElementById('main')?.focus()
      }}
    >
      {children}
    </a>
  )
}
