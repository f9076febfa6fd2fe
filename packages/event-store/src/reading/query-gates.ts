/**
 * Two gates for queries, so that nobody waits long because of somebody else's query. The duration of a query is not known before it has
 * run: a join of two small tables reads little and may take minutes. So every query begins at the quick gate, and one that takes longer
 * is late: it continues at the long gate if that has a slot for its caller. If it has none, and others wait for the quick slot, the
 * query is stopped and restarted when it is its turn; the time at the quick gate bounds the cost of that. While a query is late, others
 * with the same statement skip the quick gate.
 * Deliberately not here: the engine.
 */
import { LONG_QUERIES, QUICK_MS_MAX, QUICK_QUERIES } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate, type GateBound, type GateLoad, type Permit } from '@deployment-annotations/runtime/concurrency/gate'

/**
 * How a query runs: a `background` query leaves processors to others, and a `spilling` one also writes intermediate data to the disk
 * early.
 */
export type RunMode = 'foreground' | 'background' | 'spilling'

/** A query runs in the background if more than this many others run. */
const FOREGROUND_MAX = 2

/** Ends an attempt early, so that the query runs again in another mode. */
export class RunAgain extends Error {
  readonly mode: RunMode

  constructor(mode: RunMode, options?: ErrorOptions) {
    super(`the query is to run again: ${mode}`, options)
    this.mode = mode
  }
}

/** One run of a query, which may reject with {@link RunAgain} to change the mode. */
export interface Attempt {
  /** Aborts if the query is no longer wanted, or only this attempt; then the reason is a {@link RunAgain}. */
  signal: AbortSignal
  mode: RunMode
}

/** A query that needs a slot. */
export interface Query {
  /** The caller whose share the slot is taken from. */
  caller: string
  /** The same for queries that are likely to take equally long: the statement, whose values are parameters. */
  shape: string
  signal: AbortSignal
  /** The longest wait in milliseconds, if it differs from that of the gate. */
  waitMsMax?: number | undefined
  /** When its request came, by the monotonic clock; now when absent. */
  sinceMs?: number | undefined
  /** Identifies its request: once one of its queries has had a slot, its earlier wait no longer refuses the others. */
  request?: object | undefined
}

/** The state of a query for the rule between the two gates. */
interface Running {
  shape: string
  /** Whether it has been running longer than a query may at the quick gate. */
  isLate: boolean
  stop: AbortController
}

type Job = Permit<Running>

/** Even on a busy machine, a query is late after this many times the average service time. */
const LATE_TIMES = 4

interface GatesOptions {
  quick: GateBound
  long: GateBound
  /** How long a query may hold a slot of the quick gate while others wait for it. */
  quickMsMax: number
}

export class QueryGates {
  readonly #quick: Gate<Running>
  readonly #long: Gate<Running>
  readonly #quickMsMax: number
  /** Requests of which some query has had a slot. */
  readonly #begun = new WeakSet<object>()

  constructor({ quick = QUICK_QUERIES, long = LONG_QUERIES, quickMsMax = QUICK_MS_MAX }: Partial<GatesOptions> = {}) {
    this.#quick = new Gate(quick, { onChange: () => this.#balance() })
    this.#long = new Gate(long, { onChange: () => this.#balance() })
    this.#quickMsMax = quickMsMax
  }

  /**
   * @returns the result of `task`, which runs once or, in other modes, again
   * @throws ServiceError `rate_limited` or `overloaded` if the query would wait too long; the signal's reason; whatever `task` rejects
   *   with
   */
  async run<T>(query: Query, task: (attempt: Attempt) => Promise<T>): Promise<T> {
    let gate = this.#isLong(query.shape) ? this.#long : this.#quick
    let mode: RunMode | undefined
    const request = query.request ?? query
    for (;;) {
      try {
        return await this.#attempt({ ...query, request }, gate, mode, task)
      } catch (error) {
        if (!(error instanceof RunAgain)) throw error
        gate = this.#long
        mode = error.mode
      }
    }
  }

  /**
   * Queues a request at the gate while `task` prepares its statements, so that it is refused as soon as a prepared one would be, and
   * later requests are behind it.
   * @returns the result of `task` @throws as {@link run}
   */
  async whileWaiting<T>(query: Omit<Query, 'shape'>, task: () => Promise<T>): Promise<T> {
    let giveUp = (_reason: unknown) => {}
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = reject
    })
    using _place = this.#quick.keepPlace(this.#requestOf({ ...query, shape: '' }, this.#quick), giveUp)
    return await Promise.race([givenUp, task()])
  }

  /** Resolves when no query is under way and none waits. */
  async idle(): Promise<void> {
    // A query may have moved from one gate to the other meanwhile.
    while (!this.#quick.isEmpty || !this.#long.isEmpty) {
      await this.#quick.idle()
      await this.#long.idle()
    }
  }

  /** @returns the load of both gates, by the names that metrics have for them */
  load(): Record<'queries' | 'long-queries', GateLoad> {
    return { queries: this.#quick.load(), 'long-queries': this.#long.load() }
  }

  #isLong(shape: string): boolean {
    return [...this.#quick.running, ...this.#long.running].some(({ data }) => data.isLate && data.shape === shape)
  }

  /** @param asked the mode; by default it depends on the load */
  async #attempt<T>(
    query: Query,
    gate: Gate<Running>,
    asked: RunMode | undefined,
    task: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const job = await this.#enter(query, gate)
    const stopWatching = this.#watchSlot(job)
    const others = this.#quick.running.size + this.#long.running.size - 1
    const mode = asked ?? (others < FOREGROUND_MAX ? 'foreground' : 'background')
    let isDone = false
    try {
      const result = await task({ signal: AbortSignal.any([query.signal, job.data.stop.signal]), mode })
      isDone = true
      return result
    } finally {
      stopWatching()
      job.release(isDone)
    }
  }

  /** Waits for a slot. */
  async #enter(query: Query, gate: Gate<Running>): Promise<Job> {
    const job = await gate.acquire(this.#requestOf(query, gate))
    this.#begun.add(query.request ?? query)
    return job
  }

  #requestOf(query: Query, gate: Gate<Running>) {
    const { caller, shape, signal, waitMsMax, sinceMs = performance.now(), request = query } = query
    const hasBegun = this.#begun.has(request)
    // Where slots are held for long, what has begun may have to be refused all the same.
    const isAccepted = hasBegun && gate === this.#quick
    const data = { shape, isLate: false, stop: new AbortController() }
    return { caller, sinceMs, signal, waitMsMax, hasBegun, isAccepted, data }
  }

  /**
   * Watches how long a query has its slot. On a machine that is so busy that all queries take long, no single query is the reason for
   * the waits, so a query is late only while others are done meanwhile, or after the longest time.
   * @returns a function to call when it no longer has its slot
   */
  #watchSlot(job: Job): () => void {
    const { done, serviceMs } = job.gate
    const lateMsMax = this.#quickMsMax * LATE_TIMES
    const lateMs = Math.min(Math.max(this.#quickMsMax, serviceMs * LATE_TIMES), lateMsMax)
    const check = () => {
      if (job.gate.done > done) this.#becomeLate(job)
      else timer = setTimeout(() => this.#becomeLate(job), lateMsMax - lateMs)
    }
    let timer = setTimeout(check, lateMs)
    return () => clearTimeout(timer)
  }

  #becomeLate(job: Job): void {
    job.data.isLate = true
    // It goes before similar queries, whose work has not begun.
    if (job.gate === this.#quick && this.#long.hasSlotFor(job.caller)) this.#quick.move(job, this.#long)
    const alike = [...this.#quick.waiting].filter(({ data }) => data.shape === job.data.shape)
    for (const one of alike) this.#quick.move(one, this.#long)
    this.#balance()
    for (const one of alike) this.#long.refuseOverfull(one)
  }

  /**
   * Applies the rule between the gates: late queries continue at the long gate, and are stopped if others wait for their quick slot.
   */
  #balance(): void {
    this.#long.grant()
    for (const job of [...this.#quick.running])
      if (job.data.isLate && this.#long.hasSlotFor(job.caller)) this.#quick.move(job, this.#long)
    this.#quick.grant()
    const late = [...this.#quick.running].filter(({ data }) => data.isLate)
    // The slot of a stopped query is free once the engine has ended it.
    const running = late.filter(({ data }) => !data.stop.signal.aborted)
    const wanted = this.#quick.ready - (late.length - running.length)
    for (const { data } of running.slice(0, Math.max(0, wanted))) data.stop.abort(new RunAgain('background'))
  }
}
