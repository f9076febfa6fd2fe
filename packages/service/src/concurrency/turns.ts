/**
 * One after the other, each in a turn of the event loop of its own: work that holds up the loop for some milliseconds does not do so a
 * hundred times in a row, and what is quick has its answer in between. Nobody waits for long: where the first one does, more are refused.
 */
import { overloaded, type QueueBound } from './queue-bounds.ts'

interface Waiting {
  sinceMs: number
  begin: () => void
}

export class Turns {
  readonly #bound: QueueBound & { readonly waitMsMax: number }
  readonly #now: () => number
  #waiting: Waiting[] = []
  #first = 0

  constructor(bound: QueueBound & { readonly waitMsMax: number }, now = () => performance.now()) {
    this.#bound = bound
    this.#now = now
  }

  get waiting(): number {
    return this.#waiting.length - this.#first
  }

  /** Resolves when it is the caller's turn. @throws ServiceError `overloaded` where it would not be soon */
  async take(): Promise<void> {
    const first = this.#waiting[this.#first]
    const isLate = first !== undefined && this.#now() - first.sinceMs >= this.#bound.waitMsMax
    if (isLate || this.waiting >= this.#bound.waitingMax) throw overloaded(this.#bound, this.waiting)
    return new Promise((begin) => {
      this.#waiting.push({ sinceMs: this.#now(), begin })
      if (this.waiting === 1) setImmediate(() => this.#next())
    })
  }

  #next(): void {
    this.#waiting[this.#first++]?.begin()
    if (this.waiting > 0) {
      setImmediate(() => this.#next())
      return
    }
    this.#waiting = []
    this.#first = 0
  }
}
