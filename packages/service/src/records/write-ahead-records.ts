/**
 * The write-ahead log of events as records: rows of requests that were acknowledged and are not in their table yet. Deliberately not
 * here: when they go there, and how it is known whether they did.
 */
import { inStatements } from './bulk.ts'
import type { RecordsDatabase } from './records.ts'

/** The rows of one request. Times are nanoseconds since the epoch, decimal. */
export interface WaitingRows {
  /** Table of the dataset. */
  table: string
  /** All rows of the request have it, and no others. */
  sysTimeNs: string
  firstTimeNs: string
  lastTimeNs: string
  rows: number
  /** As the engine reads them. */
  body: Uint8Array
}

export async function insertWaiting(db: RecordsDatabase, list: readonly WaitingRows[]): Promise<void> {
  for (const some of inStatements(list)) await db.insertInto('write_ahead').values(some.map(toRow)).execute()
}

/** The first ones of a table, as many as are inserted at a time. */
export async function readWaiting(db: RecordsDatabase, table: string, limit: number): Promise<WaitingRows[]> {
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
export async function deleteWaiting(db: RecordsDatabase, table: string, list: readonly WaitingRows[]): Promise<void> {
  for (const some of inStatements(list)) {
    const times = some.map(({ sysTimeNs }) => BigInt(sysTimeNs))
    await db.deleteFrom('write_ahead').where('table_name', '=', table).where('sys_time_ns', 'in', times).execute()
  }
}

/** Removes what waits for tables whose dataset is gone. */
export async function deleteOrphans(db: RecordsDatabase): Promise<void> {
  await db
    .deleteFrom('write_ahead')
    .where('table_name', 'not in', (of) => of.selectFrom('datasets').select('table_name'))
    .execute()
}

function toRow({ table, sysTimeNs, firstTimeNs, lastTimeNs, rows, body }: WaitingRows) {
  return {
    table_name: table,
    sys_time_ns: BigInt(sysTimeNs),
    first_time_ns: BigInt(firstTimeNs),
    last_time_ns: BigInt(lastTimeNs),
    rows: BigInt(rows),
    body,
  }
}
