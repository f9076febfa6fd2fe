/**
 * The newest saved queries as records; older ones are deleted. Changes are part of a transaction.
 */

import { recordTable } from '../database/record-table.ts'
import type { RecordsDatabase } from '../database/records.ts'
import { SAVED_QUERY_CODEC } from '../schema/saved.ts'

export type { SavedQueryRecord } from '../schema/saved.ts'

export const { insert: insertSavedQuery, find: readSavedQuery } = recordTable('saved_queries', SAVED_QUERY_CODEC)

/** Deletes the queries from before a time, and all but the newest of the others. */
export async function removeOldSavedQueries(db: RecordsDatabase, beforeMs: number, countMax: number): Promise<void> {
  await db.deleteFrom('saved_queries').where('created_at_ms', '<', BigInt(beforeMs)).execute()
  const newestFirst = db.selectFrom('saved_queries').orderBy('created_at_ms', 'desc').orderBy('id', 'desc')
  const newestOld = newestFirst.select('created_at_ms').limit(1).offset(countMax)
  await db.deleteFrom('saved_queries').where('created_at_ms', '<=', newestOld).execute()
}
