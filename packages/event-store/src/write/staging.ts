/**
 * The rows of large requests: stored piece by piece in bounded memory, and made part of their dataset at the end, so that a large
 * request too is stored all or none, even if the process ends meanwhile. It bounds how many such requests there are, and how many
 * pieces are stored at a time.
 * Deliberately not here: the place of the pieces, which the store decides (EventTables.openPieces).
 */
import { LARGE_PIECES, LARGE_REQUESTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate, type GateLoad, type Permit } from '@deployment-annotations/runtime/concurrency/gate'
import type { Dataset } from '../datasets/dataset.ts'
import type { Rows } from '../rows/row-block.ts'
import type { EventTables, Pieces } from '../tables/event-tables.ts'
import type { EventWriter } from './event-writer.ts'

interface StagingParts {
  tables: EventTables
  writer: EventWriter
}

/** Admits large requests, and gives out slots to store their pieces. */
export class StagingTables {
  readonly #parts: StagingParts
  readonly #requests = new Gate(LARGE_REQUESTS)
  readonly #pieces = new Gate(LARGE_PIECES)

  constructor(parts: StagingParts) {
    this.#parts = parts
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
      const pieces = await this.#pieces.run(() => this.#parts.tables.openPieces(dataset, makeDataset), PATIENT)
      return new Staging({ writer: this.#parts.writer, dataset, pieces, gate: this.#pieces, permit })
    } catch (error) {
      permit.release()
      throw error
    }
  }
}

interface StagingRequest {
  writer: EventWriter
  dataset: Dataset
  pieces: Pieces
  gate: Gate
  /** Released when the request is finished. */
  permit: Permit
}

/** A request that has begun is no longer refused. */
const PATIENT = { isPatient: true }

/** The pieces of one large request, until it is disposed of. */
export class Staging implements AsyncDisposable {
  readonly #request: StagingRequest

  constructor(request: StagingRequest) {
    this.#request = request
  }

  /** The part of the request's record that concerns the pieces. */
  get record(): Pieces['record'] {
    return this.#request.pieces.record
  }

  /** @param token identifies the piece if it is sent again */
  put(rows: Rows, token: string): Promise<void> {
    const { writer, dataset, pieces, gate } = this.#request
    return gate.run(() => writer.write({ dataset, rows, ...pieces.targetOf(token) }), PATIENT)
  }

  /** Makes all rows part of the dataset at once; they are then on disk and visible. */
  async join(): Promise<void> {
    const { pieces, gate } = this.#request
    await gate.run(() => pieces.join(), PATIENT)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#request.pieces[Symbol.asyncDispose]()
    this.#request.permit.release()
  }
}
