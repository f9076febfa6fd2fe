/**
 * One after the other, each in a turn of the event loop of its own: work that holds up the loop for some milliseconds does not do so a
 * hundred times in a row, and what is quick has its answer in between. Callers have turns by turns, and nobody waits for long.
 */
import { FairQueue } from './fair-queue.ts'
import { isTooLong, watchWait } from './load-shedding.ts'
import { overloaded, type QueueBound } from './queue-bounds.ts'
import { QueueCounts, type QueueLoad } from './queue-counts.ts'

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

/** The last ten, about: a turn is as long as all that the loop does meanwhile, so a few of them tell little. */
const NEWEST_WEIGHT = 0.1

export class Turns {
  readonly #bound: TurnsBound
  readonly #queue = new FairQueue<Job, { slots: number; slotsPerCaller: number }>({ slots: 1, slotsPerCaller: 1 })
  /** One has its slot from its turn to the next, with all that is done in between. */
  readonly #counts = new QueueCounts(NEWEST_WEIGHT)
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
        this.#counts.addBegun(performance.now() - fromMs)
        resolve()
      }
      const job = { caller: id, sinceMs, begin }
      const wait = { sinceMs, waitMsMax: this.#bound.waitMsMax }
      const expectedMs = () => this.#queue.ahead(job) * this.#counts.serviceMs
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

  load(): QueueLoad {
    return { ...this.#queue.load(), ...this.#counts.totals }
  }

  #refusal(): Error {
    this.#counts.addRefused()
    return overloaded(this.#bound, this.#queue.load().waiting)
  }

  #next(): void {
    const fromMs = performance.now()
    const job = this.#queue.next()
    if (!job) {
      this.#counts.pause()
      this.#isGoing = false
      return
    }
    this.#queue.start(job)
    job.begin()
    setImmediate(() => {
      this.#counts.addDone(performance.now() - fromMs)
      this.#queue.leave(job)
      this.#next()
    })
  }
}
