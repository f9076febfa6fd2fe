/**
 * What an export takes along, decided when it begins: the tables of events with all rows that are there at that moment, and which
 * ingest requests were complete by then. Records are read last, so that they know every field of every exported event; here is
 * how they are made to fit: what has come since is left out, and what was under way is left to be settled by its rows.
 */
import type { MovedTable, RecordRow } from '@deployment-annotations/records/database/all-records'

/** A table of events and its dataset. */
export interface PlannedTable {
  table: string
  dataset: string
  /** When the export began. */
  rows: number
  /** Nanoseconds since the epoch, decimal. Rows with a later `_sysTime` came since. */
  sysTimeNsMax: string
}

export interface Plan {
  /** Names the records that are exported. */
  source: string
  /** Of the program that reads them. */
  program: string
  recordsVersion: string
  tables: PlannedTable[]
  /** Ids of ingest requests all of whose rows were there. */
  completeRequests: string[]
  /** Nobody changes anything meanwhile. */
  isStopped: boolean
}

/** Decides of each row of the records, in the order of their tables, whether and how it is exported. */
export class RecordsBudget {
  readonly #planned: ReadonlyMap<string, PlannedTable>
  readonly #complete: ReadonlySet<string>
  /** Tables of the datasets that are there at the end: one may have been deleted meanwhile. */
  readonly tables = new Set<string>()

  constructor({ tables, completeRequests }: Plan) {
    this.#planned = new Map(tables.map((planned) => [planned.table, planned]))
    this.#complete = new Set(completeRequests)
  }

  fit(table: MovedTable, row: RecordRow): RecordRow | undefined {
    if (table === 'datasets') return this.#fitDataset(row)
    if (table === 'dataset_fields') return this.tables.has(String(row.table_name)) ? row : undefined
    if (table === 'ingest_requests') return this.#fitRequest(row)
    return row
  }

  #fitDataset(row: RecordRow): RecordRow | undefined {
    const table = String(row.table_name)
    if (row.state !== 'live' || !this.#planned.has(table)) return undefined
    this.tables.add(table)
    return row
  }

  #fitRequest(row: RecordRow): RecordRow | undefined {
    const planned = this.#planned.get(String(row.table_name))
    if (!planned || !this.tables.has(planned.table)) return undefined
    if (this.#complete.has(String(row.id))) return row
    if (BigInt(row.sys_time_ns ?? 0) > BigInt(planned.sysTimeNsMax)) return undefined
    // Perhaps a part of its rows is exported: the service that begins there counts them, as after a crash.
    return { ...row, state: 'storing', holder: '', staging_table: null }
  }
}
