/**
 * Two gates for queries, so that nobody waits long because of somebody else's query. The duration of a query is not known before it has
 * run: a join of two small tables reads little and may take minutes. So every query begins at the quick gate, and one that takes longer
 * is late. If others wait for its slot, it continues with one of the long gate; if that has none for its caller, it is stopped, and runs
 * again when it is its turn there. The time at the quick gate bounds the cost of that. While a query is late, others with the same
 * statement run at the long gate only.
 * Deliberately not here: the engine.
 */
import { LONG_QUERIES, QUICK_MS_MAX, QUICK_QUERIES } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate, type GateLoad, type GateRequest, type Permit } from '@deployment-annotations/runtime/concurrency/gate'

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
interface Query extends Pick<GateRequest, 'waitMsMax'> {
  /** The caller whose share the slot is taken from. */
  caller: string
  /** The same for queries that are likely to take equally long: the statement, whose values are parameters. */
  shape: string
  signal: AbortSignal
}

/** A query that has a slot, of the quick gate at first. */
interface Running {
  readonly query: Query
  permit: Permit
  isQuick: boolean
  stop: AbortController
}

export class QueryGates {
  readonly #quick: Gate
  readonly #long: Gate
  readonly #quickMsMax: number
  /** Queries that have been running for longer than a query may at the quick gate. */
  readonly #late = new Set<Running>()

  /** @param quickMsMax how long a query may hold a slot of the quick gate while others wait for it */
  constructor(quick = QUICK_QUERIES, long = LONG_QUERIES, quickMsMax = QUICK_MS_MAX) {
    this.#quick = new Gate(quick, { onWait: () => this.#makeRoom() })
    this.#long = new Gate(long)
    this.#quickMsMax = quickMsMax
  }

  /**
   * @returns the result of `task`, which runs once or, in other modes, again
   * @throws ServiceError `rate_limited` or `overloaded` if too many wait, or the query has waited for too long; the signal's reason;
   *   whatever `task` rejects with
   */
  async run<T>(query: Query, task: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { shape, signal } = query
    const permit = await this.#quick.acquire(query)
    const running: Running = { query, permit, isQuick: true, stop: new AbortController() }
    const timer = setTimeout(() => {
      this.#late.add(running)
      this.#makeRoom()
    }, this.#quickMsMax)
    const others = this.#quick.load().running + this.#long.load().running - 1
    let mode: RunMode = others < FOREGROUND_MAX ? 'foreground' : 'background'
    try {
      if ([...this.#late].some((late) => late.query.shape === shape)) await this.#moveToLong(running)
      for (;;) {
        try {
          return await task({ signal: AbortSignal.any([signal, running.stop.signal]), mode })
        } catch (error) {
          if (!(error instanceof RunAgain)) throw error
          mode = error.mode
        }
        await this.#moveToLong(running)
      }
    } finally {
      clearTimeout(timer)
      this.#late.delete(running)
      running.permit.release()
    }
  }

  /** Resolves when no query is under way and none waits. */
  async idle(): Promise<void> {
    await this.#quick.idle()
    await this.#long.idle()
  }

  /** @returns the load of both gates, by the names that metrics have for them */
  load(): Record<'statements' | 'long-queries', GateLoad> {
    return { statements: this.#quick.load(), 'long-queries': this.#long.load() }
  }

  /** Waits for a slot of the long gate. */
  async #moveToLong(running: Running): Promise<void> {
    running.permit.release()
    running.isQuick = false
    running.stop = new AbortController()
    running.permit = await this.#long.acquire(running.query)
  }

  /** Takes a quick slot from a late query if others wait for one: the query goes on at the long gate, or is stopped until it may. */
  #makeRoom(): void {
    const late = [...this.#late].filter(({ isQuick }) => isQuick)
    const running = late.find(({ stop }) => !stop.signal.aborted)
    // The slot of a stopped query is free once the engine has ended it.
    const stopped = late.filter(({ stop }) => stop.signal.aborted).length
    if (!running || this.#quick.waiting.size <= stopped) return
    const { permit } = running
    const longPermit = this.#long.take(running.query.caller)
    if (!longPermit) {
      running.stop.abort(new RunAgain('background'))
      return
    }
    running.permit = longPermit
    running.isQuick = false
    permit.release()
  }
}
