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
  elapsedMs: () => performance.now(),
  random: Math.random,
  async sleep(ms, signal) {
    signal.throwIfAborted()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', wake)
      function wake() {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
    })
    signal.throwIfAborted()
  },
}
