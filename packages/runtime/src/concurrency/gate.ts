/**
 * The one way to wait in this process. A gate gives a bounded number of slots to requests; the others wait in its queue. Slots are
 * shared between callers, not between requests. A request is refused at once if too many wait, within its first second if it would wait for
 * more than half of its time, as fast as the queue moves, and otherwise at its deadline. A semaphore is a gate whose requests have one caller.
 * Deliberately not here: how large each gate is (bounds.ts), turns of the event loop (turns.ts), and running anything.
 */
import assert from 'node:assert'
import { refuseForNow, type ServiceError } from '../errors.ts'

/** How many requests a gate admits at a time, how many may wait, and for how long. */
export interface GateBound {
  /** What the requests are, for messages: `queries`. */
  readonly what: string
  readonly slots: number
  /** The maximum of slots of one caller, however many are free. If absent, callers have no shares. */
  readonly slotsPerCaller?: number
  /** How many requests may wait; the next one is refused. */
  readonly waitingMax: number
  /** How many requests of one caller may wait; any number when absent. */
  readonly waitingPerCallerMax?: number
  /** How long a request may wait in milliseconds; without limit if absent. */
  readonly waitMsMax?: number
  /** After how many seconds a refused request should be sent again; 1 when absent. */
  readonly retryAfterS?: number
  /** What a refused caller may do instead, for messages: `or send it in parts`. */
  readonly instead?: string
}

/** A request for a slot. */
export interface GateRequest {
  /** The caller whose share the slot counts toward; all requests without a caller share one. */
  caller?: string
  /** When the request came, by the monotonic clock in milliseconds; now when absent. Requests of one caller are served in this order. */
  sinceMs?: number | undefined
  /** Ends the wait. */
  signal?: AbortSignal | undefined
  /** The longest wait of this request in milliseconds, instead of the gate's. */
  waitMsMax?: number | undefined
  /** Whether it is a part of a request that has begun; then it is never refused. */
  isPatient?: boolean
}

/** A slot of a gate, held until it is released. */
export interface Permit extends Disposable {
  /** 0 to slots - 1; unique among the permits of the gate. */
  readonly index: number
  /** Gives the slot to the next request; may be called again. */
  release(): void
}

/** The present content of a gate, and its counts since the start. */
export interface GateLoad {
  running: number
  waiting: number
  /** Requests that were given a slot. */
  started: number
  /** How long all of these waited, in milliseconds. */
  waitedMs: number
  refused: number
}

interface Waiting {
  readonly caller: string
  readonly sinceMs: number
  readonly begin: (permit: Permit) => void
}

interface Caller {
  running: number
  /** Sorted by the arrival of their requests. */
  readonly waiting: Waiting[]
  /** How many slots had been given, to all callers, when it was given one last. */
  servedAt: number
}

/** When it is judged whether a request would wait for too long, in milliseconds after it came: a refusal is quick within a second. */
const JUDGED_MS = [300, 600]
/** For how long a queue has to be seen before its pace is known, and after which time only what came later counts. */
const PACE_MS = { min: 250, max: 600 }
/** The pace is taken to be as if this many more had begun: none that began in so short a time says little. */
const BEGUN_MORE = 2

export class Gate {
  readonly bound: GateBound
  /** The gate whose requests begin first; see {@link takeTurn}. */
  readonly givesWayTo: Pick<Gate, 'waiting'> | undefined
  readonly #onWait: () => void
  readonly #waiting = new Set<Waiting>()
  /** Requests that wait, in the order in which they came here. */
  readonly waiting: ReadonlySet<Pick<Waiting, 'sinceMs'>> = this.#waiting
  /** Callers with a request that runs or waits, so that an arriving request need not search all waiting ones. */
  readonly #callers = new Map<string, Caller>()
  readonly #free: number[]
  readonly #idlers: (() => void)[] = []
  readonly #counts = { started: 0, waitedMs: 0, refused: 0 }
  /** When the pace of the queue was seen, and how many had begun: the time before the last, and the last. */
  #seen: readonly { ms: number; started: number }[] = []

  /** @param more.onWait called after a request came and has to wait */
  constructor(bound: GateBound, more: { onWait?: () => void; givesWayTo?: Pick<Gate, 'waiting'> } = {}) {
    this.bound = bound
    this.givesWayTo = more.givesWayTo
    this.#onWait = more.onWait ?? (() => undefined)
    this.#free = Array.from({ length: bound.slots }, (_, index) => index)
  }

  /**
   * Resolves when the request has a slot. A free slot goes to the caller with the fewest slots; among several, to the one that was
   * served longest ago; and to its earliest request.
   * @throws ServiceError `overloaded` or `rate_limited` if too many wait, or it has waited for too long; the signal's reason
   */
  async acquire(request: GateRequest = {}): Promise<Permit> {
    request.signal?.throwIfAborted()
    return this.take(request.caller ?? '') ?? (await this.#wait(request))
  }

  #wait({ caller = '', sinceMs = performance.now(), signal, isPatient = false, ...own }: GateRequest): Promise<Permit> {
    const { waitMsMax = this.bound.waitMsMax } = own
    return new Promise((resolve, reject) => {
      const joinedMs = performance.now()
      const end = () => {
        for (const timer of timers) clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.#leave(waiting)
      }
      const begin = (permit: Permit) => {
        end()
        this.#counts.waitedMs += performance.now() - joinedMs
        resolve(permit)
      }
      const giveUp = (reason: unknown) => {
        end()
        reject(reason)
      }
      const refuse = () => giveUp(this.#refusal(caller))
      const onAbort = () => giveUp(signal?.reason)
      const waiting = { caller, sinceMs, begin }
      const timers: NodeJS.Timeout[] = []
      const judge = () => this.#isTooSlow(waiting, waitMsMax) && refuse()
      if (waitMsMax !== undefined && !isPatient) {
        const deadlines = [...JUDGED_MS.map((ms) => [judge, ms] as const), [refuse, waitMsMax] as const]
        for (const [end, ms] of deadlines) timers.push(setTimeout(end, Math.max(0, sinceMs + ms - joinedMs)))
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#enqueue(waiting)
      if (!isPatient && (this.#isOverfull(caller) || this.#isTooSlow(waiting, waitMsMax))) refuse()
      else this.#onWait()
    })
  }

  /** Runs `task` with a slot. @throws as {@link acquire}; whatever `task` rejects with */
  async run<T>(task: () => Promise<T>, request?: GateRequest): Promise<T> {
    using _permit = await this.acquire(request)
    return await task()
  }

  /** @throws ServiceError as {@link acquire}, if a request that came now would find too many waiting */
  requireRoom(): void {
    if (this.#waiting.size >= this.bound.waitingMax) throw this.#refusal('')
  }

  /** Resolves when no request has a slot or waits for one. */
  async idle(): Promise<void> {
    if (this.#callers.size > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve))
  }

  load(): GateLoad {
    return { running: this.bound.slots - this.#free.length, waiting: this.#waiting.size, ...this.#counts }
  }

  /** @returns a slot that is free for the caller now, which is so only if none of its requests wait */
  take(caller: string): Permit | undefined {
    return this.#hasSlotFor(caller) ? this.#start(caller) : undefined
  }

  #hasSlotFor(caller: string): boolean {
    const { slots, slotsPerCaller = slots } = this.bound
    return this.#free.length > 0 && this.#stateOf(caller).running < slotsPerCaller
  }

  #start(name: string): Permit {
    const caller = this.#remember(name)
    const index = this.#free.shift()
    assert(index !== undefined, 'a request begins where a slot is free')
    caller.running++
    caller.servedAt = ++this.#counts.started
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      caller.running--
      this.#free.push(index)
      this.#forget(name, caller)
      this.#grant()
    }
    return { index, release, [Symbol.dispose]: release }
  }

  /** @returns whether it would wait for more than half of the time, because a queue can become slower */
  #isTooSlow(one: Waiting, waitMsMax = Number.POSITIVE_INFINITY): boolean {
    const now = { ms: performance.now(), started: this.#counts.started }
    const [before = now, last = now] = this.#seen
    if (last === now || now.ms - last.ms > PACE_MS.max) this.#seen = [last, now]
    const tookMs = now.ms - before.ms
    return tookMs >= PACE_MS.min && (tookMs * this.#aheadOf(one)) / (now.started - before.started + BEGUN_MORE) > waitMsMax / 2
  }

  #enqueue(one: Waiting): void {
    if (this.#waiting.size === 0) this.#seen = []
    this.#waiting.add(one)
    const { waiting } = this.#remember(one.caller)
    waiting.splice(waiting.findLastIndex(({ sinceMs }) => sinceMs <= one.sinceMs) + 1, 0, one)
  }

  /** Removes a request that waits. */
  #leave(one: Waiting): void {
    const caller = this.#stateOf(one.caller)
    const at = caller.waiting.indexOf(one)
    assert(at !== -1, 'a request leaves the queue once')
    caller.waiting.splice(at, 1)
    this.#waiting.delete(one)
    this.#forget(one.caller, caller)
  }

  /** Gives free slots to the requests that wait. */
  #grant(): void {
    for (let next = this.#next(); next; next = this.#next()) next.begin(this.#start(next.caller))
  }

  /** @returns how many are given a slot before a request that waits: each other caller gets one between two of its caller's */
  #aheadOf(one: Waiting): number {
    const own = this.#stateOf(one.caller).waiting.indexOf(one)
    return Math.min(this.#waiting.size, (own + 1) * this.#callers.size) - 1
  }

  /** @returns the request that gets the next slot, if there is a slot for it */
  #next(): Waiting | undefined {
    if (this.#waiting.size === 0 || this.#free.length === 0) return undefined
    let best: Caller | undefined
    for (const [name, caller] of this.#callers) {
      if (caller.waiting.length === 0 || !this.#hasSlotFor(name)) continue
      const order = best ? caller.running - best.running || caller.servedAt - best.servedAt : -1
      if (order < 0) best = caller
    }
    return best?.waiting[0]
  }

  #isOverfull(caller: string): boolean {
    const { waitingMax, waitingPerCallerMax = waitingMax } = this.bound
    return this.#waiting.size > waitingMax || this.#stateOf(caller).waiting.length > waitingPerCallerMax
  }

  /** Counts a refusal. @returns the error for the caller */
  #refusal(caller: string): ServiceError {
    this.#counts.refused++
    const { what, waitingPerCallerMax = Number.POSITIVE_INFINITY } = this.bound
    const own = this.#stateOf(caller)
    const { running, waiting } = this.load()
    return own.waiting.length > waitingPerCallerMax || this.#hasItsShare(caller)
      ? refuseForNow('rate_limited', `${own.running} of its ${what} run and ${own.waiting.length} more wait`, this.bound)
      : refuseForNow('overloaded', `${running} ${what} run and ${waiting} more wait`, this.bound)
  }

  /** Whether the caller has its full share, so that others are not the reason why it waits. */
  #hasItsShare(caller: string): boolean {
    const { slots, slotsPerCaller } = this.bound
    if (slotsPerCaller === undefined) return false
    const callers = new Set(this.#callers.keys()).add(caller)
    const share = Math.max(1, Math.floor(slots / callers.size))
    return this.#stateOf(caller).running >= Math.min(share, slotsPerCaller)
  }

  /** @returns what a caller has; it may have nothing here, and is not remembered then */
  #stateOf(name: string): Caller {
    return this.#callers.get(name) ?? { running: 0, waiting: [], servedAt: 0 }
  }

  #remember(name: string): Caller {
    const caller = this.#stateOf(name)
    this.#callers.set(name, caller)
    return caller
  }

  #forget(name: string, { running, waiting }: Caller): void {
    if (running + waiting.length === 0) this.#callers.delete(name)
    if (this.#callers.size === 0) for (const resolve of this.#idlers.splice(0)) resolve()
  }
}
