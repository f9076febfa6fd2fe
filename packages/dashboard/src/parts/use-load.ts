/** Loads what a component shows, again whenever its inputs change; an answer that is no longer wanted is dropped. */
import { useEffect, useState } from 'preact/hooks'
import { isAborted } from '../service/request.ts'

interface Loaded<T> {
  /** The latest that arrived; it stays while the next one is under way, so that the page does not flicker. */
  data: T | undefined
  error: unknown
  isLoading: boolean
}

let underWay = 0

/** @returns whether an answer is awaited: to ask again now would only start over */
export function isLoadUnderWay(): boolean {
  return underWay > 0
}

/**
 * @param load is called with a signal that ends when its answer is not wanted any more; `undefined` loads nothing
 * @param inputs as of an effect
 */
export function useLoad<T>(load: ((signal: AbortSignal) => Promise<T>) | undefined, inputs: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: undefined, error: undefined, isLoading: load !== undefined })
  useEffect(() => {
    if (!load) return setLoaded({ data: undefined, error: undefined, isLoading: false })
    const gone = new AbortController()
    setLoaded((before) => ({ ...before, isLoading: true }))
    underWay++
    const answer = load(gone.signal).finally(() => underWay--)
    answer.then(
      (data) => {
        if (!gone.signal.aborted) setLoaded({ data, error: undefined, isLoading: false })
      },
      (error: unknown) => {
        if (!gone.signal.aborted && !isAborted(error)) setLoaded({ data: undefined, error, isLoading: false })
      },
    )
    return () => gone.abort()
  }, inputs)
  return loaded
}
