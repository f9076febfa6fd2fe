/**
 * The session: the token, which is sent as a bearer header, and its permissions. The token is stored until the last tab of this page is
 * closed, or in the browser. Only scripts of this service's own address can read it, and no browser sends it by itself, so that no other
 * page can make requests in this person's name.
 * Deliberately not here: requests.
 */

import { datasetsOf, isCapable, type Permission } from '@deployment-annotations/contract/permission'
import type { User as Owner, OwnPermissions } from '@deployment-annotations/contract/user'
import { signal } from '@preact/signals'

export type User = Owner & OwnPermissions

const KEY = 'token'
/** A new tab asks the open ones for the token. */
const tabs = new BroadcastChannel('session')

interface Message {
  kind: 'asked' | 'answered' | 'ended'
  secret?: string | undefined
}

const tell = (kind: Message['kind'], secret?: string) => tabs.postMessage({ kind, secret })

export const token = signal(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined)
export const user = signal<User | undefined>(undefined)
/** Why the last session ended; empty if the user ended it. */
export const signOutReason = signal('')
/** The token of another tab, which was not tried yet. */
export const offeredToken = signal<string | undefined>(undefined)
/** The token of a link. Anybody can make a link, so whoever is signed in decides whether it is used, and signing out forgets it. */
export const linkToken = signal<string | undefined>(undefined)

/** @param isKept whether the browser keeps the token until the person signs out */
export function signIn(secret: string, who: User, isKept: boolean): void {
  sessionStorage.setItem(KEY, secret)
  if (isKept) localStorage.setItem(KEY, secret)
  else localStorage.removeItem(KEY)
  signOutReason.value = ''
  user.value = who
  token.value = secret
}

/** @param reason why the session ended by itself; empty if the user signed out, here and in the other tabs */
export function signOut(reason = ''): void {
  if (reason === '') tell('ended', token.value)
  leaveTab(reason)
}

/**
 * Ends the session of this tab alone.
 * @param link the token of a link, with which it goes on
 */
export function leaveTab(reason = '', link?: string): void {
  if (localStorage.getItem(KEY) === token.value) localStorage.removeItem(KEY)
  sessionStorage.removeItem(KEY)
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
tabs.addEventListener('message', ({ data: { kind, secret } }: MessageEvent<Message>) => {
  const own = sessionStorage.getItem(KEY)
  if (kind === 'asked' && own !== null) tell('answered', own)
  if (kind === 'answered' && token.value === undefined && signOutReason.value === '') offeredToken.value ??= secret
  if (kind === 'ended' && token.value === secret) leaveTab()
})
if (token.value === undefined) tell('asked')
