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

/** What the newest one counts for in how long one has its place. */
const PLACE_MS_WEIGHT = 0.2

export class QueueCounts implements Pick<QueueLoad, 'begun' | 'waitedMs' | 'refused'> {
  begun = 0
  waitedMs = 0
  refused = 0
  /** Had a place until they were done. */
  done = 0
  #placeMs = 0

  /** How long one has its place until it is done, about; 0 while nothing is known of it. */
  get placeMs(): number {
    return this.#placeMs
  }

  addBegun(waitedMs: number): void {
    this.begun++
    this.waitedMs += waitedMs
  }

  addDone(placeMs: number): void {
    this.done++
    this.#placeMs += (placeMs - this.#placeMs) * (this.#placeMs === 0 ? 1 : PLACE_MS_WEIGHT)
  }

  /** What was before a pause says nothing about what comes after it. */
  pause(): void {
    this.#placeMs = 0
  }
}
