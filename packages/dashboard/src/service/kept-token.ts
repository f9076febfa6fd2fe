/**
 * Stores the token where the person wants it: in this tab, in the tabs of this page until the last one is closed, or in the browser.
 * Only scripts of this service's own address can read any of the three, and no browser sends them by itself, so that no other page can
 * make requests in this person's name.
 */

/** With `tabs`, a new tab asks the open ones for the token. */
export type Keeping = 'tab' | 'tabs' | 'browser'

const KEY = 'token'
const KEEPING_KEY = 'token-kept'
const channel = new BroadcastChannel('session')

type Message = { kind: 'asked' } | { kind: 'answered'; secret: string } | { kind: 'ended'; secret: string }

/** @returns the token of this tab, or of the browser */
export function keptToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined
}

export function keepToken(secret: string, how: Keeping): void {
  sessionStorage.setItem(KEY, secret)
  if (how === 'tab') sessionStorage.setItem(KEEPING_KEY, how)
  else sessionStorage.removeItem(KEEPING_KEY)
  if (how === 'browser') localStorage.setItem(KEY, secret)
  else localStorage.removeItem(KEY)
}

/** @param tellsOthers whether the person signed out, which ends the other tabs with this token too */
export function forgetToken(tellsOthers: boolean): void {
  const secret = keptToken()
  if (localStorage.getItem(KEY) === secret) localStorage.removeItem(KEY)
  sessionStorage.removeItem(KEY)
  sessionStorage.removeItem(KEEPING_KEY)
  if (tellsOthers && secret !== undefined) tell({ kind: 'ended', secret })
}

/** Asks the other tabs for their token, and answers their requests. */
export function listenToTabs(on: { onToken: (secret: string) => void; onEnd: (secret: string) => void }): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'answered') on.onToken(data.secret)
    if (data.kind === 'ended') on.onEnd(data.secret)
    const secret = sessionStorage.getItem(KEY)
    if (data.kind === 'asked' && secret !== null && sessionStorage.getItem(KEEPING_KEY) !== 'tab')
      tell({ kind: 'answered', secret })
  })
  if (keptToken() === undefined) tell({ kind: 'asked' })
}

function tell(message: Message): void {
  channel.postMessage(message)
}
