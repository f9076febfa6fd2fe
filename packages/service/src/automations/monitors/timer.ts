/**
 * Time as monitors see it: what it is, and waiting for it. Tests bring their own, so that hours pass without waiting.
 */
export interface Timer {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves once it is `atMs` or later, or when the signal ends the wait; it may also resolve early. */
  waitUntil(atMs: number, signal: AbortSignal): Promise<void>
}

/** The longest wait at a time: a clock that was set, or a machine that slept, is noticed after this. */
const WAIT_MS_MAX = 30_000

/** @param now the clock that says what time it is; the waiting is done by the machine's */
export function createTimer(now: () => number): Timer {
  return {
    now,
    waitUntil: (atMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, Math.max(0, Math.min(atMs - now(), WAIT_MS_MAX)))
        signal.addEventListener('abort', end, { once: true })
      }),
  }
}
