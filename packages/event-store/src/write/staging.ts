/**
 * The rows of large requests: stored piece by piece in bounded memory, and made part of their dataset at the end, so that a large
 * request too is stored all or none, even if the process ends meanwhile. It bounds how many such requests there are, and how many
 * pieces are stored at a time.
 * Deliberately not here: the place of the pieces, which the store decides (EventTables.openPieces).
 */
import { LARGE_PIECES, LARGE_REQUESTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate, type GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import type { Dataset } from '../datasets/dataset.ts'
import type { Rows } from '../native/event-block.ts'
import type { EventTables, Pieces } from '../tables/event-tables.ts'
import type { EventWriter } from './event-writer.ts'

/** A request that has begun is no longer refused. */
const PATIENT = { isPatient: true }

/** The pieces of one large request, until it is disposed of. */
export interface Staging extends AsyncDisposable, Pick<Pieces, 'record' | 'join'> {
  /** @param token identifies the piece if it is sent again */
  put(rows: Rows, token: string): Promise<void>
}

/** Admits large requests, and gives out slots to store their pieces. */
export class StagingTables {
  readonly #tables: EventTables
  readonly #writer: EventWriter
  readonly #requests = new Gate(LARGE_REQUESTS)
  readonly #pieces = new Gate(LARGE_PIECES)

  constructor(tables: EventTables, writer: EventWriter) {
    this.#tables = tables
    this.#writer = writer
  }

  /** The load of large requests and of their pieces. */
  load(): Record<'large-requests' | 'large-pieces', GateLoad> {
    return { 'large-requests': this.#requests.load(), 'large-pieces': this.#pieces.load() }
  }

  /**
   * @param makeDataset puts the dataset on disk
   * @throws ServiceError `overloaded` if there are too many large requests already
   */
  async create(dataset: Dataset, makeDataset: () => Promise<unknown>): Promise<Staging> {
    this.#pieces.requireRoom()
    const permit = await this.#requests.acquire()
    try {
      const pieces = await this.#pieces.run(() => this.#tables.openPieces(dataset, makeDataset), PATIENT)
      const put = (rows: Rows, token: string) => this.#writer.write({ dataset, rows, ...pieces.targetOf(token) })
      return {
        record: pieces.record,
        put: (...piece) => this.#pieces.run(() => put(...piece), PATIENT),
        join: () => this.#pieces.run(() => pieces.join(), PATIENT),
        async [Symbol.asyncDispose]() {
          await pieces[Symbol.asyncDispose]()
          permit.release()
        },
      }
    } catch (error) {
      permit.release()
      throw error
    }
  }
}
