/** A row of a table for a test that is about some of its columns. */
import type { RecordsDatabase } from '../src/database/records.ts'

/** @param cells the columns that matter; what else the row needs is empty */
export async function insertRow(db: RecordsDatabase, table: string, cells: object): Promise<void> {
  const { columns = [] } = (await db.introspection.getTables()).find(({ name }) => name === table) ?? {}
  const needed = columns.filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)
  const empty = needed.map(({ name, dataType }) => [name, /text/i.test(dataType) ? '' : 0n])
  const row = { ...Object.fromEntries(empty), ...cells }
  await db
    .insertInto(table as 'annotations')
    .values(row)
    .execute()
}
