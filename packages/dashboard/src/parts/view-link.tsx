/** A link to another view of the page, which is shown without loading the page again. */
import type { ComponentChildren } from 'preact'
import { navigate } from '../address/navigation.ts'
import { formatView, type View } from '../address/view.ts'

interface ViewLinkProps {
  to: View
  children: ComponentChildren
  class?: string
}

export function ViewLink({ to, children, ...rest }: ViewLinkProps) {
  return (
    <a
      {...rest}
      href={formatView(to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        navigate(to)
        // The link disappears together with its view.
        document.getElementById('main')?.focus()
      }}
    >
      {children}
    </a>
  )
}
