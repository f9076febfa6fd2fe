/**
 * Saved views as records. Changes are part of a transaction. Deliberately not here: the rules that a view obeys.
 */
import type { NewSavedView } from '@deployment-annotations/contract/schemas/saved-view'
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

/** What a person saves; every member is there. */
export type SavedViewDefinition = Required<NewSavedView>

export interface SavedViewRecord {
  id: string
  definition: SavedViewDefinition
  /** Raised by every change; 1 at first. */
  version: number
  /** Id of the token. */
  createdBy: string
  createdAtMs: number
  updatedAtMs: number
}

/** @returns all there are, the oldest first */
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

/** As {@link findSavedView}, and keeps others from changing it until the transaction ends. */
export async function lockSavedView(db: RecordsDatabase, id: string): Promise<SavedViewRecord | undefined> {
  const row = await db.selectFrom('saved_views').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && fromRow(row)
}

export async function insertSavedView(db: RecordsDatabase, record: SavedViewRecord): Promise<void> {
  await db
    .insertInto('saved_views')
    .values({
      id: record.id,
      version: BigInt(record.version),
      definition: JSON.stringify(record.definition),
      created_by: record.createdBy,
      created_at_ms: BigInt(record.createdAtMs),
      updated_at_ms: BigInt(record.updatedAtMs),
    })
    .execute()
}

/** After {@link lockSavedView}. */
export async function updateSavedView(
  db: RecordsDatabase,
  { id, version, definition, updatedAtMs }: Pick<SavedViewRecord, 'id' | 'version' | 'definition' | 'updatedAtMs'>,
): Promise<void> {
  const row = { version: BigInt(version), definition: JSON.stringify(definition), updated_at_ms: BigInt(updatedAtMs) }
  await db.updateTable('saved_views').set(row).where('id', '=', id).execute()
}

/** After {@link lockSavedView}. */
export async function deleteSavedView(db: RecordsDatabase, id: string): Promise<void> {
  await db.deleteFrom('saved_views').where('id', '=', id).execute()
}

function fromRow(row: Selectable<Tables['saved_views']>): SavedViewRecord {
  return {
    id: row.id,
    version: Number(row.version),
    definition: JSON.parse(row.definition) as SavedViewDefinition,
    createdBy: row.created_by,
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
  }
}
