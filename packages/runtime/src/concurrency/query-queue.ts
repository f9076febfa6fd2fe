/**
 * One of the queues of query-queues.ts: what waits in it, and how long that is going to be.
 */
import { FairQueue } from './fair-queue.ts'
import { QueueCounts, type QueueLoad } from './queue-counts.ts'

export interface Query {
  /** Whose share it takes a slot of. */
  caller: string
  /** The same for queries that are likely to take as long as each other: the statement, whose values are parameters. */
  shape: string
  signal: AbortSignal
  /** Where it may wait longer than the queue says. */
  waitMsMax?: number | undefined
  /** When the request came that it belongs to, by the monotonic clock; now when absent. */
  sinceMs?: number | undefined
  /** That request: once one of its queries has had a slot, the others are not refused for what it had waited before. */
  request?: object | undefined
}

export interface Job extends Query {
  sinceMs: number
  isPlaceholder?: boolean
  queue: QueryQueue
  /** When it was given its slot, by the monotonic clock. */
  begunMs: number
  /** Ends its wait: it has its slot. */
  begin: () => void
  /** Ends its wait in the other way. */
  refuse: () => void
  /** It has been running for longer than the quick queue is for. */
  isLate: boolean
  stop: AbortController
}

/** As many times as long as the others take the first ones, which come with a crowd and find nothing prepared. */
const FIRST_TIMES = 5

/** The last five, about: a queue that becomes slower, or quicker, is known for it soon. */
const NEWEST_WEIGHT = 0.2

export class QueryQueue extends FairQueue<Job> {
  readonly counts = new QueueCounts(NEWEST_WEIGHT)

  /** For figures. */
  get told(): QueueLoad {
    return { ...this.load(), ...this.counts.totals }
  }

  /** Of a job that waits. */
  expectedWaitMs(job: Job): number {
    return ((this.ahead(job) + 1) * this.#serviceMs) / this.bound.slots
  }

  /** Before one is done, what is known is how long the first ones have been at it. */
  get #serviceMs(): number {
    const { serviceMs } = this.counts
    if (serviceMs > 0 || this.running.size === 0) return serviceMs
    const oldestMs = Math.min(...[...this.running].map(({ begunMs }) => begunMs))
    return (performance.now() - oldestMs) / FIRST_TIMES
  }
}
