/**
 * Runs what is due: the longest overdue first, a bounded number at a time, and no task twice at once. The owner of the
 * tasks knows when each is due and is asked before every wait, so nothing is kept here that could be lost or out of date.
 * Deliberately not here: intervals, monitors.
 */
import type { Timer } from './timer.ts'

export interface Due {
  key: string
  atMs: number
}

interface SchedulerOptions {
  clock: Timer
  /** Runs under way at a time. */
  widthMax: number
  /** What is to run, and when; after a run it must name a later time. */
  due(): Iterable<Due>
  /** Must not reject. */
  run(key: string, signal: AbortSignal): Promise<void>
}

/** How long it waits where nothing is to run; a wake ends it. */
const IDLE_MS = 60_000

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #running = new Map<string, Promise<void>>()
  #waking = new AbortController()

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** To be called when something may be due earlier than it was. */
  wake(): void {
    this.#waking.abort()
  }

  /**
   * Runs what is due until the signal ends that; to be called once.
   * @param signal ends the runs under way too
   * @returns once there are none
   */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wake(), { once: true })
    while (!signal.aborted) {
      this.#waking = new AbortController()
      await this.#options.clock.waitUntil(this.#startDue(signal), this.#waking.signal)
    }
    await Promise.all(this.#running.values())
  }

  /** @returns when to look again */
  #startDue(signal: AbortSignal): number {
    const { clock, due, widthMax } = this.#options
    const nowMs = clock.now()
    const waiting = [...due()].filter(({ key }) => !this.#running.has(key)).sort((a, b) => a.atMs - b.atMs)
    for (const { key, atMs } of waiting) {
      if (atMs > nowMs) return atMs
      // The end of a run is a wake.
      if (this.#running.size >= widthMax) break
      this.#start(key, signal)
    }
    return nowMs + IDLE_MS
  }

  #start(key: string, signal: AbortSignal): void {
    const running = this.#options.run(key, signal).finally(() => {
      this.#running.delete(key)
      this.wake()
    })
    this.#running.set(key, running)
  }
}
