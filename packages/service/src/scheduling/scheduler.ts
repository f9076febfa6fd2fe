/**
 * Runs tasks that are due: the longest overdue first, a bounded number at a time and of each owner, and no task twice at once. What is
 * due is asked for before every wait, so nothing is stored here that could be lost or out of date. Which of several services asks is up
 * to a lease; while it changes hands two may run the same task.
 * Deliberately not here: intervals, monitors.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Leadership } from '@deployment-annotations/records/database/records'
import { SOLE_LEADERSHIP } from '@deployment-annotations/records/leases/leases'
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

export interface Agenda {
  /** What is to run now: of each owner the longest overdue first, then of each the next. */
  due: readonly Task[]
  /** When something else is due; `undefined` where nothing is. */
  nextMs?: number | undefined
}

interface SchedulerOptions {
  clock: Timer
  log: Log
  /** Held by the service that runs the tasks; by default every service does. */
  leadership?: Leadership
  /** Runs under way at a time, and those of one owner: slow ones of one must not keep everybody else's waiting. */
  widthMax: number
  widthPerOwnerMax?: number
  /** A change made through this service wakes the scheduler, one made through another is found after this long. */
  pollMs?: number
  /** @param dueMax more of them would not be run */
  look(nowMs: number, dueMax: number): Promise<Agenda>
}

/** How long it waits for the end of a run, which wakes it. */
const BUSY_MS = 60_000
/** Records that cannot be read are tried again after this long. */
const READ_AGAIN_MS = 1_000

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #running = new Map<string, { owner: string | undefined; ended: Promise<void> }>()
  readonly #leadership: Leadership
  #waking = new AbortController()
  /** Whether the last look failed. */
  #isBlind = false

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#leadership = options.leadership ?? SOLE_LEADERSHIP
  }

  /** To be called when something may be due earlier than it was. */
  wake(): void {
    this.#waking.abort()
  }

  /**
   * Runs what is due, where and while it is this service's turn, until the signal ends that; to be called once.
   * @param signal ends the runs under way too
   * @returns once there are none
   */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wake(), { once: true })
    this.#leadership.keep(() => this.wake())
    while (!signal.aborted) {
      this.#waking = new AbortController()
      await this.#options.clock.waitUntil(await this.#startDue(signal), this.#waking.signal)
    }
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
    await this.#leadership[Symbol.asyncDispose]()
  }

  /** @returns when to look again */
  async #startDue(signal: AbortSignal): Promise<number> {
    const { clock, widthMax, widthPerOwnerMax = widthMax } = this.#options
    if (this.#running.size >= widthMax) return clock.now() + BUSY_MS
    const { due, nextMs } = await this.#look(clock.now(), widthMax + this.#running.size)
    // What ended or changed while it looked makes what it saw out of date.
    if (this.#waking.signal.aborted) return clock.now()
    for (const task of due) {
      if (this.#running.has(task.key)) continue
      if (this.#running.size >= widthMax) return clock.now() + BUSY_MS
      // It is begun when one of them ends, which wakes this.
      if ([...this.#running.values()].filter(({ owner }) => owner === task.owner).length >= widthPerOwnerMax) continue
      this.#start(task, signal)
    }
    return nextMs
  }

  async #look(nowMs: number, dueMax: number): Promise<{ due: Agenda['due']; nextMs: number }> {
    const { look, log, pollMs = BUSY_MS } = this.#options
    const againMs = nowMs + Math.min(pollMs, this.#leadership.pollMs)
    if (!this.#leadership.isHeld) return { due: [], nextMs: againMs }
    try {
      const { due, nextMs = againMs } = await look(nowMs, dueMax)
      this.#isBlind = false
      return { due, nextMs: Math.min(nextMs, againMs) }
    } catch (error) {
      // Once, and not at every look, for as long as it lasts.
      if (!this.#isBlind) log.error({ event: 'error', cause: describeError(error) })
      this.#isBlind = true
      return { due: [], nextMs: nowMs + READ_AGAIN_MS }
    }
  }

  #start({ key, owner, run }: Task, signal: AbortSignal): void {
    const ended = run(signal).finally(() => {
      this.#running.delete(key)
      this.wake()
    })
    this.#running.set(key, { owner, ended })
  }
}
