/**
 * Two gates for queries, so that nobody waits long for a query of somebody else. How long a query takes is not known before it has run: a
 * join of two small tables reads little and may take minutes. So all begin at the quick gate, and one that takes longer is late: it
 * goes on at the long gate when that has a slot for its caller. Where it has none, and others wait for the quick slot, the query is
 * stopped, and runs again from the start when it is its turn; what that costs is bounded by the time that a query has at the quick
 * gate. While one is late, others with the same statement are not tried at the quick gate.
 * Deliberately not here: the engine.
 */
import { LONG_QUERIES, QUICK_MS_MAX, QUICK_QUERIES } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate, type GateBound, type GateLoad, type Permit } from '@deployment-annotations/runtime/concurrency/gate'

/**
 * How a query runs: a `background` one leaves processors to others, and a `spilling` one also writes to the disk early what it would
 * hold in memory.
 */
export type RunMode = 'foreground' | 'background' | 'spilling'

/** Beside this many queries, another one runs in the background. */
const FOREGROUND_MAX = 2

/** Why an attempt ended before it was done: the query is to run again in another mode. */
export class RunAgain extends Error {
  readonly mode: RunMode

  constructor(mode: RunMode, options?: ErrorOptions) {
    super(`the query is to run again: ${mode}`, options)
    this.mode = mode
  }
}

/** One run of a query, which may reject with {@link RunAgain} for another mode. */
export interface Attempt {
  /** Aborts when the query is not wanted any more, or this attempt of it is not: the reason is then a {@link RunAgain}. */
  signal: AbortSignal
  mode: RunMode
}

/** A query that wants a slot. */
export interface Query {
  /** Whose share it takes a slot of. */
  caller: string
  /** The same for queries that are likely to take as long as each other: the statement, whose values are parameters. */
  shape: string
  signal: AbortSignal
  /** The longest wait in milliseconds, where it may wait longer than the gate says. */
  waitMsMax?: number | undefined
  /** When the request came that it belongs to, by the monotonic clock; now when absent. */
  sinceMs?: number | undefined
  /** That request: once one of its queries has had a slot, the others are not refused for what it had waited before. */
  request?: object | undefined
}

/** What the rule between the two gates knows of a query. */
interface Running {
  shape: string
  /** It has been running for longer than the quick gate is for. */
  isLate: boolean
  stop: AbortController
}

type Job = Permit<Running>

/** A query is late after this many times as long as others have their slots, even on a busy machine. */
const LATE_TIMES = 4

interface GatesOptions {
  quick: GateBound
  long: GateBound
  /** How long a query may have a slot of the quick gate while others wait for it. */
  quickMsMax: number
}

export class QueryGates {
  readonly #quick: Gate<Running>
  readonly #long: Gate<Running>
  readonly #quickMsMax: number
  /** Requests of which a query has had a slot. */
  readonly #begun = new WeakSet<object>()

  constructor({ quick = QUICK_QUERIES, long = LONG_QUERIES, quickMsMax = QUICK_MS_MAX }: Partial<GatesOptions> = {}) {
    this.#quick = new Gate(quick, () => this.#balance())
    this.#long = new Gate(long, () => this.#balance())
    this.#quickMsMax = quickMsMax
  }

  /**
   * @returns what `task` returns, which runs once or, in other modes, again
   * @throws ServiceError `rate_limited` or `overloaded` where the query would wait too long; the signal's reason; what `task` rejects with
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
   * Waits at the gate for a request whose statements are not known yet, while what comes before them is done: so it is refused as
   * soon as if it had none of that to do, and the requests that come later are behind it.
   * @returns what `task` returns @throws as {@link run}
   */
  async whileWaiting<T>(query: Omit<Query, 'shape'>, task: () => Promise<T>): Promise<T> {
    const done = new AbortController()
    const signal = AbortSignal.any([query.signal, done.signal])
    const waiting = this.#enter({ ...query, shape: '', signal }, this.#quick, true) as Promise<never>
    return await Promise.race([waiting, task()]).finally(() => done.abort())
  }

  /** Resolves when no query is under way and none waits. */
  async idle(): Promise<void> {
    // A query may have moved from the one to the other meanwhile.
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

  /** @param asked the mode; by default what suits the moment */
  async #attempt<T>(
    query: Query,
    gate: Gate<Running>,
    asked: RunMode | undefined,
    task: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const job = await this.#enter(query, gate, false)
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
  async #enter(query: Query, gate: Gate<Running>, isPlaceholder: boolean): Promise<Job> {
    const { caller, shape, signal, waitMsMax, request = query } = query
    const nowMs = performance.now()
    const { sinceMs = nowMs } = query
    const waitsSinceMs = this.#begun.has(request) ? nowMs : sinceMs
    const data = { shape, isLate: false, stop: new AbortController() }
    const job = await gate.acquire({ caller, sinceMs, waitsSinceMs, signal, waitMsMax, isPlaceholder, data })
    this.#begun.add(request)
    return job
  }

  /**
   * Where the machine has so much to do that all queries take long, nobody is the reason why the others wait: so one is late where
   * others are done meanwhile, or after the longest time.
   * @returns a function to call when it has its slot no more
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
    // Before those that are alike, whose work has not begun.
    if (job.gate === this.#quick && this.#long.hasSlotFor(job.caller)) this.#quick.move(job, this.#long)
    const alike = [...this.#quick.waiting].filter(({ data }) => data.shape === job.data.shape)
    for (const one of alike) this.#quick.move(one, this.#long)
    this.#balance()
    for (const one of alike) this.#long.refuseOverfull(one)
  }

  /** The rule between the gates: late queries go on at the long one, and make room at the quick one where others wait for it. */
  #balance(): void {
    this.#long.grant()
    for (const job of [...this.#quick.running])
      if (job.data.isLate && this.#long.hasSlotFor(job.caller)) this.#quick.move(job, this.#long)
    this.#quick.grant()
    const late = [...this.#quick.running].filter(({ data }) => data.isLate)
    // The slot of one that was stopped is free once the engine has ended it.
    const running = late.filter(({ data }) => !data.stop.signal.aborted)
    const wanted = this.#quick.ready - (late.length - running.length)
    for (const { data } of running.slice(0, Math.max(0, wanted))) data.stop.abort(new RunAgain('background'))
  }
}
