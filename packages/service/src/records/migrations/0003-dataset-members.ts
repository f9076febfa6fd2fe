/**
 * What a dataset has besides its events: its kind, where it was meant to be stored, and how its fields are seen. Virtual fields are
 * kept with their dataset, so that they come and go with it, and every service knows of them when it knows of the dataset.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  const add = (column: string, value: string) =>
    schema
      .alterTable('datasets')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(value))
      .execute()
  await add('kind', 'axiom:events:v1')
  await add('edge_deployment', '')
  await add('map_fields', '[]')
  await add('virtual_fields', '[]')
}
