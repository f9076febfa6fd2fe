/**
 * Runs tasks that are due: the longest overdue first, a bounded number at a time and of each owner, and no task twice at once. What is
 * due is asked for after each of them, but not all the time, so of many a few are known beforehand. Several services share the tasks;
 * while some change hands two may run the same one.
 * Deliberately not here: intervals, monitors.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Due, Share } from '@deployment-annotations/records/database/records'
import { WHOLE_SHARE } from '@deployment-annotations/records/leases/shares'
import { describeError, type Log } from '@deployment-annotations/runtime/log'

/** The time, and waiting for it. Tests bring their own, so that hours pass without waiting. */
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
      sleep(Math.max(0, Math.min(atMs - now(), WAIT_MS_MAX)), undefined, { signal }).catch(() => undefined),
  }
}

interface Task {
  key: string
  /** Whose share of the places it takes. */
  owner?: string
  /** Must not reject. */
  run(signal: AbortSignal): Promise<void>
}

/** What is to run: of each owner the longest overdue first, then of each the next. */
export type Agenda = Due<Task>

interface SchedulerOptions {
  clock: Timer
  log: Log
  /** What this service runs of the tasks; by default every service runs any. */
  share?: Share
  /** Runs under way at a time, and those of one owner: slow ones of one must not keep everybody else's waiting. */
  widthMax: number
  widthPerOwnerMax?: number
  /** A change made through this service wakes the scheduler, one made through another is found after this long. */
  pollMs?: number
  look(nowMs: number, share: Share): Promise<Agenda>
}

/** How long it waits for the end of a run, which wakes it. */
const BUSY_MS = 60_000
/** Records that cannot be read are tried again after this long. */
const READ_AGAIN_MS = 1_000
/** How long what was found due counts while some of it ends: each look reads all that is due, and thousands may be. */
const LOOK_MS = 100

export class Scheduler {
  readonly #options: SchedulerOptions & { share: Share }
  readonly #running = new Map<string, { owner: string | undefined; ended: Promise<void> }>()
  #waking = new AbortController()
  /** What the last look found and has not begun, when that was, and when the next one is to be. */
  #found: readonly Task[] = []
  #lookedMs = Number.NEGATIVE_INFINITY
  #againMs = Number.NEGATIVE_INFINITY
  /** Whether the last look failed. */
  #isBlind = false

  constructor(options: SchedulerOptions) {
    this.#options = { share: WHOLE_SHARE, ...options }
  }

  /** To be called when something may be due earlier than it was. */
  wake(): void {
    this.#againMs = Number.NEGATIVE_INFINITY
    this.#waking.abort()
  }

  /**
   * Runs what is due and in this service's share until the signal ends that; to be called once.
   * @param signal ends the runs under way too
   * @returns once there are none
   */
  async run(signal: AbortSignal): Promise<void> {
    await using share = this.#options.share
    signal.addEventListener('abort', () => this.wake(), { once: true })
    share.keep()
    while (!signal.aborted) {
      this.#waking = new AbortController()
      await this.#options.clock.waitUntil(await this.#startDue(signal), this.#waking.signal)
    }
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** @returns when to go on */
  async #startDue(signal: AbortSignal): Promise<number> {
    const { clock, widthMax, widthPerOwnerMax = widthMax } = this.#options
    if (this.#running.size >= widthMax) return clock.now() + BUSY_MS
    const nowMs = clock.now()
    if (nowMs >= this.#againMs || nowMs < this.#lookedMs) await this.#look(nowMs)
    this.#found = this.#found.filter((task) => {
      const ofOwner = [...this.#running.values()].filter(({ owner }) => owner === task.owner).length
      const isFree = this.#running.size < widthMax && ofOwner < widthPerOwnerMax
      if (isFree && !this.#running.has(task.key)) this.#start(task, signal)
      return !this.#running.has(task.key)
    })
    return this.#againMs
  }

  async #look(nowMs: number): Promise<void> {
    const { look, log, share, pollMs = BUSY_MS } = this.#options
    this.#found = []
    this.#lookedMs = nowMs
    this.#againMs = nowMs + Math.min(pollMs, share.pollMs)
    try {
      const { due, nextMs = this.#againMs } = await look(nowMs, share)
      this.#isBlind = false
      // What ended or changed while it looked makes what it saw out of date.
      const isOld = this.#waking.signal.aborted
      this.#found = isOld ? [] : due
      this.#againMs = isOld ? Number.NEGATIVE_INFINITY : Math.min(nextMs, this.#againMs)
    } catch (error) {
      // Once, and not at every look, for as long as it lasts.
      if (!this.#isBlind) log.error({ event: 'error', cause: describeError(error) })
      this.#isBlind = true
      this.#againMs = nowMs + READ_AGAIN_MS
    }
  }

  #start({ key, owner, run }: Task, signal: AbortSignal): void {
    const ended = run(signal).finally(() => {
      this.#running.delete(key)
      if (this.#found.length === 0) return this.wake()
      this.#againMs = Math.min(this.#againMs, this.#lookedMs + LOOK_MS)
      this.#waking.abort()
    })
    this.#running.set(key, { owner, ended })
  }
}
