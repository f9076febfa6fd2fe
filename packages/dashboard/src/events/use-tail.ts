/**
 * New events as they arrive: asking for them again and again, less often while there are none.
 */
import { useEffect, useState } from 'preact/hooks'
import type { Feed } from './use-feed.ts'

/**
 * @param pollMs how often it is looked for new ones; `undefined` for never, and until the first page is there
 * @param isReading whether the user is reading what new rows would move
 * @returns why new events do not come at present
 */
export function useTail(feed: Feed, pollMs: number | undefined, isReading: () => boolean): Trouble | undefined {
  const [trouble, setTrouble] = useState<Trouble>()
  useEffect(() => {
    setTrouble(undefined)
    if (pollMs === undefined) return
    const ended = new AbortController()
    const poll = (signal: AbortSignal) => feed.loadNewer(signal, isReading)
    void follow({ pollMs, poll, whenVisible, sleep, onTrouble: setTrouble }, ended.signal)
    return () => ended.abort()
  }, [feed, pollMs])
  return trouble
}

function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden) return resolve()
    const listening = new AbortController()
    const end = () => {
      listening.abort()
      resolve()
    }
    signal.addEventListener('abort', end, { signal: listening.signal })
    document.addEventListener('visibilitychange', () => document.hidden || end(), { signal: listening.signal })
  })
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** While the list is live. */
export const POLL_MS = 2_000
/** Between two polls of a tail that has more to fetch, so that the page stays usable meanwhile. */
const CATCH_UP_MS = 200
const BACKOFF_MS_MAX = 60_000

/** @returns how long to wait after so many failures in a row: 2, 4, 8 … 60 s */
export function backoffMs(failures: number): number {
  return Math.min(BACKOFF_MS_MAX, POLL_MS * 2 ** (failures - 1))
}

export interface Trouble {
  error: unknown
  retryMs: number
}

interface Follow {
  /** Between two polls. */
  pollMs: number
  /** @returns whether there is more to fetch at once */
  poll(signal: AbortSignal): Promise<boolean>
  /** Resolves as soon as the page is visible. */
  whenVisible(signal: AbortSignal): Promise<void>
  sleep(ms: number, signal: AbortSignal): Promise<void>
  onTrouble(trouble: Trouble | undefined): void
}

/** Polls until `signal` says that it is enough. */
export async function follow({ pollMs, poll, whenVisible, sleep, onTrouble }: Follow, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    await whenVisible(signal)
    if (signal.aborted) return
    let waitMs = pollMs
    try {
      if (await poll(signal)) waitMs = CATCH_UP_MS
      if (failures > 0 && !signal.aborted) onTrouble(undefined)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      waitMs = Math.max(pollMs, backoffMs(++failures))
      onTrouble({ error, retryMs: waitMs })
    }
    await sleep(waitMs, signal)
  }
}
