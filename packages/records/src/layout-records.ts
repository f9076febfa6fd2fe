/**
 * The columns and indexes that each table of events has for which field, as records. Queries rely on them, so that a record exists only
 * while its column or index does. They are part of the catalog and share its versions (dataset-records.ts).
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { RecordsDatabase } from './records.ts'
import { raiseVersion } from './versions.ts'

/** The kind is '' if there is no longer anything for the field. */
export interface StoredLayout {
  field: string
  kind: string
}

/** @throws ServiceError `not_found` if the dataset was removed */
export async function setLayouts(db: RecordsDatabase, table: string, layouts: readonly StoredLayout[]): Promise<void> {
  const version = await raiseVersion(db, 'catalogue')
  const dataset = await db.selectFrom('datasets').select('name').where('table_name', '=', table).executeTakeFirst()
  if (!dataset) throw new ServiceError('not_found', 'the dataset was deleted')
  for (const { field, kind } of layouts) {
    await db
      .insertInto('field_layouts')
      .values({ table_name: table, field, kind, version })
      .onConflict((conflict) => conflict.columns(['table_name', 'field']).doUpdateSet({ kind, version }))
      .execute()
  }
}

/** Reads every change after the version `known`. */
export async function readLayoutChanges(db: RecordsDatabase, known: bigint): Promise<(StoredLayout & { table: string })[]> {
  const rows = await db.selectFrom('field_layouts').select(['table_name', 'field', 'kind']).where('version', '>', known).execute()
  return rows.map(({ table_name, field, kind }) => ({ table: table_name, field, kind }))
}
