/**
 * All records at once, for moving them: rows table by table out of one state of the database, and into an empty one.
 * A row is an object of its columns: texts, integers of any size as bigint, and null. What belongs to one place and its services
 * is left out: leases, but for the marks of node numbers, and the id that claims the events.
 * Deliberately not here: files and networks; which rows an export leaves out because their events are not in it.
 */
import { sql } from 'kysely'
import type { Records, RecordsDatabase } from './records.ts'
import { WRITTEN_ELSEWHERE } from './settings-records.ts'
import type { Tables } from './tables.ts'

type RecordTable = keyof Tables
export type RecordRow = Readonly<Record<string, string | bigint | null>>

/** The tables and what their rows are found by; what others refer to comes first. */
const KEYS = {
  annotations: ['id'],
  annotation_datasets: ['annotation_id', 'dataset'],
  datasets: ['table_name'],
  dataset_fields: ['table_name', 'name'],
  ingest_requests: ['id'],
  monitors: ['id'],
  monitor_alerts: ['monitor_id', 'check_id', 'state'],
  saved_queries: ['id'],
  saved_views: ['id'],
  integrations: ['id'],
  deliveries: ['id'],
  deployments: ['integration', 'deployment'],
  tokens: ['id'],
  settings: ['name'],
  leases: ['name'],
  versions: ['kind'],
} as const satisfies Partial<Record<RecordTable, readonly string[]>>

export const RECORD_TABLES = Object.keys(KEYS) as (keyof typeof KEYS)[]
export type MovedTable = keyof typeof KEYS

/** Rows that are read, and written, with one statement. */
const PAGE_ROWS = 500

/** @param db one that sees one state throughout */
export async function* readRows(db: RecordsDatabase, table: MovedTable): AsyncGenerator<RecordRow> {
  const key = KEYS[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let behind = sql``
  for (;;) {
    const { rows } =
      await sql<RecordRow>`select * from ${sql.table(table)} ${behind} order by ${columns} limit ${BigInt(PAGE_ROWS)}`.execute(db)
    for (const row of rows) {
      const moved = takeAlong(table, row)
      if (moved) yield moved
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    // Comparing tuples finds the rows after the last one, because all columns are in ascending order.
    behind = sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`
  }
}

/** @returns the row as it is to be in another place; `undefined`: it stays where it is */
function takeAlong(table: MovedTable, row: RecordRow): RecordRow | undefined {
  if (table === 'settings') return WRITTEN_ELSEWHERE.has(String(row.name)) ? undefined : row
  if (table !== 'leases') return row
  // The next holder of the number there begins above the ids that were made here.
  return String(row.name).startsWith('node/') ? { ...row, holder: '', expires_at_ms: 0n } : undefined
}

/** Part of a transaction, before the first rows: what an empty place has counted by itself, when a service looked at it, goes. */
export async function forgetVersions(db: RecordsDatabase): Promise<void> {
  await db.deleteFrom('versions').execute()
}

/** Part of a transaction. */
export async function insertRows(db: RecordsDatabase, table: MovedTable, rows: readonly RecordRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto(table)
      .values(rows as never)
      .execute()
}

/** Databases bound the number of values of a statement. */
export const INSERT_ROWS_MAX = PAGE_ROWS

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
