/** Shows the content of a page to a token that may read it, and says which permission another one lacks. */
import type { ComponentChildren } from 'preact'
import { may, user } from '../service/session.ts'

interface PermittedProps {
  title: string
  /** What the page shows, as in “may not see datasets”. */
  what: string
  permission: Parameters<typeof may>[0]
  children: ComponentChildren
}

export function Permitted({ title, what, permission, children }: PermittedProps) {
  // Until the token's permissions are known, nothing is requested.
  if (!user.value) return <p class="hint">Loading…</p>
  if (may(permission)) return <>{children}</>
  return (
    <>
      <h1>{title}</h1>
      <p class="card">{`The token that you are signed in with may not see ${what}: it lacks the permission ${permission}.`}</p>
    </>
  )
}
