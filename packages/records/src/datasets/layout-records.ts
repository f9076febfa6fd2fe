/**
 * The columns and indexes that each table of events has for which field, as records. Queries rely on them, so that a record exists only
 * while its column or index does. They are part of the catalog and share its versions (dataset-records.ts).
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { TABLE_LAYOUT_CODEC, type TableLayout } from '../schema/datasets.ts'

export type ChangedLayout = Pick<TableLayout, 'field'> & Partial<TableLayout>

/** @param layouts without a kind, a field has none any more. @throws ServiceError `not_found` if the dataset was removed */
export async function setLayouts(db: RecordsDatabase, table: string, layouts: readonly ChangedLayout[]): Promise<void> {
  const version = await raiseVersion(db, 'catalogue')
  const dataset = await db.selectFrom('datasets').select('name').where('table_name', '=', table).executeTakeFirst()
  if (!dataset) throw new ServiceError('not_found', 'the dataset was deleted')
  for (const { field, kind = '' } of layouts) {
    await db
      .insertInto('field_layouts')
      .values({ table_name: table, field, kind, version })
      .onConflict((conflict) => conflict.columns(['table_name', 'field']).doUpdateSet({ kind, version }))
      .execute()
  }
}

/** Reads every change after the version `known`. */
export async function readLayoutChanges(db: RecordsDatabase, known: bigint): Promise<TableLayout[]> {
  const rows = await db.selectFrom('field_layouts').select(TABLE_LAYOUT_CODEC.columns).where('version', '>', known).execute()
  return rows.map(TABLE_LAYOUT_CODEC.fromRow)
}
