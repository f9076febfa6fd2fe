/** Adds the fields of a dataset that get a column or an index because somebody named them. */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('datasets')
    .addColumn('indexed_fields', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}
