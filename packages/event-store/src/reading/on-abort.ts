/**
 * Ends a statement of the engine that nobody waits for: asks again until it has ended.
 */

/** A statement that was not there to be killed may just not have begun. */
const KILL_AGAIN_MS = 250

/** Runs `task` when the signal ends, and again until it is stopped. @returns what stops it */
export function onAbort(signal: AbortSignal, task: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    void task()
    timer = setInterval(() => void task(), KILL_AGAIN_MS)
  }
  signal.addEventListener('abort', start, { once: true })
  return () => {
    signal.removeEventListener('abort', start)
    clearInterval(timer)
  }
}
