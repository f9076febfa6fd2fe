/**
 * Saved views as records. Changes are part of a transaction. Deliberately not here: the rules for views.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { SAVED_VIEW_CODEC, type SavedViewRecord } from '../schema/saved.ts'

export type { SavedViewDefinition, SavedViewRecord } from '../schema/saved.ts'

const { fromRow, toRow, toChange } = SAVED_VIEW_CODEC

/** @returns all views, the oldest first */
export async function listSavedViews(db: RecordsDatabase): Promise<SavedViewRecord[]> {
  return (await db.selectFrom('saved_views').selectAll().orderBy('id').execute()).map(fromRow)
}

export async function countSavedViews(db: RecordsDatabase): Promise<number> {
  const { count } = await db
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findSavedView(db: RecordsDatabase, id: string): Promise<SavedViewRecord | undefined> {
  const row = await db.selectFrom('saved_views').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Reads as {@link findSavedView} does, and keeps others from changing the view until the transaction ends. */
export async function lockSavedView(db: RecordsDatabase, id: string): Promise<SavedViewRecord | undefined> {
  const row = await db.selectFrom('saved_views').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && fromRow(row)
}

export async function insertSavedView(db: RecordsDatabase, record: SavedViewRecord): Promise<void> {
  await db.insertInto('saved_views').values(toRow(record)).execute()
}

/** Call it after {@link lockSavedView}. */
export async function updateSavedView(
  db: RecordsDatabase,
  { id, version, definition, updatedAtMs }: Pick<SavedViewRecord, 'id' | 'version' | 'definition' | 'updatedAtMs'>,
): Promise<void> {
  await db.updateTable('saved_views').set(toChange({ version, definition, updatedAtMs })).where('id', '=', id).execute()
}

/** Call it after {@link lockSavedView}. */
export async function deleteSavedView(db: RecordsDatabase, id: string): Promise<void> {
  await db.deleteFrom('saved_views').where('id', '=', id).execute()
}
