/** Loads what a component shows, again whenever its inputs change; an answer that is no longer wanted is dropped. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isAborted } from '../service/request.ts'

interface Loaded<T> {
  /**
   * The latest that arrived; it stays while the next one is under way, so that the page does not flicker, and when that one does
   * not come, as long as it is of the same subject.
   */
  data: T | undefined
  error: unknown
  isLoading: boolean
}

interface Load<T> extends Loaded<T> {
  /** Gives up what is under way; what is there stays. */
  cancel: () => void
}

let underWay = 0
/** Those that wait until nothing is under way. */
const waiting = new Set<() => void>()

/** @returns whether an answer is awaited: to ask again now would only start over */
export function isLoadUnderWay(): boolean {
  return underWay > 0
}

/** @returns when what is under way now is answered, and after so long at the latest: for what is to leave others the first turn */
export function whenLoaded(waitMsMax: number): Promise<void> {
  if (underWay === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      waiting.delete(go)
      resolve()
    }
    const timer = setTimeout(go, waitMsMax)
    waiting.add(go)
  })
}

function end(): void {
  underWay--
  if (underWay === 0) for (const go of waiting) go()
}

/**
 * @param load is called with a signal that ends when its answer is not wanted any more; `undefined` loads nothing
 * @param inputs as of an effect
 * @param subject what is loaded: after a failure, an answer about another subject would be taken for one about this
 */
export function useLoad<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  inputs: readonly unknown[],
  subject = '',
): Load<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: undefined, error: undefined, isLoading: load !== undefined })
  const answered = useRef<string | undefined>(undefined)
  const current = useRef<AbortController | undefined>(undefined)
  // Not after the next frame: what is asked now is there a frame earlier.
  useLayoutEffect(() => {
    if (!load) return setLoaded({ data: undefined, error: undefined, isLoading: false })
    const gone = new AbortController()
    current.current = gone
    setLoaded((before) => ({ ...before, isLoading: true }))
    underWay++
    const answer = load(gone.signal).finally(end)
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
