/**
 * A table for the rows of one large request: filled piece by piece in bounded memory, then joined to the dataset in one step,
 * so that a large request too is stored all or none, whenever the process ends. What a crash leaves is dropped at start.
 * On a cluster there is no such step, and pieces go to the dataset as they come; see ingest-requests.ts for what becomes of them.
 */
import { randomBytes } from 'node:crypto'
import { LARGE_PIECES, LARGE_REQUESTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate, type GateLoad, type Permit } from '@deployment-annotations/runtime/concurrency/gate'
import type { Dataset } from '../datasets/dataset.ts'
import type { Rows } from '../rows/rows.ts'
import type { EventTables } from '../tables/event-tables.ts'
import type { EventWriter } from './event-writer.ts'
import type { Refused } from './row-inserter.ts'

interface StagingParts {
  tables: EventTables
  writer: EventWriter
}

/** Gives out staging tables, and slots to store what goes into them. */
export class StagingTables {
  readonly #parts: StagingParts
  readonly #requests = new Gate(LARGE_REQUESTS)
  readonly #pieces = new Gate(LARGE_PIECES)

  constructor(parts: StagingParts) {
    this.#parts = parts
  }

  /** Large requests that are under way, and their pieces that are stored or wait to be. */
  load(): Record<'large-requests' | 'large-pieces', GateLoad> {
    return { 'large-requests': this.#requests.load(), 'large-pieces': this.#pieces.load() }
  }

  /**
   * @param makeDataset puts the dataset on disk
   * @throws ServiceError `overloaded` when there are too many large requests already
   */
  async create(dataset: Dataset, makeDataset: () => Promise<unknown>): Promise<Staging> {
    this.#pieces.requireRoom()
    const request = await this.#requests.acquire()
    const { tables } = this.#parts
    const table = tables.canJoin ? `staging_${randomBytes(10).toString('hex')}` : undefined
    try {
      // Where pieces go to the dataset's own table, it has to be there before the first of them.
      await this.#pieces.run(() => (table === undefined ? makeDataset() : tables.create(table)), PATIENT)
    } catch (error) {
      request.release()
      throw error
    }
    return new Staging({
      ...this.#parts,
      dataset,
      table,
      pieces: this.#pieces,
      request,
    })
  }
}

interface Held extends StagingParts {
  dataset: Dataset
  /** Absent where pieces go to the dataset itself. */
  table: string | undefined
  pieces: Gate
  /** Released when the table is no longer needed. */
  request: Permit
}

/** A request that has begun is not refused any more. */
const PATIENT = { isPatient: true }

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
    const { writer, dataset, table, pieces } = this.#held
    return pieces.run(() => writer.write(table === undefined ? { dataset, rows, token } : { dataset, rows, table }), PATIENT)
  }

  /** Makes all rows part of the dataset at once; they are on disk and visible then. */
  async join(): Promise<void> {
    const { tables, dataset, table, pieces } = this.#held
    if (table !== undefined) await pieces.run(() => tables.join(table, dataset.table), PATIENT)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { tables, table, request } = this.#held
    // What cannot be dropped now is dropped at the next start; the request's outcome stands.
    if (table !== undefined) await tables.drop(table).catch(() => undefined)
    request.release()
  }
}
