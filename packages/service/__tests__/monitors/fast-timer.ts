/**
 * Time that runs fast, so that a test sees hours of its monitors within a minute.
 */
import type { Timer } from '../../src/scheduling/scheduler.ts'

/** @param sinceMs when it began to run fast */
export function createFastTimer(sinceMs: number, speed: number): Timer {
  const now = () => Math.floor(sinceMs + (Date.now() - sinceMs) * speed)
  return {
    now,
    waitUntil: (atMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const timer = setTimeout(resolve, Math.max(0, (atMs - now()) / speed))
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}
