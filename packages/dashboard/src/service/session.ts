/**
 * Who is signed in: the token, kept for this tab only and sent as a bearer header, and what it may do. No cookies, so that no
 * other page can make requests in its name. Deliberately not here: requests.
 */
import type { Permission } from '@deployment-annotations/contract/token'
import type { OwnPermissions, User as Owner } from '@deployment-annotations/contract/user'
import { signal } from '@preact/signals'

export type User = Owner & OwnPermissions

const KEY = 'token'

export const token = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined)
export const user = signal<User | undefined>(undefined)
/** Why the last session ended; empty if the user ended it. */
export const signOutReason = signal('')

export function signIn(secret: string, who: User): void {
  sessionStorage.setItem(KEY, secret)
  signOutReason.value = ''
  user.value = who
  token.value = secret
}

export function signOut(reason = ''): void {
  sessionStorage.removeItem(KEY)
  signOutReason.value = reason
  user.value = undefined
  token.value = undefined
}

/** @returns whether the token's permissions let it, as far as is known; the service has the last word */
export function may(permission: Permission): boolean {
  return user.value?.permissions.includes(permission) ?? true
}

/** The token of a link that was followed and not tried yet. */
export const offeredToken = signal<string | undefined>(undefined)

/**
 * Takes the token out of a link such as `/#token=…`, which `npm start` prints. What follows `#` is not sent to any server; it
 * leaves the address bar and the history at once. A session with another token ends.
 */
function takeTokenFromLink(): void {
  const secret = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!secret) return
  history.replaceState(null, '', location.pathname + location.search)
  if (secret === token.value) return
  if (token.value !== undefined) signOut()
  offeredToken.value = secret
}

takeTokenFromLink()
// A link to the page that is open already does not load it again.
addEventListener('hashchange', takeTokenFromLink)
