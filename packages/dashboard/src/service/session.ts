/**
 * Who is signed in: the token, sent as a bearer header, and what it may do. Deliberately not here: requests, and where the token
 * is kept.
 */

import type { User as Owner, OwnPermissions } from '@deployment-annotations/contract/schemas/token'
import { datasetsOf, isCapable, type Permission } from '@deployment-annotations/contract/token'
import { signal } from '@preact/signals'
import { forgetToken, type Keeping, keepToken, keptToken, listenToTabs } from './kept-token.ts'

export type User = Owner & OwnPermissions

export const token = signal<string | undefined>(keptToken())
export const user = signal<User | undefined>(undefined)
/** Why the last session ended; empty if the user ended it. */
export const signOutReason = signal('')

export function signIn(secret: string, who: User, how: Keeping = 'tabs'): void {
  keepToken(secret, how)
  signOutReason.value = ''
  user.value = who
  token.value = secret
}

/** @param reason why it ended by itself; empty if the user ended it, here and in the other tabs */
export function signOut(reason = ''): void {
  forgetToken(reason === '')
  end(reason)
}

function end(reason: string): void {
  signOutReason.value = reason
  user.value = undefined
  token.value = undefined
}

/**
 * @param datasets what it is about, all of them; absent: with any one
 * @returns whether the token may, as far as is known; the service has the last word
 */
export function may(permission: Permission, datasets?: readonly string[]): boolean {
  const who = user.value
  if (!who) return true
  if (!datasets) return who.permissions.includes(permission)
  const given = { datasets: who.datasetCapabilities, org: who.orgCapabilities }
  // What is about no dataset at all is out of the reach of a token that names some.
  if (datasets.length === 0) return who.permissions.includes(permission) && datasetsOf(given) === undefined
  return datasets.every((name) => isCapable(given, permission, name))
}

/** The token of a link that was followed, or of another tab, that was not tried yet. */
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
listenToTabs({
  onToken: (secret) => {
    if (token.value === undefined && signOutReason.value === '') offeredToken.value ??= secret
  },
  onEnd: (secret) => {
    if (token.value !== secret) return
    forgetToken(false)
    end('')
  },
})
