/**
 * A number of slots, and who waits for one. Slots are shared between callers, not between requests: a free one goes to the caller
 * that holds fewest, of those to the one that was served longest ago, and then in order of arrival of the requests: one that has several
 * jobs goes on before a later one begins. A caller may hold all of them for as long as nobody else comes, unless the bound keeps some back.
 * Deliberately not here: time, and running anything; see query-queues.ts.
 */
import type { FairQueueBound } from './queue-bounds.ts'

interface OfCaller {
  readonly caller: string
  /** When its request came, by the monotonic clock. */
  readonly sinceMs: number
  /** It only keeps its position in the queue for one that comes later, and is never begun. */
  readonly isPlaceholder?: boolean
}

/** What one caller has in a queue, or all of them. */
interface Load {
  running: number
  waiting: number
}

interface Caller<Job> {
  running: number
  /** In order of arrival of their requests. */
  readonly waiting: Job[]
  /** When it was last given a slot, among all that were. */
  servedAt: number
}

/** What a queue needs to know of its bound. */
type Slots = Pick<FairQueueBound, 'slots' | 'slotsPerCaller'>

export class FairQueue<Job extends OfCaller, Bound extends Slots = FairQueueBound> {
  readonly bound: Bound
  readonly #running = new Set<Job>()
  readonly #waiting = new Set<Job>()
  /** Those that run or wait, so that hundreds of waiting jobs are not looked through for each that comes. */
  readonly #callers = new Map<string, Caller<Job>>()
  #served = 0

  constructor(bound: Bound) {
    this.bound = bound
  }

  get running(): ReadonlySet<Job> {
    return this.#running
  }

  /** In order of arrival. */
  get waiting(): ReadonlySet<Job> {
    return this.#waiting
  }

  /** How many wait that can have a slot now. */
  get ready(): number {
    let count = 0
    for (const job of this.#waiting) if (isReady(job)) count++
    return count
  }

  get isEmpty(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0
  }

  /** How many callers have something running or waiting. */
  get callers(): number {
    return this.#callers.size
  }

  wait(job: Job): void {
    this.#waiting.add(job)
    const { waiting } = this.#callerOf(job)
    waiting.splice(waiting.findLastIndex(({ sinceMs }) => sinceMs <= job.sinceMs) + 1, 0, job)
  }

  /** How many will be served before a job that waits, about, if nobody else comes. */
  ahead(job: Job): number {
    const own = this.#callers.get(job.caller)?.waiting.indexOf(job) ?? -1
    return Math.min(this.#waiting.size - 1, (own + 1) * this.#callers.size - 1)
  }

  /** @returns the next one that is to have a slot, where there is one for it */
  next(): Job | undefined {
    if (this.#waiting.size === 0 || this.#running.size >= this.bound.slots) return undefined
    let [best, bestRank] = [undefined as Job | undefined, [Number.POSITIVE_INFINITY, 0]]
    for (const { running, waiting, servedAt } of this.#callers.values()) {
      const first = waiting.find(isReady)
      const rank = [running, servedAt]
      if (first && running < this.bound.slotsPerCaller && isBefore(rank, bestRank)) [best, bestRank] = [first, rank]
    }
    return best
  }

  hasSlotFor(caller: string): boolean {
    return this.#running.size < this.bound.slots && this.load(caller).running < this.bound.slotsPerCaller
  }

  start(job: Job): void {
    const caller = this.#callerOf(job)
    this.#waiting.delete(job)
    remove(caller.waiting, job)
    this.#running.add(job)
    caller.running++
    caller.servedAt = ++this.#served
  }

  /** A job that has ended, or waits no longer. */
  leave(job: Job): void {
    const caller = this.#callerOf(job)
    if (this.#running.delete(job)) caller.running--
    this.#waiting.delete(job)
    remove(caller.waiting, job)
    if (caller.running + caller.waiting.length === 0) this.#callers.delete(job.caller)
  }

  /** @param name of a caller; of all callers where it is absent */
  load(name?: string): Load {
    if (name === undefined) return { running: this.#running.size, waiting: this.#waiting.size }
    const caller = this.#callers.get(name)
    return { running: caller?.running ?? 0, waiting: caller?.waiting.length ?? 0 }
  }

  /** @returns whether the caller has what is its own, so that others are not the reason why it waits */
  hasItsShare(caller: string): boolean {
    const callers = new Set(this.#callers.keys()).add(caller)
    const share = Math.max(1, Math.floor(this.bound.slots / callers.size))
    return this.load(caller).running >= Math.min(share, this.bound.slotsPerCaller)
  }

  #callerOf({ caller }: Job): Caller<Job> {
    const known = this.#callers.get(caller) ?? { running: 0, waiting: [], servedAt: 0 }
    this.#callers.set(caller, known)
    return known
  }
}

const isReady = ({ isPlaceholder }: OfCaller) => !isPlaceholder

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item)
  if (index !== -1) list.splice(index, 1)
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const [at = 0, bt = 0] = [0, 1].map((index) => Math.sign((a[index] as number) - (b[index] as number)))
  return at < 0 || (at === 0 && bt < 0)
}
