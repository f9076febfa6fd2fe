/** Loads the data of a component, again whenever its inputs change. An answer that is no longer wanted is dropped. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isAborted } from '../service/request.ts'

interface Loaded<T> {
  /**
   * The latest data. It stays while the next is loading, so that the page does not flicker, and after a failure if the subject is the
   * same.
   */
  data: T | undefined
  error: unknown
  isLoading: boolean
}

interface Load<T> extends Loaded<T> {
  /** Cancels the request; the data stays. */
  cancel: () => void
}

let underWay = 0

/** @returns whether something is loading: another request would only start over */
export function isLoadUnderWay(): boolean {
  return underWay > 0
}

/**
 * @param load called with a signal that aborts when its answer is no longer wanted; `undefined` loads nothing
 * @param inputs the dependencies, as of an effect
 * @param subject identifies what is loaded: after a failure, data about another subject is dropped
 */
export function useLoad<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  inputs: readonly unknown[],
  subject = '',
): Load<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: undefined, error: undefined, isLoading: load !== undefined })
  const answered = useRef<string | undefined>(undefined)
  const current = useRef<AbortController | undefined>(undefined)
  // A layout effect sends the request one frame earlier.
  useLayoutEffect(() => {
    if (!load) return setLoaded({ data: undefined, error: undefined, isLoading: false })
    const gone = new AbortController()
    current.current = gone
    setLoaded((before) => ({ ...before, isLoading: true }))
    underWay++
    const answer = load(gone.signal).finally(() => {
      underWay--
    })
    answer.then(
      (data) => {
        if (gone.signal.aborted) return
        answered.current = subject
        setLoaded({ data, error: undefined, isLoading: false })
      },
      (error: unknown) => {
        if (gone.signal.aborted || isAborted(error)) return
        setLoaded(({ data }) => ({ data: answered.current === subject ? data : undefined, error, isLoading: false }))
      },
    )
    return () => gone.abort()
  }, inputs)
  const cancel = () => {
    current.current?.abort()
    setLoaded((before) => ({ ...before, isLoading: false }))
  }
  return { ...loaded, cancel }
}
