/**
 * Batches (group commit): what arrives while one batch is under way goes together into the next. A statement costs about the
 * same for one row as for a hundred, be it a durable insert or a look-up, so this is what makes many small ones fast.
 * Of one queue one batch is under way at a time, so its items keep their order; of several queues as many as the owner allows.
 * Deliberately not here: what a batch does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { overloaded, type QueueBound } from './queue-bounds.ts'

/** What an item counts for. */
interface Load {
  readonly rows: number
  readonly bytes: number
}

const ONE_ROW: Load = { rows: 1, bytes: 0 }

export interface BatcherOptions<Item, Result> {
  /**
   * Carries out a whole batch or none of it; called after the batch's last item has arrived.
   * @returns the results, in the order of the items; none for a batch that has nothing to tell
   */
  work(items: readonly Item[], queue: string): Promise<readonly Result[]>
  /** Items of different queues are in different batches; a batch of each in turn. By default there is one queue. */
  queueOf?(item: Item): string
  /** How many batches, each of another queue, may be under way at a time; 1 by default. */
  batchesAtOnceMax?: number
  /** By default an item is one row. */
  loadOf?(item: Item): Load
  /** Of one batch at most, so that a latecomer does not wait for a huge batch; a single item may be larger. */
  batchMax: Load
  /** How many items may wait or be under way, */
  bound: QueueBound
  /** and how many bytes. */
  bytesWaitingMax?: number
  /**
   * Batches start in a turn of the event loop of their own, so that everything that has arrived by then is in them. For work
   * that holds up the loop: while it does, nothing arrives, and each batch would have one item.
   */
  startsInOwnTurn?: boolean
  /** Longest pause of a queue behind a batch of several items, and half as long as the batch took: those just answered are about to send more. */
  lingerMsMax?: number
}

interface Waiting<Item, Result> {
  item: Item
  load: Load
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>
  /** What waits, by queue; the queue whose turn is next comes first. */
  readonly #queues = new Map<string, Waiting<Item, Result>[]>()
  /** Queues with a batch under way, or that linger behind one. */
  readonly #busy = new Set<string>()
  readonly #idlers: (() => void)[] = []
  #batches = 0
  #isStarting = false
  #items = 0
  #bytes = 0

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
  }

  /** Items that wait or are under way. */
  get size(): number {
    return this.#items
  }

  /** Whether {@link add} would refuse. */
  get isFull(): boolean {
    const { bound, bytesWaitingMax = Number.POSITIVE_INFINITY } = this.#options
    return this.#items >= bound.waitingMax || this.#bytes >= bytesWaitingMax
  }

  /**
   * @returns the item's result
   * @throws ServiceError `overloaded` when too much waits already; whatever `work` rejects with
   */
  async add(item: Item): Promise<Result> {
    if (this.isFull) throw overloaded(this.#options.bound, this.#items)
    const load = this.#options.loadOf?.(item) ?? ONE_ROW
    this.#items++
    this.#bytes += load.bytes
    return new Promise((resolve, reject) => {
      const name = this.#options.queueOf?.(item) ?? ''
      const queue = this.#queues.get(name)
      if (queue) queue.push({ item, load, resolve, reject })
      else this.#queues.set(name, [{ item, load, resolve, reject }])
      this.#startAll()
    })
  }

  /** Resolves when nothing waits or is under way. */
  async idle(): Promise<void> {
    if (this.#items > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve))
  }

  /** Starts a batch of each queue that may have one, now or in the next turn. */
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

  /** In turn, while there is room for one more. */
  #startNow(): void {
    const { batchesAtOnceMax = 1 } = this.#options
    for (const [name, queue] of this.#queues) {
      if (this.#batches >= batchesAtOnceMax) return
      if (!this.#busy.has(name)) void this.#run(name, this.#take(name, queue))
    }
  }

  async #run(name: string, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#busy.add(name)
    this.#batches++
    const from = performance.now()
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
   * Waits until as many items have arrived as were answered: with what they send in the batch, there are half as many statements, and
   * parts to merge.
   */
  async #linger(name: string, answered: number, msMax: number): Promise<void> {
    const waiting = () => this.#queues.get(name)?.length ?? 0
    const [wanted, until] = [waiting() + answered, performance.now() + msMax]
    while (waiting() < wanted && performance.now() < until) await sleep(1)
  }

  async #work(batch: readonly Waiting<Item, Result>[], name: string): Promise<void> {
    try {
      const results = await this.#options.work(
        batch.map(({ item }) => item),
        name,
      )
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    for (const { load } of batch) {
      this.#items--
      this.#bytes -= load.bytes
    }
    if (this.#items === 0) for (const resolve of this.#idlers.splice(0)) resolve()
  }

  /** The next batch of a queue. */
  #take(name: string, queue: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    this.#queues.delete(name)
    const batch = queue.splice(0, this.#fitting(queue))
    // Behind the others, so that one busy queue does not starve them.
    if (queue.length > 0) this.#queues.set(name, queue)
    return batch
  }

  /** How many of a queue's items go into one batch. */
  #fitting(queue: readonly Waiting<Item, Result>[]): number {
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
