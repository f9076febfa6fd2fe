/**
 * Where earlier versions kept their write-ahead log of events, as records: what is left there is read once, and deleted.
 */
import { inStatements } from './bulk.ts'
import type { RecordsDatabase } from './records.ts'

/** The rows of one request. Times are nanoseconds since the epoch, decimal. */
interface WaitingRecord {
  /** Table of the dataset. */
  table: string
  sysTimeNs: string
  firstTimeNs: string
  lastTimeNs: string
  rows: number
  /** As the engine reads them. */
  body: Uint8Array
}

/** The first ones of a table, as many as are inserted at a time. */
export async function readWaiting(db: RecordsDatabase, table: string, limit: number): Promise<WaitingRecord[]> {
  const rows = await db
    .selectFrom('write_ahead')
    .selectAll()
    .where('table_name', '=', table)
    .orderBy('sys_time_ns')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    table,
    sysTimeNs: String(row.sys_time_ns),
    firstTimeNs: String(row.first_time_ns),
    lastTimeNs: String(row.last_time_ns),
    rows: Number(row.rows),
    body: row.body,
  }))
}

/** Tables that have rows here. */
export async function listWaiting(db: RecordsDatabase): Promise<string[]> {
  const rows = await db.selectFrom('write_ahead').select('table_name').distinct().execute()
  return rows.map(({ table_name }) => table_name)
}

/** @param list of one table */
export async function deleteWaiting(db: RecordsDatabase, table: string, list: readonly WaitingRecord[]): Promise<void> {
  for (const some of inStatements(list)) {
    const times = some.map(({ sysTimeNs }) => BigInt(sysTimeNs))
    await db.deleteFrom('write_ahead').where('table_name', '=', table).where('sys_time_ns', 'in', times).execute()
  }
}
