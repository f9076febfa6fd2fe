/**
 * What is known of a queue: what happened in it since the start, and how fast it moves.
 */

/** Of a queue: what is in it now, and what has been since the start. */
export interface QueueLoad {
  running: number
  waiting: number
  /** Were given a place, those included that were given one again. */
  begun: number
  /** How long these waited for it, all together. */
  waitedMs: number
  refused: number
}

type QueueTotals = Pick<QueueLoad, 'begun' | 'waitedMs' | 'refused'>

export class QueueCounts {
  readonly #totals = { begun: 0, waitedMs: 0, refused: 0 }
  readonly #weight: number
  /** Had a place until they were done. */
  done = 0
  #placeMs = 0

  /** @param weight what the newest one counts for in how long one has its place */
  constructor(weight: number) {
    this.#weight = weight
  }

  /** Since the start. */
  get totals(): QueueTotals {
    return { ...this.#totals }
  }

  /** How long one has its place until it is done, about; 0 while nothing is known of it. */
  get placeMs(): number {
    return this.#placeMs
  }

  addBegun(waitedMs: number): void {
    this.#totals.begun++
    this.#totals.waitedMs += waitedMs
  }

  addRefused(): void {
    this.#totals.refused++
  }

  addDone(placeMs: number): void {
    this.done++
    this.#placeMs += (placeMs - this.#placeMs) * (this.#placeMs === 0 ? 1 : this.#weight)
  }

  /** What was before a pause says nothing about what comes after it. */
  pause(): void {
    this.#placeMs = 0
  }
}
