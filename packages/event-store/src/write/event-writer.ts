/**
 * Group commit of events: each dataset has one insert under way, and the rows that arrive meanwhile are its next batch. Several
 * datasets are written at a time.
 * - A request's rows are stored all or none, and are on disk and visible to the next query when `write` resolves.
 * - New fields are saved in the catalog before the rows that have them, so that no row has a field that the catalog lacks.
 * - Once too many bytes wait, requests are refused.
 * - Requests of up to a mebibyte are acknowledged before they are inserted, if the store supports it.
 */
import type { StoredFields } from '@deployment-annotations/records/datasets/dataset-records'
import { Batcher } from '@deployment-annotations/runtime/concurrency/batcher'
import { EVENT_BYTES_WAITING_MAX, EVENT_INSERTS_AT_ONCE, EVENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Dataset } from '../datasets/dataset.ts'
import { type Rows, releaseRows } from '../native/event-block.ts'
import type { RequestExtent } from '../rows/ingest-counts.ts'
import type { EventTables } from '../tables/event-tables.ts'

/** The rows of one request, or a part of them that is stored separately. */
interface Unit {
  dataset: Dataset
  /** The table for the rows, if it is not the dataset's own. */
  table?: string
  rows: Rows
  /** Identifies rows to a server that may have received them before. They are inserted alone. */
  token?: string
  /** Given if these are all rows of their request. */
  extent?: RequestExtent
}

/** At 80,000 rows a second a batch takes a quarter of a second, which is the longest wait of a small request. */
const BATCH_MAX = { rows: 20_000, bytes: 8_388_608 }
/** Larger requests are worth an insert of their own, and would take memory while they wait. */
const AHEAD_BYTES_MAX = 1_048_576
/** The longest pause between two batches. */
const LINGER_MS_MAX = 25

interface EventWriterParts {
  tables: EventTables
  /** Adds types to the fields of a dataset, which its table identifies. */
  saveFields(table: string, fields: StoredFields): Promise<void>
}

export class EventWriter {
  readonly #parts: EventWriterParts
  /** Answers whether the rows were stored, which they are not if their dataset was deleted meanwhile. */
  readonly #batcher: Batcher<Unit, boolean>

  constructor(parts: EventWriterParts) {
    this.#parts = parts
    this.#batcher = new Batcher({
      work: (units) => this.#commit(units),
      queueOf: (unit) => unit.token ?? tableOf(unit),
      loadOf: ({ rows: { count, bytes } }) => ({ rows: count, bytes }),
      batchesAtOnceMax: EVENT_INSERTS_AT_ONCE,
      batchMax: BATCH_MAX,
      bound: EVENTS,
      bytesWaitingMax: EVENT_BYTES_WAITING_MAX,
      // Pieces of a large request are patient because its other pieces are stored, and so are rows that a record settles.
      isPatient: (unit) => unit.token !== undefined || unit.extent === undefined,
      lingerMsMax: LINGER_MS_MAX,
    })
  }

  /** @throws ServiceError `overloaded`, `not_found`, `storage_full` with nothing stored */
  async write(unit: Unit): Promise<void> {
    try {
      const isStored = (await this.#writeAhead(unit)) || (await this.#batcher.add(unit))
      if (isStored && unit.dataset.state !== 'gone') return
    } catch (error) {
      if (unit.dataset.state !== 'gone') throw error
    }
    throw new ServiceError('not_found', `dataset ${JSON.stringify(unit.dataset.name)} not found: it was deleted`)
  }

  /** The load by requests, or pieces of them. */
  load(): GateLoad {
    return this.#batcher.load()
  }

  /** Call this before reading a request's body. @throws ServiceError `overloaded` if too much waits already */
  requireRoom(): void {
    this.#batcher.requireRoom()
  }

  /** Resolves when nothing waits or is under way. */
  idle(): Promise<void> {
    return this.#batcher.idle()
  }

  /** @returns whether the rows are acknowledged without an insert */
  async #writeAhead({ dataset, extent, rows }: Unit): Promise<boolean> {
    if (!extent || rows.count === 0 || rows.bytes > AHEAD_BYTES_MAX) return false
    const taken = { ...rows }
    const isTaken = await this.#parts.tables.writeAhead({
      table: dataset.table,
      span: extent,
      rows: rows.count,
      prepare: () => this.#saveFields(dataset),
      // Blocks are released when they are in their table, and not together with the request.
      take: () => ({ blocks: taken.blocks.map(({ written }) => written), release: () => releaseRows(taken) }),
    })
    if (isTaken) rows.blocks = []
    return isTaken
  }

  #saveFields(dataset: Dataset): Promise<void> {
    return dataset.unsaved.flush((fields) => this.#parts.saveFields(dataset.table, fields))
  }

  async #commit(units: readonly Unit[]): Promise<boolean[]> {
    const here = units.filter(({ dataset }) => dataset.state !== 'gone')
    const [first] = here
    if (!first) return units.map(() => false)
    for (const dataset of new Set(here.map((unit) => unit.dataset))) await this.#saveFields(dataset)
    const { token } = first
    const blocks = here.flatMap(({ rows }) => rows.blocks.map(({ written }) => written))
    if (blocks.length > 0) await this.#parts.tables.insert(tableOf(first), blocks, token === undefined ? {} : { token })
    return units.map((unit) => here.includes(unit))
  }
}

const tableOf = ({ dataset, table }: Unit): string => table ?? dataset.table
