/**
 * The newest saved queries as records; older ones are deleted. Changes are part of a transaction.
 */
import type { QueryKind } from '@deployment-annotations/contract/query'
import type { RecordsDatabase } from './records.ts'

export interface SavedQueryRecord {
  id: string
  kind: QueryKind
  dataset: string
  /** The body of the request as JSON text. */
  query: string
  /** The id of the token that created it. */
  createdBy: string
  createdAtMs: number
}

export async function insertSavedQuery(
  db: RecordsDatabase,
  { createdBy, createdAtMs, ...record }: SavedQueryRecord,
): Promise<void> {
  await db
    .insertInto('saved_queries')
    .values({ ...record, created_by: createdBy, created_at_ms: BigInt(createdAtMs) })
    .execute()
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
  if (!row) return undefined
  const { kind, dataset, query, created_by: createdBy, created_at_ms: createdAtMs } = row
  return { id, kind: kind as QueryKind, dataset, query, createdBy, createdAtMs: Number(createdAtMs) }
}
