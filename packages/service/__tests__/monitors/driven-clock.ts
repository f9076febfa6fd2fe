/**
 * A clock that stands still until it is told to go on; what waits for a time is then through at once.
 */
import type { Timer } from '../../src/scheduling/scheduler.ts'

export interface DrivenClock extends Timer {
  /** Goes on, or back, by so much. */
  advance(ms: number): void
}

export function createDrivenClock(startMs: number): DrivenClock {
  const waiting = new Set<{ atMs: number; resolve: () => void }>()
  let nowMs = startMs
  return {
    now: () => nowMs,
    waitUntil: (atMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || atMs <= nowMs) return resolve()
        const waiter = { atMs, resolve }
        waiting.add(waiter)
        signal.addEventListener('abort', () => {
          waiting.delete(waiter)
          resolve()
        })
      }),
    advance(ms) {
      nowMs += ms
      for (const waiter of waiting) {
        if (waiter.atMs > nowMs && ms > 0) continue
        waiting.delete(waiter)
        waiter.resolve()
      }
    },
  }
}
