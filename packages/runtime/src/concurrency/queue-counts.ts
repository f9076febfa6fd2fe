/**
 * What is known of a queue: what happened in it since the start, and how fast it moves.
 */

/** Of a queue: what is in it now, and what has been since the start. */
export interface QueueLoad {
  running: number
  waiting: number
  /** Were given a slot, those included that were given one again. */
  begun: number
  /** How long these waited for it, all together. */
  waitedMs: number
  refused: number
}

type QueueTotals = Pick<QueueLoad, 'begun' | 'waitedMs' | 'refused'>

export class QueueCounts {
  readonly #totals = { begun: 0, waitedMs: 0, refused: 0 }
  readonly #weight: number
  /** Had a slot until they were done. */
  done = 0
  #serviceMs = 0

  /** @param weight what the newest one counts for in the service time */
  constructor(weight: number) {
    this.#weight = weight
  }

  /** Since the start. */
  get totals(): QueueTotals {
    return { ...this.#totals }
  }

  /** Service time: how long one has its slot until it is done, about; 0 while nothing is known of it. */
  get serviceMs(): number {
    return this.#serviceMs
  }

  addBegun(waitedMs: number): void {
    this.#totals.begun++
    this.#totals.waitedMs += waitedMs
  }

  addRefused(): void {
    this.#totals.refused++
  }

  addDone(serviceMs: number): void {
    this.done++
    this.#serviceMs += (serviceMs - this.#serviceMs) * (this.#serviceMs === 0 ? 1 : this.#weight)
  }

  /** What was before a pause says nothing about what comes after it. */
  pause(): void {
    this.#serviceMs = 0
  }
}
