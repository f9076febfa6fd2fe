/**
 * A number of places, and who waits for one. Places are shared between callers, not between requests: a free one goes to the caller
 * that holds fewest, of those to the one that was served longest ago, and then in order of arrival. A caller may hold all of them
 * for as long as nobody else comes, unless the bound keeps some back.
 * Deliberately not here: time, and running anything; see query-queues.ts.
 */
import type { FairQueueBound } from './queue-bounds.ts'

interface OfCaller {
  readonly caller: string
}

/** What one caller has in a queue, or all of them. */
interface Load {
  running: number
  waiting: number
}

export class FairQueue<Job extends OfCaller> {
  readonly bound: FairQueueBound
  readonly #running = new Set<Job>()
  /** In order of arrival. */
  readonly #waiting = new Set<Job>()
  readonly #servedAt = new Map<string, number>()
  #served = 0

  constructor(bound: FairQueueBound) {
    this.bound = bound
  }

  get running(): ReadonlySet<Job> {
    return this.#running
  }

  get waiting(): ReadonlySet<Job> {
    return this.#waiting
  }

  get isEmpty(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0
  }

  wait(job: Job): void {
    this.#waiting.add(job)
  }

  /** @returns the next one that is to have a place, where there is one for it */
  next(): Job | undefined {
    let [best, bestRank] = [undefined as Job | undefined, [Number.POSITIVE_INFINITY, 0]]
    for (const job of this.#waiting) {
      const rank = [this.load(job.caller).running, this.#servedAt.get(job.caller) ?? 0]
      if (this.hasPlaceFor(job.caller) && isBefore(rank, bestRank)) [best, bestRank] = [job, rank]
    }
    return best
  }

  hasPlaceFor(caller: string): boolean {
    return this.#running.size < this.bound.places && this.load(caller).running < this.bound.placesPerCaller
  }

  start(job: Job): void {
    this.#waiting.delete(job)
    this.#running.add(job)
    this.#servedAt.set(job.caller, ++this.#served)
  }

  /** A job that has ended, or waits no longer. */
  leave(job: Job): void {
    this.#running.delete(job)
    this.#waiting.delete(job)
    const { running, waiting } = this.load(job.caller)
    if (running + waiting === 0) this.#servedAt.delete(job.caller)
  }

  /** @param caller of all callers where it is absent */
  load(caller?: string): Load {
    const count = (jobs: ReadonlySet<Job>) =>
      caller === undefined ? jobs.size : [...jobs].filter((job) => job.caller === caller).length
    return { running: count(this.#running), waiting: count(this.#waiting) }
  }

  /** @returns whether the caller has what is its own, so that others are not the reason why it waits */
  hasItsShare(caller: string): boolean {
    const callers = new Set([...this.#running, ...this.#waiting].map((job) => job.caller))
    const share = Math.max(1, Math.floor(this.bound.places / callers.size))
    return this.load(caller).running >= Math.min(share, this.bound.placesPerCaller)
  }
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const [at = 0, bt = 0] = [0, 1].map((index) => Math.sign((a[index] as number) - (b[index] as number)))
  return at < 0 || (at === 0 && bt < 0)
}
