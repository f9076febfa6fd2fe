/**
 * Two queues, so that nobody waits long for a query of somebody else. How long a query takes is not known before it has run: a join
 * of two small tables reads little and may take minutes. So all begin in the quick queue, and one that takes longer is late: it
 * goes on in the long queue when that has a slot for its caller. Where it has none, and others wait for the quick slot, it is
 * stopped, and runs again from the start when it is its turn; what that costs is bounded by the time that a query has in the quick
 * queue. While one is late, others with the same statement are not tried among the quick ones.
 * Deliberately not here: the engine.
 */
import { isTooLong, watchWait } from './load-shedding.ts'
import { type Job, type Query, QueryQueue } from './query-queue.ts'
import { type FairQueueBound, LONG_QUERIES, overShare, QUICK_MS_MAX, QUICK_QUERIES, queueIsFull } from './queue-bounds.ts'
import type { QueueLoad } from './queue-counts.ts'

/**
 * How a query runs: a `background` one leaves processors to others, and a `spilling` one also writes to the disk early what it would
 * hold in memory.
 */
export type RunMode = 'foreground' | 'background' | 'spilling'

/** Beside so many queries, another one runs in the background. */
const FOREGROUND_MAX = 2

/** Why an attempt ended before it was done: the query is to run again in another way. */
export class RunAgain extends Error {
  readonly mode: RunMode

  constructor(mode: RunMode, options?: ErrorOptions) {
    super(`the query is to run again: ${mode}`, options)
    this.mode = mode
  }
}

/** One run of a query, which may reject with {@link RunAgain} for another mode. */
export interface Attempt {
  /** Of the query, or of this attempt: the reason is then a {@link RunAgain}. */
  signal: AbortSignal
  mode: RunMode
}

/** As many times as long as others have theirs is long, even on a busy machine. */
const LATE_TIMES = 4

interface QueuesOptions {
  quick: FairQueueBound
  long: FairQueueBound
  /** How long a query may have a slot of the quick queue while others wait for it. */
  quickMsMax: number
}

export class QueryQueues {
  readonly #quick: QueryQueue
  readonly #long: QueryQueue
  readonly #quickMsMax: number
  readonly #idlers: (() => void)[] = []
  /** Requests of which a query has had a slot. */
  readonly #begun = new WeakSet<object>()

  constructor({ quick = QUICK_QUERIES, long = LONG_QUERIES, quickMsMax = QUICK_MS_MAX }: Partial<QueuesOptions> = {}) {
    this.#quick = new QueryQueue(quick)
    this.#long = new QueryQueue(long)
    this.#quickMsMax = quickMsMax
  }

  /**
   * @returns what `task` returns, which runs once or, in other modes, again
   * @throws ServiceError `rate_limited`, `overloaded` when it waits too long or too many wait; the signal's reason; what `task` rejects with
   */
  async run<T>(query: Query, task: (attempt: Attempt) => Promise<T>): Promise<T> {
    let queue = this.#isLong(query.shape) ? this.#long : this.#quick
    let mode: RunMode | undefined
    const request = query.request ?? query
    for (;;) {
      try {
        return await this.#attempt({ ...query, request }, queue, mode, task)
      } catch (error) {
        if (!(error instanceof RunAgain)) throw error
        queue = this.#long
        mode = error.mode
      }
    }
  }

  /**
   * Waits in the queue for a request whose statements are not known yet, while what has to be done before them is done: so it is refused as
   * soon as if it had none of that to do, and those that come later know of it.
   * @returns what `task` returns @throws as {@link run}
   */
  async whileWaiting<T>(query: Omit<Query, 'shape'>, task: () => Promise<T>): Promise<T> {
    const done = new AbortController()
    const signal = AbortSignal.any([query.signal, done.signal])
    const waiting = this.#enter({ ...query, shape: '', signal }, this.#quick, true) as Promise<never>
    return await Promise.race([waiting, task()]).finally(() => done.abort())
  }

  /** Resolves when none is under way and none waits. */
  async idle(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#idlers.push(resolve))
  }

  /** By the names that figures have for the queues. */
  load(): Record<'queries' | 'long queries', QueueLoad> {
    return { queries: this.#quick.told, 'long queries': this.#long.told }
  }

  get #isIdle(): boolean {
    return this.#quick.isEmpty && this.#long.isEmpty
  }

  #isLong(shape: string): boolean {
    return [...this.#quick.running, ...this.#long.running].some((job) => job.isLate && job.shape === shape)
  }

  /** @param asked the mode; by default what suits the moment */
  async #attempt<T>(
    query: Query,
    queue: QueryQueue,
    asked: RunMode | undefined,
    task: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const job = await this.#enter(query, queue)
    const from = performance.now()
    const stopWatching = this.#watchSlot(job)
    const others = this.#quick.running.size + this.#long.running.size - 1
    const mode = asked ?? (others < FOREGROUND_MAX ? 'foreground' : 'background')
    try {
      const result = await task({ signal: AbortSignal.any([query.signal, job.stop.signal]), mode })
      job.queue.counts.addDone(performance.now() - from)
      return result
    } finally {
      stopWatching()
      job.queue.leave(job)
      if (job.queue.isEmpty) job.queue.counts.pause()
      this.#balance()
      if (this.#isIdle) for (const resolve of this.#idlers.splice(0)) resolve()
    }
  }

  /** Waits for a slot. */
  #enter(query: Query, queue: QueryQueue, isPlaceholder = false): Promise<Job> {
    query.signal.throwIfAborted()
    const from = performance.now()
    return new Promise((resolve, reject) => {
      const end = () => {
        unwatch()
        query.signal.removeEventListener('abort', leave)
      }
      const giveUp = (reason: unknown) => {
        job.queue.leave(job)
        end()
        reject(reason)
      }
      const leave = () => giveUp(query.signal.reason)
      const refuse = () => {
        job.queue.counts.addRefused()
        giveUp(refusal(job.queue, job.caller))
      }
      const begin = () => {
        job.queue.counts.addBegun(performance.now() - from)
        job.begunMs = performance.now()
        this.#begun.add(job.request ?? job)
        end()
        resolve(job)
      }
      const { sinceMs = from, waitMsMax = queue.bound.waitMsMax } = query
      const job: Job = {
        ...query,
        sinceMs,
        queue,
        isPlaceholder,
        begunMs: 0,
        begin,
        refuse,
        isLate: false,
        stop: new AbortController(),
      }
      const wait = { sinceMs: this.#begun.has(query.request ?? query) ? from : sinceMs, waitMsMax }
      const expectedMs = () => job.queue.expectedWaitMs(job)
      const unwatch = watchWait(wait, { expectedMs, refuse })
      query.signal.addEventListener('abort', leave, { once: true })
      queue.wait(job)
      this.#balance()
      refuseOverfull(job)
      // Who would be refused later is refused now.
      if (job.queue.waiting.has(job) && isTooLong(wait, expectedMs())) job.refuse()
    })
  }

  /**
   * Where the machine has so much to do that all take long, nobody is the reason why the others wait: so one is late where others are
   * done meanwhile, or after the longest time.
   * @returns what is to be called when it has its slot no more
   */
  #watchSlot(job: Job): () => void {
    const { done, serviceMs } = job.queue.counts
    const lateMsMax = this.#quickMsMax * LATE_TIMES
    const lateMs = Math.min(Math.max(this.#quickMsMax, serviceMs * LATE_TIMES), lateMsMax)
    const look = () => {
      if (job.queue.counts.done > done) this.#becomeLate(job)
      else timer = setTimeout(() => this.#becomeLate(job), lateMsMax - lateMs)
    }
    let timer = setTimeout(look, lateMs)
    return () => clearTimeout(timer)
  }

  #becomeLate(job: Job): void {
    job.isLate = true
    // Before those that are alike, whose work has not begun.
    if (job.queue === this.#quick && this.#long.hasSlotFor(job.caller)) this.#goOn(job)
    const alike = [...this.#quick.waiting].filter(({ shape }) => shape === job.shape)
    for (const one of alike) {
      this.#quick.leave(one)
      one.queue = this.#long
      this.#long.wait(one)
    }
    this.#balance()
    for (const one of alike) refuseOverfull(one)
  }

  /** Gives away what is free. To be called whenever somebody came, left, or has been in the quick queue for long. */
  #balance(): void {
    startWaiting(this.#long)
    for (const job of [...this.#quick.running]) if (job.isLate && this.#long.hasSlotFor(job.caller)) this.#goOn(job)
    startWaiting(this.#quick)
    const late = [...this.#quick.running].filter(({ isLate }) => isLate)
    // The slot of one that was stopped is free once the engine has ended it.
    const running = late.filter(({ stop }) => !stop.signal.aborted)
    const wanted = this.#quick.ready - (late.length - running.length)
    for (const { stop } of running.slice(0, Math.max(0, wanted))) stop.abort(new RunAgain('background'))
  }

  /** In the long queue, without a stop. */
  #goOn(job: Job): void {
    this.#quick.leave(job)
    job.queue = this.#long
    this.#long.start(job)
  }
}

function startWaiting(queue: QueryQueue): void {
  for (let job = queue.next(); job; job = queue.next()) {
    queue.start(job)
    job.begin()
  }
}

function refuseOverfull(job: Job): void {
  const { queue, caller } = job
  const { waitingMax, waitingPerCallerMax } = queue.bound
  const isOver = queue.waiting.size > waitingMax || queue.load(caller).waiting > waitingPerCallerMax
  if (queue.waiting.has(job) && isOver) job.refuse()
}

function refusal(queue: QueryQueue, caller: string): Error {
  const own = queue.load(caller)
  const isOwn = own.waiting > queue.bound.waitingPerCallerMax || queue.hasItsShare(caller)
  return isOwn ? overShare(queue.bound, own) : queueIsFull(queue.bound, queue.load())
}
