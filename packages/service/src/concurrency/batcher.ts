/**
 * Batches (group commit): what arrives while one batch is under way goes together into the next. A statement costs about the
 * same for one row as for a hundred, be it a durable insert or a look-up, so this is what makes many small ones fast.
 * One batch is under way at a time. Deliberately not here: what a batch does.
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
  /** By default an item is one row. */
  loadOf?(item: Item): Load
  /** Of one batch at most, so that a latecomer does not wait for a huge batch; a single item may be larger. */
  batchMax: Load
  /** How many items may wait or be under way, */
  bound: QueueBound
  /** and how many bytes. */
  bytesWaitingMax?: number
  /** Longest pause behind a batch of several items: those just answered are about to send more. */
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
  readonly #queues = new Map<string, Waiting<Item, Result>[]>()
  readonly #idlers: (() => void)[] = []
  #items = 0
  #bytes = 0
  #isWorking = false

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
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
      if (!this.#isWorking) void this.#workAll()
    })
  }

  /** Resolves when nothing waits or is under way. */
  async idle(): Promise<void> {
    if (this.#isWorking) await new Promise<void>((resolve) => this.#idlers.push(resolve))
  }

  async #workAll(): Promise<void> {
    this.#isWorking = true
    for (let next = this.#take(); next; next = this.#take()) {
      const from = performance.now()
      await this.#work(next.batch, next.name)
      const { lingerMsMax = 0 } = this.#options
      // With what they send in the batch, there are half as many statements, and parts to merge.
      if (lingerMsMax > 0 && next.batch.length > 1) await sleep(Math.min(lingerMsMax, (performance.now() - from) / 4))
    }
    this.#isWorking = false
    for (const resolve of this.#idlers.splice(0)) resolve()
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
  }

  /** The next batch of the next queue. */
  #take(): { name: string; batch: Waiting<Item, Result>[] } | undefined {
    for (const [name, queue] of this.#queues) {
      this.#queues.delete(name)
      const batch = queue.splice(0, this.#fitting(queue))
      // Behind the others, so that one busy queue does not starve them.
      if (queue.length > 0) this.#queues.set(name, queue)
      return { name, batch }
    }
    return undefined
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
