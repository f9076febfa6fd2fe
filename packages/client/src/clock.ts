/** Time and chance as the client sees them; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch, as the machine believes; somebody may set them back. */
  now(): number
  /** Milliseconds since any moment: what durations are measured with, because it never goes back. */
  elapsedMs(): number
  /** A number from 0 up to, not including, 1. */
  random(): number
  /** Resolves after this many milliseconds; rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  elapsedMs() {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1_000 + nanoseconds / 1_000_000
  },
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
