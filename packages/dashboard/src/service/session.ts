/**
 * The session: the token, which is sent as a bearer header, and its permissions. Deliberately not here: requests, and where the token
 * is stored.
 */

import { datasetsOf, isCapable, type Permission } from '@deployment-annotations/contract/permission'
import type { User as Owner, OwnPermissions } from '@deployment-annotations/contract/user'
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

/** @param reason why the session ended by itself; empty if the user signed out, here and in the other tabs */
export function signOut(reason = ''): void {
  forgetToken(reason === '')
  end(reason)
}

/** Ends the session of this tab alone. @param link the token of a link, with which it goes on */
export function leaveTab(link?: string): void {
  forgetToken(false)
  end('', link)
}

function end(reason: string, link?: string): void {
  linkToken.value = link
  signOutReason.value = reason
  user.value = undefined
  token.value = undefined
}

/**
 * @param datasets the datasets of the action, all of which have to be allowed; without them any one is enough
 * @returns whether the token may, as far as is known; the service decides
 */
export function may(permission: Permission, datasets?: readonly string[]): boolean {
  const who = user.value
  if (!who) return true
  if (!datasets) return who.permissions.includes(permission)
  const given = { datasets: who.datasetCapabilities, org: who.orgCapabilities }
  // A token that is limited to some datasets may do nothing that is about no dataset.
  if (datasets.length === 0) return who.permissions.includes(permission) && datasetsOf(given) === undefined
  return datasets.every((name) => isCapable(given, permission, name))
}

/** The token of another tab, which was not tried yet. */
export const offeredToken = signal<string | undefined>(undefined)
/** The token of a link. Anybody can make a link, so whoever is signed in decides whether it is used, and signing out forgets it. */
export const linkToken = signal<string | undefined>(undefined)

/**
 * Takes the token out of a link such as `/#token=…`, which `npm start` prints. The part after `#` is not sent to any server, and is
 * removed from the address bar and the history at once.
 */
function takeTokenFromLink(): void {
  const secret = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!secret) return
  history.replaceState(null, '', location.pathname + location.search)
  if (secret !== token.value) linkToken.value = secret
}

takeTokenFromLink()
// A link to the open page does not load it again.
addEventListener('hashchange', takeTokenFromLink)
listenToTabs({
  onToken: (secret) => {
    if (token.value === undefined && signOutReason.value === '') offeredToken.value ??= secret
  },
  onEnd: (secret) => {
    if (token.value === secret) leaveTab()
  },
})
