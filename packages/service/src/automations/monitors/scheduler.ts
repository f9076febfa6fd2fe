/**
 * Runs what is due: the longest overdue first, so many at a time, and nothing on top of itself. When something is due, its owner
 * knows and is asked again before every wait, so nothing is kept here that could be lost or out of date.
 * Deliberately not here: intervals, monitors.
 */
import type { Timer } from './timer.ts'

export interface Due {
  key: string
  atMs: number
}

export interface SchedulerOptions {
  clock: Timer
  /** Runs under way at a time. */
  widthMax: number
  /** What is to run, and when; after a run it must name a later time. */
  due(): Iterable<Due>
  /** Must not reject. */
  run(key: string, signal: AbortSignal): Promise<void>
}

export interface Scheduler {
  start(): void
  /** To be called when something may be due earlier than it was. */
  wake(): void
  /** Ends the runs under way; resolves when there are none, and starts no more. */
  stop(): Promise<void>
}

/** How long it waits where nothing is to run; a wake ends it. */
const IDLE_MS = 60_000

export function createScheduler({ clock, widthMax, due, run }: SchedulerOptions): Scheduler {
  const running = new Map<string, Promise<void>>()
  const ending = new AbortController()
  let waking = new AbortController()
  let looping: Promise<void> | undefined

  /** @returns when to look again */
  function startDue(): number {
    const nowMs = clock.now()
    const waiting = [...due()].filter(({ key }) => !running.has(key)).sort((a, b) => a.atMs - b.atMs)
    for (const { key, atMs } of waiting) {
      if (atMs > nowMs) return atMs
      // The end of a run is a wake.
      if (running.size >= widthMax) break
      running.set(
        key,
        run(key, ending.signal).finally(() => {
          running.delete(key)
          waking.abort()
        }),
      )
    }
    return nowMs + IDLE_MS
  }

  async function loop(): Promise<void> {
    while (!ending.signal.aborted) {
      waking = new AbortController()
      await clock.waitUntil(startDue(), waking.signal)
    }
    await Promise.all(running.values())
  }

  return {
    start() {
      looping ??= loop()
    },
    wake: () => waking.abort(),
    async stop() {
      ending.abort()
      waking.abort()
      await looping
    },
  }
}
