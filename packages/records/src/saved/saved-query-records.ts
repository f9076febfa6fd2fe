/**
 * The newest saved queries as records; older ones are deleted. Changes are part of a transaction.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { SAVED_QUERY_CODEC, type SavedQueryRecord } from '../schema/saved.ts'

export type { SavedQueryRecord } from '../schema/saved.ts'

export async function insertSavedQuery(db: RecordsDatabase, record: SavedQueryRecord): Promise<void> {
  await db.insertInto('saved_queries').values(SAVED_QUERY_CODEC.toRow(record)).execute()
}

/** Deletes the queries from before a time, and all but the newest of the others. */
export async function removeOldSavedQueries(db: RecordsDatabase, beforeMs: number, countMax: number): Promise<void> {
  await db.deleteFrom('saved_queries').where('created_at_ms', '<', BigInt(beforeMs)).execute()
  const newestFirst = db.selectFrom('saved_queries').orderBy('created_at_ms', 'desc').orderBy('id', 'desc')
  const newestOld = newestFirst.select('created_at_ms').limit(1).offset(countMax)
  await db.deleteFrom('saved_queries').where('created_at_ms', '<=', newestOld).execute()
}

export async function readSavedQuery(db: RecordsDatabase, id: string): Promise<SavedQueryRecord | undefined> {
  const row = await db.selectFrom('saved_queries').selectAll().where('id', '=', id).executeTakeFirst()
  return row && SAVED_QUERY_CODEC.fromRow(row)
}
