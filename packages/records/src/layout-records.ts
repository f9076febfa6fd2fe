/**
 * What each table of events keeps of which field beside the events, as records: a service that answers queries goes by them, so they
 * say that something is there only while it is. Part of the catalogue, with its versions (dataset-records.ts).
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { RecordsDatabase } from './records.ts'
import { raiseVersion } from './versions.ts'

/** A kind, or '' where nothing is kept of the field any more. */
export interface StoredLayout {
  field: string
  kind: string
}

/** @throws ServiceError `not_found` where the dataset is gone */
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

/** Everything that changed in versions after `known`. */
export async function readLayoutChanges(db: RecordsDatabase, known: bigint): Promise<(StoredLayout & { table: string })[]> {
  const rows = await db.selectFrom('field_layouts').select(['table_name', 'field', 'kind']).where('version', '>', known).execute()
  return rows.map(({ table_name, field, kind }) => ({ table: table_name, field, kind }))
}
