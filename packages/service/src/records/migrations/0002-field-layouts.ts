/**
 * Version 2 of the records: what the tables of events keep of fields beside the events.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('field_layouts')
    .addColumn('table_name', 'text', (c) => c.notNull().references('datasets.table_name').onDelete('cascade'))
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('field_layouts_key', ['table_name', 'field'])
    .execute()
  await schema.createIndex('field_layouts_by_version').on('field_layouts').column('version').execute()
}
