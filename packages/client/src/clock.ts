/** Time and chance as the client sees them; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** A number from 0 up to, not including, 1. */
  random(): number
  /** Resolves after this many milliseconds; rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal.addEventListener('abort', onAbort, { once: true })
    }),
}
