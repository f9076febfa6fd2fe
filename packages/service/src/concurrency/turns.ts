/**
 * One after the other, each in a turn of the event loop of its own: work that holds up the loop for some milliseconds does not do so a
 * hundred times in a row, and what is quick has its answer in between. Callers have turns by turns, and nobody waits for long.
 */
import { FairQueue } from './fair-queue.ts'
import { isTooLong, watchWait } from './patience.ts'
import { overloaded, type QueueBound } from './queue-bounds.ts'

type TurnsBound = QueueBound & { readonly waitMsMax: number }

/** Whose turn it is to be. */
interface Taker {
  /** Of the token. */
  id: string
  /** When its request came, by the monotonic clock. */
  sinceMs: number
}

interface Job {
  caller: string
  sinceMs: number
  begin: () => void
}

/** What the newest turn counts for in what is known of their length. */
const TURN_MS_WEIGHT = 0.1

export class Turns {
  readonly #bound: TurnsBound
  readonly #queue = new FairQueue<Job, { places: number; placesPerCaller: number }>({ places: 1, placesPerCaller: 1 })
  readonly #counts = { begun: 0, waitedMs: 0, refused: 0 }
  /** From one turn to the next, about, with all that is done in between; 0 before there was one. */
  #turnMs = 0
  #isGoing = false

  constructor(bound: TurnsBound) {
    this.#bound = bound
  }

  /** Resolves when it is the caller's turn. @throws ServiceError `overloaded` where it would not be soon */
  async take({ id, sinceMs }: Taker): Promise<void> {
    const { waiting } = this.#queue.load()
    if (waiting >= this.#bound.waitingMax) throw this.#refusal()
    const fromMs = performance.now()
    return new Promise((resolve, reject) => {
      const refuse = () => {
        this.#queue.leave(job)
        unwatch()
        reject(this.#refusal())
      }
      const begin = () => {
        unwatch()
        this.#counts.begun++
        this.#counts.waitedMs += performance.now() - fromMs
        resolve()
      }
      const job = { caller: id, sinceMs, begin }
      const wait = { sinceMs, waitMsMax: this.#bound.waitMsMax }
      const expectedMs = () => this.#queue.ahead(job) * this.#turnMs
      const unwatch = watchWait(wait, { expectedMs, refuse })
      this.#queue.wait(job)
      if (this.#isGoing) {
        if (isTooLong(wait, expectedMs())) refuse()
        return
      }
      this.#isGoing = true
      setImmediate(() => this.#next())
    })
  }

  load() {
    return { ...this.#queue.load(), ...this.#counts }
  }

  #refusal(): Error {
    this.#counts.refused++
    return overloaded(this.#bound, this.#queue.load().waiting)
  }

  #next(): void {
    const fromMs = performance.now()
    const job = this.#queue.next()
    if (!job) {
      // What was before a pause says nothing about what comes after it.
      this.#turnMs = 0
      this.#isGoing = false
      return
    }
    this.#queue.start(job)
    job.begin()
    setImmediate(() => {
      const turnMs = performance.now() - fromMs
      this.#turnMs += (turnMs - this.#turnMs) * (this.#turnMs === 0 ? 1 : TURN_MS_WEIGHT)
      this.#queue.leave(job)
      this.#next()
    })
  }
}
