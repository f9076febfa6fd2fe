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
  sleep: (ms, signal) => within(new Promise<never>(() => undefined), ms, signal),
}

/** @returns what the promise gives, or `undefined` where it takes longer; the promise goes on. @throws the reason of the signal */
export async function within<T>(promise: Promise<T>, ms: number, signal: AbortSignal | undefined): Promise<T | undefined> {
  signal?.throwIfAborted()
  let settle = () => {}
  const late = new Promise<undefined>((resolve) => {
    settle = () => resolve(undefined)
  })
  const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(settle, ms)
  signal?.addEventListener('abort', settle)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', settle)
    signal?.throwIfAborted()
  }
}
