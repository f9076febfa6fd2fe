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
import type { RequestExtent } from '../rows/ingest-counts.ts'
import type { Rows } from '../rows/rows.ts'
import type { EventTables } from '../tables/event-tables.ts'
import { type RefusedRow, RowInserter } from './row-inserter.ts'

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
  readonly #inserter: RowInserter
  readonly #batcher: Batcher<Unit, RefusedRow[] | undefined>

  constructor(parts: EventWriterParts) {
    this.#parts = parts
    this.#inserter = new RowInserter(parts.tables)
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

  /** @returns the refused rows; @throws ServiceError `overloaded`, `not_found`, `storage_full` with nothing stored */
  async write(unit: Unit): Promise<RefusedRow[]> {
    try {
      const refused = (await this.#writeAhead(unit)) ? [] : await this.#batcher.add(unit)
      if (refused && unit.dataset.state !== 'gone') return refused
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
    const isTaken = await this.#parts.tables.writeAhead({
      table: dataset.table,
      span: extent,
      rows: rows.count,
      needTrial: !rows.areSimple,
      prepare: () => this.#saveFields(dataset),
      take: () => takeRows(rows),
    })
    if (isTaken) rows.blocks = []
    return isTaken
  }

  #saveFields(dataset: Dataset): Promise<void> {
    return dataset.unsaved.flush((fields) => this.#parts.saveFields(dataset.table, fields))
  }

  /** @returns the refused rows of each unit; `undefined` if its dataset was deleted meanwhile */
  async #commit(units: readonly Unit[]): Promise<(RefusedRow[] | undefined)[]> {
    const here = units.filter(({ dataset }) => dataset.state !== 'gone')
    const [first] = here
    if (!first) return []
    for (const dataset of new Set(here.map((unit) => unit.dataset))) await this.#saveFields(dataset)
    const refused = await this.#inserter.insertAll(
      tableOf(first),
      here.map(({ rows }) => rows),
      first.token,
    )
    const of = new Map(here.map((unit, index) => [unit, refused[index]]))
    return units.map((unit) => of.get(unit))
  }
}

/** Blocks are released when they are in their table, and not together with the request. */
function takeRows({ blocks, texts }: Rows) {
  const release = () => {
    for (const block of blocks) block[Symbol.dispose]()
  }
  return { body: Buffer.from(texts.written), blocks: blocks.map(({ written }) => written), release }
}

const tableOf = ({ dataset, table }: Unit): string => table ?? dataset.table
