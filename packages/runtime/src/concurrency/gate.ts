/**
 * The one way to wait in this process. A gate gives a bounded number of slots to requests; the others wait in its queue. Slots are
 * shared between callers, not between requests, and a request that would wait too long is refused as soon as that is known. A semaphore
 * is a gate whose requests have one caller. A gate with one slot that is released in the next turn of the event loop makes its requests
 * take turns. The file is longer than 300 lines because the queue, the shares and the rule of refusal decide together. Deliberately not
 * here: how large each gate is (bounds.ts), and running anything.
 */
import assert from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
  /** How long a request may be expected to wait in its first second, in milliseconds; about half of `waitMsMax` when absent. */
  readonly expectedMsMax?: number
  /** After how many seconds a refused request should be sent again; 1 when absent. */
  readonly retryAfterS?: number
  /** What a refused caller may do instead, for messages: `or send it in parts`. */
  readonly instead?: string
}

/** A request for a slot. */
interface GateRequest<Data> {
  /** The caller whose share the slot counts toward; all requests without a caller share one. */
  caller?: string
  /** When the request came, by the monotonic clock in milliseconds; now when absent. Requests of one caller are served in this order. */
  sinceMs?: number
  /** Whether an earlier part of the same request had a slot; then its wait begins now. */
  hasBegun?: boolean
  /** Whether it is refused only after the longest wait, whatever the estimate. */
  isAccepted?: boolean
  /** Ends the wait. */
  signal?: AbortSignal | undefined
  /** The longest wait of this request in milliseconds, instead of the gate's. */
  waitMsMax?: number | undefined
  /** Whether it is a part of a request that has begun; then it is never refused. */
  isPatient?: boolean
  /** Data that its owner needs while it waits or has a slot. */
  data?: Data
}

/** A slot of a gate, held until it is released. */
export type Permit<Data = undefined> = Disposable &
  Readonly<Pick<Ticket<Data>, 'index' | 'caller' | 'data' | 'sinceMs' | 'startedMs' | 'gate' | 'release'>>

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

interface Caller<Data> {
  running: number
  /** Sorted by the arrival of their requests. */
  readonly waiting: Ticket<Data>[]
  /** The number of the grant that it was given last, counted over all callers. */
  servedAt: number
}

/** The weight of the newest request in the average service time, so that about the last five count. */
const NEWEST_WEIGHT = 0.2
/**
 * Until one request is done, the service time is estimated as the age of the oldest, divided by this: a first request is slow, because
 * nothing is prepared yet.
 */
const FIRST_TIMES = 5

export class Gate<Data = undefined> {
  readonly bound: GateBound
  /** The gate whose requests begin first; see {@link takeTurn}. */
  readonly givesWayTo: Pick<Gate, 'waiting'> | undefined
  readonly #slotsPerCaller: number
  readonly #onChange: (() => void) | undefined
  readonly #running = new Set<Ticket<Data>>()
  readonly #waiting = new Set<Ticket<Data>>()
  /** Requests that have a slot. */
  readonly running: ReadonlySet<Permit<Data>> = this.#running
  /** Requests that wait, in order of arrival. */
  readonly waiting: ReadonlySet<Permit<Data>> = this.#waiting
  /** Callers with a request that runs or waits, so that an arriving request need not search all waiting ones. */
  readonly #callers = new Map<string, Caller<Data>>()
  readonly #free: number[]
  readonly #idlers: (() => void)[] = []
  readonly #counts = { started: 0, waitedMs: 0, refused: 0 }
  readonly #pace = new Pace()
  #granted = 0
  #done = 0
  #serviceMs = 0

  /** @param more.onChange called after a request came and has to wait, or a slot was released */
  constructor(bound: GateBound, { onChange, givesWayTo }: { onChange?: () => void; givesWayTo?: Pick<Gate, 'waiting'> } = {}) {
    this.bound = bound
    this.givesWayTo = givesWayTo
    this.#slotsPerCaller = bound.slotsPerCaller ?? bound.slots
    this.#onChange = onChange
    this.#free = Array.from({ length: bound.slots }, (_, index) => index)
  }

  get isEmpty(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0
  }

  /** How many requests were done since the start. */
  get done(): number {
    return this.#done
  }

  /** The average time that a request holds its slot, in milliseconds; 0 while nothing is known. */
  get serviceMs(): number {
    return this.#serviceMs
  }

  /** How many waiting requests could have a slot now. */
  get ready(): number {
    return [...this.#waiting].filter(isReady).length
  }

  /**
   * Resolves when the request has a slot. A free slot goes to the caller with the fewest slots; among several, to the one that was
   * served longest ago; and to its earliest request.
   * @throws ServiceError `overloaded` or `rate_limited` if too many wait, or the wait would be too long; the signal's reason
   */
  async acquire(request: GateRequest<Data> = {}): Promise<Permit<Data>> {
    request.signal?.throwIfAborted()
    const ticket = new Ticket(this, request, false)
    // Most requests find a free slot, and need no timers.
    if (this.#waiting.size === 0 && this.hasSlotFor(ticket.caller)) {
      this.start(ticket)
      this.#counts.started++
      return ticket
    }
    return new Promise((resolve, reject) => this.#enqueue(ticket, request, { begin: () => resolve(ticket), giveUp: reject }))
  }

  /**
   * Keeps a place in the queue for a request while it is prepared, until the returned value is disposed of. It never gets a slot.
   * @param giveUp called with the error if it is refused later, or with the signal's reason
   * @throws ServiceError as {@link acquire}, if it is refused at once, so that nothing needs to be prepared
   */
  keepPlace(request: GateRequest<Data>, giveUp: (reason: unknown) => void): Disposable {
    request.signal?.throwIfAborted()
    const ticket = new Ticket(this, request, true)
    return { [Symbol.dispose]: this.#enqueue(ticket, request, { begin: () => undefined, giveUp }) }
  }

  /** @returns a function that ends the wait, if it has not ended @throws ServiceError if the request is refused at once */
  #enqueue(
    ticket: Ticket<Data>,
    { signal, isPatient }: GateRequest<Data>,
    { begin, giveUp }: { begin: () => void; giveUp: (reason: unknown) => void },
  ): () => void {
    const expectedMs = () => ticket.gate.expectedMs(ticket)
    const stopWatching = isPatient ? undefined : watchWait(ticket.wait, expectedMs, () => ticket.refuse())
    const end = () => {
      stopWatching?.()
      signal?.removeEventListener('abort', onAbort)
    }
    const leave = () => {
      end()
      if (ticket.gate.waiting.has(ticket)) ticket.gate.leave(ticket)
    }
    const onAbort = () => {
      leave()
      giveUp(signal?.reason)
    }
    ticket.begin = () => {
      end()
      begin()
    }
    ticket.refuse = () => {
      end()
      giveUp(ticket.gate.refuse(ticket))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.wait(ticket)
    this.grant()
    this.#onChange?.()
    if (isPatient || !ticket.gate.waiting.has(ticket) || !ticket.gate.isHopeless(ticket)) return leave
    end()
    throw ticket.gate.refuse(ticket)
  }

  /** Runs `task` with a slot. @throws as {@link acquire}; whatever `task` rejects with */
  async run<T>(task: () => Promise<T>, request?: GateRequest<Data>): Promise<T> {
    using _permit = await this.acquire(request)
    return await task()
  }

  /** @throws ServiceError as {@link acquire}, if a request that came now would find too many waiting */
  requireRoom(): void {
    if (this.#waiting.size >= this.bound.waitingMax) throw this.#refusal('')
  }

  /** Resolves when no request has a slot or waits for one. */
  async idle(): Promise<void> {
    if (!this.isEmpty) await new Promise<void>((resolve) => this.#idlers.push(resolve))
  }

  load(): GateLoad {
    return { running: this.#running.size, waiting: this.#waiting.size, ...this.#counts }
  }

  hasSlotFor(caller: string): boolean {
    return this.#running.size < this.bound.slots && (this.#callers.get(caller)?.running ?? 0) < this.#slotsPerCaller
  }

  /** Moves a request to another gate, where it waits or has a slot as it did here. The caller has made sure that a slot is free. */
  move(permit: Permit<Data>, to: Gate<Data>): void {
    const ticket = permit as Ticket<Data>
    const isRunning = this.#running.has(ticket)
    this.leave(ticket)
    ticket.gate = to
    if (isRunning) to.start(ticket)
    else to.wait(ticket)
  }

  /** Refuses a request that waits here after a move, if too many wait. */
  refuseOverfull(permit: Permit<Data>): void {
    const ticket = permit as Ticket<Data>
    if (this.#waiting.has(ticket) && this.isOverfull(ticket)) ticket.refuse()
  }

  /** Gives free slots to the requests that wait. */
  grant(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      if (!next.hasBegun) this.#pace.count()
      this.leave(next)
      this.start(next)
      this.#counts.started++
      this.#counts.waitedMs += performance.now() - next.enteredMs
      next.begin()
    }
  }

  /** Gives a slot to a ticket. Only tickets call it, and the next five methods. */
  start(ticket: Ticket<Data>): void {
    const caller = this.#callerOf(ticket)
    ticket.index = this.#free.shift() ?? -1
    ticket.startedMs ||= performance.now()
    this.#running.add(ticket)
    caller.running++
    caller.servedAt = ++this.#granted
  }

  /** Puts a ticket into the queue. */
  wait(ticket: Ticket<Data>): void {
    this.#pace.begin()
    this.#waiting.add(ticket)
    const { waiting } = this.#callerOf(ticket)
    waiting.splice(waiting.findLastIndex(({ sinceMs }) => sinceMs <= ticket.sinceMs) + 1, 0, ticket)
  }

  /** Removes a ticket that has a slot or waits. */
  leave(ticket: Ticket<Data>): void {
    const caller = this.#callerOf(ticket)
    if (this.#running.delete(ticket)) {
      caller.running--
      if (ticket.index >= 0) this.#free.push(ticket.index)
    } else {
      this.#waiting.delete(ticket)
      const at = caller.waiting.indexOf(ticket)
      assert(at !== -1, 'a request that leaves a gate has a slot or waits')
      caller.waiting.splice(at, 1)
    }
    if (caller.running + caller.waiting.length === 0) this.#callers.delete(ticket.caller)
    if (this.#waiting.size === 0) this.#pace.end()
  }

  /** Records that a ticket has released its slot. */
  end(ticket: Ticket<Data>, isDone: boolean): void {
    this.leave(ticket)
    if (isDone) {
      this.#done++
      const ms = performance.now() - ticket.startedMs
      this.#serviceMs += (ms - this.#serviceMs) * (this.#serviceMs === 0 ? 1 : NEWEST_WEIGHT)
    }
    if (this.#waiting.size > 0) this.grant()
    // The service time from before a pause says nothing about the time after it.
    else if (this.#running.size === 0) this.#serviceMs = 0
    this.#onChange?.()
    if (this.#idlers.length > 0 && this.isEmpty) for (const resolve of this.#idlers.splice(0)) resolve()
  }

  /** Refuses a ticket. @returns the error for its caller */
  refuse(ticket: Ticket<Data>): ServiceError {
    const refusal = this.#refusal(ticket.caller)
    this.leave(ticket)
    return refusal
  }

  /** Whether a waiting ticket would be refused later, so that refusing it now is better. */
  isHopeless(ticket: Ticket<Data>): boolean {
    // If any wait is allowed, finding the request's place among thousands is skipped.
    const isBounded = ticket.wait.waitMsMax < Number.POSITIVE_INFINITY
    return this.isOverfull(ticket) || (isBounded && isTooLong(ticket.wait, this.expectedMs(ticket)))
  }

  isOverfull({ caller }: Permit<Data>): boolean {
    const { waitingMax, waitingPerCallerMax = waitingMax } = this.bound
    return this.#waiting.size > waitingMax || this.#waitingOf(caller) > waitingPerCallerMax
  }

  /** How much longer a waiting request is expected to wait, in milliseconds. */
  expectedMs(permit: Permit<Data>): number {
    const ticket = permit as Ticket<Data>
    const own = this.#callers.get(ticket.caller)?.waiting.indexOf(ticket) ?? -1
    // Each other caller gets a slot between two requests of this one.
    const ahead = Math.min(this.#waiting.size - 1, (own + 1) * this.#callers.size - 1)
    // A request that keeps a place may find free slots, for which it does not wait.
    const free = this.hasSlotFor(ticket.caller) ? this.bound.slots - this.#running.size : 0
    const places = Math.max(0, ahead + 1 - free)
    return places * Math.max(this.#expectedServiceMs() / this.bound.slots, this.#pace.msEach)
  }

  /** Until one request is done, only the time of the oldest is known. */
  #expectedServiceMs(): number {
    if (this.#serviceMs > 0 || this.#running.size === 0) return this.#serviceMs
    const oldestMs = Math.min(...[...this.#running].map(({ startedMs }) => startedMs))
    return (performance.now() - oldestMs) / FIRST_TIMES
  }

  /** @returns the request that gets the next slot, if there is a slot for it */
  #next(): Ticket<Data> | undefined {
    if (this.#waiting.size === 0 || this.#running.size >= this.bound.slots) return undefined
    let best: { ticket: Ticket<Data>; running: number; servedAt: number } | undefined
    for (const { running, waiting, servedAt } of this.#callers.values()) {
      const ticket = waiting.find(isReady)
      const isBetter = !best || running < best.running || (running === best.running && servedAt < best.servedAt)
      if (ticket && running < this.#slotsPerCaller && isBetter) best = { ticket, running, servedAt }
    }
    return best?.ticket
  }

  /** Counts a refusal. @returns the error for the caller */
  #refusal(caller: string): ServiceError {
    this.#counts.refused++
    const { what, waitingPerCallerMax = Number.POSITIVE_INFINITY } = this.bound
    const { running = 0 } = this.#callers.get(caller) ?? {}
    const waiting = this.#waitingOf(caller)
    return waiting > waitingPerCallerMax || this.#hasItsShare(caller)
      ? refuseForNow('rate_limited', `${running} of its ${what} run and ${waiting} more wait`, this.bound)
      : refuseForNow('overloaded', `${this.#running.size} ${what} run and ${this.#waiting.size} more wait`, this.bound)
  }

  /** Whether the caller has its full share, so that others are not the reason why it waits. */
  #hasItsShare(caller: string): boolean {
    const { slots, slotsPerCaller } = this.bound
    if (slotsPerCaller === undefined) return false
    const callers = new Set(this.#callers.keys()).add(caller)
    const share = Math.max(1, Math.floor(slots / callers.size))
    return (this.#callers.get(caller)?.running ?? 0) >= Math.min(share, this.#slotsPerCaller)
  }

  #waitingOf(caller: string): number {
    return this.#callers.get(caller)?.waiting.length ?? 0
  }

  #callerOf({ caller }: Ticket<Data>): Caller<Data> {
    const known = this.#callers.get(caller) ?? { running: 0, waiting: [], servedAt: 0 }
    this.#callers.set(caller, known)
    return known
  }
}

/** The half-life of the measured pace, in milliseconds. */
const PACE_MS = 2_000
/** A few late requests say little, so the pace is first assumed to be as if this many more had begun. */
const PACE_REQUESTS_MIN = 6

/**
 * Measures how many requests leave the queue per second. The time that requests hold their slots is no substitute: sometimes the event
 * loop or the disk is the bottleneck.
 */
class Pace {
  #requests = 0
  #ms = 0
  #fromMs: number | undefined

  begin(): void {
    this.#fromMs ??= performance.now()
  }

  end(): void {
    this.#fromMs = undefined
    this.#requests = 0
    this.#ms = 0
  }

  /** Counts a request that left the queue. */
  count(): void {
    this.#requests++
  }

  /** How many milliseconds pass from one request that leaves the queue to the next. */
  get msEach(): number {
    if (this.#fromMs === undefined) return 0
    const nowMs = performance.now()
    this.#ms += nowMs - this.#fromMs
    this.#fromMs = nowMs
    if (this.#ms > PACE_MS) {
      this.#ms /= 2
      this.#requests /= 2
    }
    return this.#ms / (this.#requests + PACE_REQUESTS_MIN)
  }
}

/** A request from its arrival until its slot is released. */
class Ticket<Data> {
  readonly caller: string
  /** When the request came, by the monotonic clock in milliseconds. */
  readonly sinceMs: number
  readonly enteredMs = performance.now()
  readonly isPlaceholder: boolean
  readonly hasBegun: boolean
  readonly wait: Wait
  readonly data: Data
  /** The gate whose slot it has, or in whose queue it waits; another one after a move. */
  gate: Gate<Data>
  /** 0 to slots - 1; unique among the permits of the gate. */
  index = -1
  /** When it was given its slot, by the monotonic clock in milliseconds. */
  startedMs = 0
  /** Called when it is given a slot, and when it is refused. */
  begin = () => {}
  refuse = () => {}
  #isReleased = false

  constructor(gate: Gate<Data>, request: GateRequest<Data>, isPlaceholder: boolean) {
    const { bound } = gate
    const { waitMsMax, hasBegun = false, isAccepted } = request
    this.gate = gate
    this.caller = request.caller ?? ''
    this.sinceMs = request.sinceMs ?? this.enteredMs
    this.isPlaceholder = isPlaceholder
    this.hasBegun = hasBegun
    this.wait = {
      sinceMs: hasBegun ? this.enteredMs : this.sinceMs,
      waitMsMax: waitMsMax ?? bound.waitMsMax ?? Number.POSITIVE_INFINITY,
      expectedMsMax: isAccepted ? Number.POSITIVE_INFINITY : waitMsMax === undefined ? bound.expectedMsMax : undefined,
    }
    this.data = request.data as Data
  }

  /**
   * Gives the slot to the next request; may be called again.
   * @param isDone false if its duration says nothing about other requests
   */
  release(isDone = true): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.gate.end(this, isDone)
  }

  [Symbol.dispose](): void {
    this.release()
  }
}

const isReady = ({ isPlaceholder }: { isPlaceholder: boolean }) => !isPlaceholder

export interface Wait {
  /** When the waiting request came, by the monotonic clock. */
  sinceMs: number
  waitMsMax: number
  /** How long it may be expected to wait in its first second; a part of `waitMsMax` when absent. */
  expectedMsMax?: number | undefined
  /** When it is estimated again, in milliseconds after it came, instead of {@link JUDGED_AFTER_MS}. */
  judgedAfterMs?: readonly number[]
}

/**
 * The times after its beginning at which a wait is estimated again, in milliseconds. A refusal is quick if it comes within a second, of
 * which the connection takes a part.
 */
const JUDGED_AFTER_MS = [250, 450, 600] as const
/** An estimate is at least this late, in milliseconds, because nothing is known at first about a queue that was empty. */
const JUDGED_AFTER_MS_MIN = 150
/** The part of the longest wait that may be expected within the first second. It is about half because a queue can become slower. */
const EXPECTED_PART = 0.52
/** After this time, in milliseconds, a refusal would come too late, so a request that still waits is accepted. */
const ACCEPTED_AFTER_MS = 650

/**
 * Decides when a wait is too long. A refused request should learn it within a second, and an accepted one should be answered while its
 * answer is still wanted. So the wait is estimated from the speed of the queue, at the beginning and at the times of {@link
 * JUDGED_AFTER_MS}. After that the request is accepted, and refused only when the longest wait is over.
 * @param expectedMs how much longer it is expected to wait
 */
export function isTooLong(wait: Wait, expectedMs: number, nowMs = performance.now()): boolean {
  const { sinceMs, waitMsMax, expectedMsMax = waitMsMax * EXPECTED_PART } = wait
  const waitedMs = nowMs - sinceMs
  return waitedMs < ACCEPTED_AFTER_MS ? waitedMs + expectedMs > expectedMsMax : waitedMs >= waitMsMax
}

/** @returns a function to call when the wait has ended otherwise */
export function watchWait(wait: Wait, expectedMs: () => number, refuse: () => void): () => void {
  if (wait.waitMsMax === Number.POSITIVE_INFINITY) return () => {}
  const waitedMs = performance.now() - wait.sinceMs
  const judge = () => {
    if (isTooLong(wait, expectedMs())) refuse()
  }
  const { judgedAfterMs = JUDGED_AFTER_MS } = wait
  const timers = judgedAfterMs.map((ms) => setTimeout(judge, Math.max(JUDGED_AFTER_MS_MIN, ms - waitedMs)))
  timers.push(setTimeout(refuse, Math.max(0, wait.waitMsMax - waitedMs)))
  return () => timers.forEach(clearTimeout)
}

/** How many turns in a row go to the requests of another gate: half a second of a crowd. */
const GIVES_WAY_TURNS_MAX = 25

/**
 * Waits for a turn of the event loop at a gate whose slots are turns, so that work that blocks the loop for some milliseconds does not
 * run a hundred times in a row, and quick requests are answered in between. A gate that gives way to another leaves turns to it while
 * requests wait there, so that refusals of a crowd come in time.
 * @throws ServiceError as `acquire` does
 */
export async function takeTurn(gate: Gate, request?: GateRequest<undefined>): Promise<void> {
  const permit = await gate.acquire(request)
  let turns = 0
  const end = () => {
    const isLeft = gate.givesWayTo && gate.givesWayTo.waiting.size > 0 && turns < GIVES_WAY_TURNS_MAX
    // A turn that was left to others says nothing about the length of a turn.
    if (!isLeft) return permit.release(turns === 0)
    turns++
    setImmediate(end)
  }
  setImmediate(end)
}

/** How long one piece of work may block the event loop, in milliseconds. */
const SLICE_MS = 8

/**
 * Called between the parts of long work: yields the event loop to other requests if the slice is over.
 * @param from when the slice began, by `performance.now()`
 * @returns when the present slice began
 */
export async function endSlice(from: number): Promise<number> {
  if (performance.now() - from <= SLICE_MS) return from
  await nextTurn()
  return performance.now()
}
