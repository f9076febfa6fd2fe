/**
 * A table for the rows of one large request: filled piece by piece in bounded memory, then joined to the dataset in one step,
 * so that a large request too is stored all or none, whenever the process ends. What a crash leaves is dropped at start.
 * On a cluster there is no such step, and pieces go to the dataset as they come; see ingest-requests.ts for what becomes of them.
 */
import { randomBytes } from 'node:crypto'
import {
  LARGE_PIECES_AT_ONCE,
  LARGE_REQUESTS,
  LARGE_REQUESTS_OPEN,
  overloaded,
} from '@deployment-annotations/runtime/concurrency/queue-bounds'
import { Semaphore } from '@deployment-annotations/runtime/concurrency/semaphore'
import type { Dataset } from '../datasets/dataset.ts'
import type { Rows } from '../rows/rows.ts'
import type { EventTables } from '../tables/event-tables.ts'
import type { EventWriter } from './event-writer.ts'
import type { Refused } from './row-inserter.ts'

interface StagingParts {
  tables: EventTables
  writer: EventWriter
}

/** Gives out staging tables, and permits to store what goes into them. */
export class StagingTables {
  readonly #parts: StagingParts
  // What was begun is not refused, so it has no bound of its own.
  readonly #semaphore = new Semaphore(LARGE_PIECES_AT_ONCE, { ...LARGE_REQUESTS, waitingMax: Number.POSITIVE_INFINITY })
  #open = 0
  #waiting = 0

  constructor(parts: StagingParts) {
    this.#parts = parts
  }

  /** Large requests that are under way, and those that wait for a permit with a piece. */
  get load(): { open: number; waiting: number } {
    return { open: this.#open, waiting: this.#waiting }
  }

  /**
   * @param makeDataset puts the dataset on disk
   * @throws ServiceError `overloaded` when there are too many large requests already
   */
  async create(dataset: Dataset, makeDataset: () => Promise<unknown>): Promise<Staging> {
    if (this.#waiting >= LARGE_REQUESTS.waitingMax) throw overloaded(LARGE_REQUESTS, this.#waiting)
    if (this.#open >= LARGE_REQUESTS_OPEN.waitingMax) throw overloaded(LARGE_REQUESTS_OPEN, this.#open)
    const { tables } = this.#parts
    const table = tables.canJoin ? `staging_${randomBytes(10).toString('hex')}` : undefined
    this.#open++
    try {
      // Where pieces go to the dataset's own table, it has to be there before the first of them.
      await this.#withPermit(() => (table === undefined ? makeDataset() : tables.create(table)))
    } catch (error) {
      this.#open--
      throw error
    }
    return new Staging({
      ...this.#parts,
      dataset,
      table,
      withPermit: (task) => this.#withPermit(task),
      end: () => {
        this.#open--
      },
    })
  }

  async #withPermit<T>(task: () => Promise<T>): Promise<T> {
    this.#waiting++
    using _permit = await this.#semaphore.acquire().finally(() => this.#waiting--)
    return await task()
  }
}

interface Held extends StagingParts {
  dataset: Dataset
  /** Absent where pieces go to the dataset itself. */
  table: string | undefined
  /** Does what it is given when it has a permit. */
  withPermit: <T>(task: () => Promise<T>) => Promise<T>
  /** To be called once, when the table is no longer needed. */
  end: () => void
}

/** A staging table, until it is disposed of. */
export class Staging implements AsyncDisposable {
  readonly #held: Held

  constructor(held: Held) {
    this.#held = held
  }

  /** Absent where pieces go to the dataset itself. */
  get table(): string | undefined {
    return this.#held.table
  }

  /**
   * @param token of the piece, where it goes to the dataset itself
   * @returns the rows that were refused
   */
  put(rows: Rows, token: string): Promise<Refused[]> {
    const { writer, dataset, table, withPermit } = this.#held
    return withPermit(() => writer.write(table === undefined ? { dataset, rows, token } : { dataset, rows, table }))
  }

  /** Makes all rows part of the dataset at once; they are on disk and visible then. */
  async join(): Promise<void> {
    const { tables, dataset, table, withPermit } = this.#held
    if (table !== undefined) await withPermit(() => tables.join(table, dataset.table))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { tables, table, end } = this.#held
    // What cannot be dropped now is dropped at the next start; the request's outcome stands.
    if (table !== undefined) await tables.drop(table).catch(() => undefined)
    end()
  }
}
