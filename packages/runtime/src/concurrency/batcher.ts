/**
 * Batches items (group commit): everything that arrives while one batch is under way goes into the next one. A statement costs about
 * the same for one row as for a hundred, whether it is a durable insert or a look-up, so that batches make many small ones fast.
 * Each queue has one batch under way at a time, so its items keep their order; several queues may have one each, as many as the owner
 * allows.
 * Deliberately not here: the work of a batch.
 */
import assert from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuseForNow, type ServiceError } from '../errors.ts'
import type { GateBound, GateLoad } from './gate.ts'

/** The size of an item. */
interface Load {
  readonly rows: number
  readonly bytes: number
}

const ONE_ROW: Load = { rows: 1, bytes: 0 }

export interface BatcherOptions<Item, Result> {
  /**
   * Carries out a whole batch or none of it; called after the batch's last item has arrived.
   * @returns the results in the order of the items; none if the batch has no results
   */
  work(items: readonly Item[], queue: string): Promise<readonly Result[]>
  /** Names the queue of an item. Each batch has items of one queue, and queues take turns. By default there is one queue. */
  queueOf?(item: Item): string
  /** How many batches, each of another queue, may be under way at a time; 1 by default. */
  batchesAtOnceMax?: number
  /** The size of an item; by default it is one row. */
  loadOf?(item: Item): Load
  /** The largest batch, so that a latecomer does not wait for a huge one; a single item may be larger. */
  batchMax: Load
  /** How many items may wait or be under way, and how long one may wait. */
  bound: Omit<GateBound, 'slots'>
  /** How many bytes may wait or be under way. */
  bytesWaitingMax?: number
  /** Whether an item may wait without limit, because it is a part of something that has begun. By default none may. */
  isPatient?(item: Item): boolean
  /**
   * Whether each batch starts in its own turn of the event loop, with everything that arrived by then. For work that blocks the loop:
   * nothing arrives meanwhile, and without this each batch would have one item.
   */
  startsInOwnTurn?: boolean
  /**
   * The longest pause of a queue after a batch of several items, in milliseconds. The pause is at most half of the duration of the
   * batch. Clients that were just answered are about to send more.
   */
  lingerMsMax?: number
}

interface WaitingItem<Item, Result> {
  item: Item
  load: Load
  /** When it came, by the monotonic clock in milliseconds. */
  sinceMs: number
  /** Refuses it once it has waited for as long as it may. */
  deadline: NodeJS.Timeout | undefined
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>
  /** The waiting items by queue; the queue whose turn is next comes first. */
  readonly #queues = new Map<string, WaitingItem<Item, Result>[]>()
  /** Queues that have a batch under way or pause after one. */
  readonly #busy = new Set<string>()
  readonly #idlers: (() => void)[] = []
  #batches = 0
  readonly #counts = { started: 0, waitedMs: 0, refused: 0 }
  #isStarting = false
  #items = 0
  #bytes = 0

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
  }

  /** @returns how many items wait and are under way, and the counts since the start */
  load(): GateLoad {
    const waiting = [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0)
    return { running: this.#items - waiting, waiting, ...this.#counts }
  }

  /** Whether {@link add} would refuse. */
  get isFull(): boolean {
    const { bound, bytesWaitingMax = Number.POSITIVE_INFINITY } = this.#options
    return this.#items >= bound.waitingMax || this.#bytes >= bytesWaitingMax
  }

  /** @throws ServiceError `overloaded` if {@link add} would refuse */
  requireRoom(): void {
    if (this.isFull) throw this.#refusal()
  }

  #refusal(): ServiceError {
    this.#counts.refused++
    const { running, waiting } = this.load()
    const { bound } = this.#options
    return refuseForNow('overloaded', `${running} ${bound.what} run and ${waiting} more wait`, bound)
  }

  /**
   * @returns the item's result
   * @throws ServiceError `overloaded` if too much waits already; whatever `work` rejects with
   */
  async add(item: Item): Promise<Result> {
    this.requireRoom()
    const { bound, isPatient, loadOf, queueOf } = this.#options
    const load = loadOf?.(item) ?? ONE_ROW
    this.#items++
    this.#bytes += load.bytes
    return new Promise((resolve, reject) => {
      const name = queueOf?.(item) ?? ''
      const { waitMsMax } = bound
      const isBounded = waitMsMax !== undefined && !isPatient?.(item)
      const deadline = isBounded ? setTimeout(() => this.#refuse(name, waiting), waitMsMax) : undefined
      const waiting = { item, load, sinceMs: performance.now(), deadline, resolve, reject }
      const queue = this.#queues.get(name)
      if (queue) queue.push(waiting)
      else this.#queues.set(name, [waiting])
      this.#startAll()
    })
  }

  /** Resolves when nothing waits or is under way. */
  async idle(): Promise<void> {
    if (this.#items > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve))
  }

  /** Starts a batch of each queue that may have one, now or in the next turn of the event loop. */
  #startAll(): void {
    if (!this.#options.startsInOwnTurn) this.#startNow()
    else if (!this.#isStarting) {
      this.#isStarting = true
      setImmediate(() => {
        this.#isStarting = false
        this.#startNow()
      })
    }
  }

  /** Starts batches of the queues in turn, while more may be under way. */
  #startNow(): void {
    const { batchesAtOnceMax = 1 } = this.#options
    for (const [name, queue] of this.#queues) {
      if (this.#batches >= batchesAtOnceMax) return
      if (!this.#busy.has(name)) void this.#run(name, this.#take(name, queue))
    }
  }

  async #run(name: string, batch: readonly WaitingItem<Item, Result>[]): Promise<void> {
    const from = performance.now()
    this.#busy.add(name)
    this.#batches++
    await this.#work(batch, name)
    this.#batches--
    const { lingerMsMax = 0 } = this.#options
    if (lingerMsMax > 0 && batch.length > 1) {
      this.#startAll()
      await this.#linger(name, batch.length, Math.min(lingerMsMax, (performance.now() - from) / 2))
    }
    this.#busy.delete(name)
    this.#startAll()
  }

  /**
   * Waits until as many items have arrived as were answered. With them in the batch there are half as many statements and half as many
   * parts to merge.
   */
  async #linger(name: string, answered: number, msMax: number): Promise<void> {
    const waiting = () => this.#queues.get(name)?.length ?? 0
    const [wanted, until] = [waiting() + answered, performance.now() + msMax]
    while (waiting() < wanted && performance.now() < until) await sleep(1)
  }

  async #work(batch: readonly WaitingItem<Item, Result>[], name: string): Promise<void> {
    try {
      const results = await this.#options.work(
        batch.map(({ item }) => item),
        name,
      )
      assert(results.length === 0 || results.length === batch.length, 'a batch has a result for each of its items, or none')
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#forget(batch)
  }

  #forget(gone: readonly WaitingItem<Item, Result>[]): void {
    for (const { load } of gone) {
      this.#items--
      this.#bytes -= load.bytes
    }
    assert(this.#items >= 0 && this.#bytes >= 0, 'an item leaves the queue once')
    if (this.#items === 0) for (const resolve of this.#idlers.splice(0)) resolve()
  }

  #refuse(name: string, waiting: WaitingItem<Item, Result>): void {
    const queue = this.#queues.get(name) ?? []
    assert(queue.includes(waiting), 'only an item that waits is refused')
    queue.splice(queue.indexOf(waiting), 1)
    if (queue.length === 0) this.#queues.delete(name)
    this.#forget([waiting])
    waiting.reject(this.#refusal())
  }

  /** Takes the next batch of a queue. */
  #take(name: string, queue: WaitingItem<Item, Result>[]): WaitingItem<Item, Result>[] {
    this.#queues.delete(name)
    const batch = queue.splice(0, this.#fitting(queue))
    const nowMs = performance.now()
    this.#counts.started += batch.length
    for (const { sinceMs, deadline } of batch) {
      clearTimeout(deadline)
      this.#counts.waitedMs += nowMs - sinceMs
    }
    // The queue goes to the end, so that a busy queue does not starve the others.
    if (queue.length > 0) this.#queues.set(name, queue)
    return batch
  }

  /** How many items of a queue fit into one batch. */
  #fitting(queue: readonly WaitingItem<Item, Result>[]): number {
    const { batchMax } = this.#options
    let [rows, bytes] = [0, 0]
    const over = queue.findIndex(({ load }, index) => {
      rows += load.rows
      bytes += load.bytes
      return index > 0 && (rows > batchMax.rows || bytes > batchMax.bytes)
    })
    return over === -1 ? queue.length : over
  }
}
