/**
 * Moves all records: reads their rows table by table from one state of the database, and inserts them into an empty one.
 * A row is an object of its columns: texts, integers of any size as bigint, and null. Leases and the id that claims the events belong
 * to one place and are left out, as messages that wait are, which that place delivers; the marks of node numbers are moved.
 * Deliberately not here: files and networks; which rows an export leaves out because their events are not in it.
 */
import assert from 'node:assert'
import { sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { ROWS_MAX } from './bulk.ts'
import type { Records, RecordsDatabase } from './records.ts'
import { WRITTEN_ELSEWHERE } from './settings-records.ts'

type RecordTable = keyof Tables
export type RecordRow = Readonly<Record<string, string | bigint | null>>

/** Each table with its key columns. A table comes after those that its rows refer to. */
const KEYS = {
  annotations: ['id'],
  annotation_datasets: ['annotation_id', 'dataset'],
  datasets: ['table_name'],
  dataset_fields: ['table_name', 'name'],
  ingest_requests: ['id'],
  monitors: ['id'],
  monitor_alerts: ['monitor_id', 'check_id', 'state'],
  notifiers: ['id'],
  saved_queries: ['id'],
  saved_views: ['id'],
  seen_versions: ['table_name', 'service', 'environment', 'version'],
  integrations: ['id'],
  deliveries: ['id'],
  deployments: ['integration', 'deployment'],
  tokens: ['id'],
  settings: ['name'],
  leases: ['name'],
  versions: ['kind'],
} as const satisfies Partial<Record<RecordTable, readonly string[]>>

/** The other tables of records. They refer to those that are moved. */
export const TABLES_NOT_MOVED = ['outbox', 'field_layouts', 'dropped_tables', 'remote_marks'] as const
/** The keys of tables that only earlier versions have rows in. */
const FORMER_KEYS = { remote_marks: ['notifier', 'annotation'] } as const

export const RECORD_TABLES = Object.keys(KEYS) as (keyof typeof KEYS)[]
export type MovedTable = keyof typeof KEYS | keyof typeof FORMER_KEYS

/** How many rows one insert may have. */
export { ROWS_MAX as INSERT_ROWS_MAX }

/** @param db a database that shows one state throughout */
export async function* readRows(db: RecordsDatabase, table: MovedTable): AsyncGenerator<RecordRow> {
  const key: readonly string[] = { ...KEYS, ...FORMER_KEYS }[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let afterLast = sql``
  for (;;) {
    const { rows } =
      await sql<RecordRow>`select * from ${sql.table(table)} ${afterLast} order by ${columns} limit ${BigInt(ROWS_MAX)}`.execute(
        db,
      )
    for (const row of rows) {
      const moved = takeAlong(table, row)
      if (moved) yield moved
    }
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_MAX) return
    // Comparing tuples finds the rows after the last one, because all columns are in ascending order.
    afterLast = sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`
  }
}

/** @returns the row as the other place stores it; `undefined` if it is not moved */
function takeAlong(table: MovedTable, row: RecordRow): RecordRow | undefined {
  if (table === 'settings') return WRITTEN_ELSEWHERE.has(String(row.name)) ? undefined : row
  if (table !== 'leases') return row
  // The next holder of the number makes its ids above those that were made here.
  return String(row.name).startsWith('node/') ? { ...row, holder: '', expires_at_ms: 0n } : undefined
}

export async function insertRows(db: RecordsDatabase, table: MovedTable, rows: readonly RecordRow[]): Promise<void> {
  assert(rows.length <= ROWS_MAX, `${rows.length} rows are more than one statement may have`)
  if (rows.length > 0)
    await db
      .insertInto(table as RecordTable)
      .values(rows as never)
      .execute()
}

/** @returns the tables that have rows */
export async function listFilled({ read }: Pick<Records, 'read'>): Promise<RecordTable[]> {
  const filled: RecordTable[] = []
  for (const table of [...RECORD_TABLES, 'dropped_tables'] as const) {
    if (table === 'versions' || table === 'leases' || table === 'settings') continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(read)
    if (rows.length > 0) filled.push(table)
  }
  return filled
}
