/** Polls for the new events of a feed while the component is there and its tab is visible. */
import { useEffect, useState } from 'preact/hooks'
import type { Feed } from './feed.ts'
import { follow, type Trouble } from './tail.ts'

/**
 * @param pollMs the interval; `undefined` for never, and until the first page is there
 * @param isReading whether the user is reading rows that new ones would move
 * @returns the error that keeps new events away at present
 */
export function useTail(feed: Feed, pollMs: number | undefined, isReading: () => boolean): Trouble | undefined {
  const [trouble, setTrouble] = useState<Trouble>()
  useEffect(() => {
    setTrouble(undefined)
    if (pollMs === undefined) return
    const ended = new AbortController()
    const poll = (signal: AbortSignal) => feed.loadNewest(signal, isReading)
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
