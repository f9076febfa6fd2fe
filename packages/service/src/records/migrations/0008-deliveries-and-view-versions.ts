/**
 * The last webhooks of each integration, and what became of them; how often a saved view was changed.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('integration', 'text', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('deployment', 'text')
    .addColumn('annotation', 'text')
    .addColumn('reason', 'text')
    .execute()
  await schema
    .alterTable('saved_views')
    .addColumn('version', 'bigint', (c) => c.notNull().defaultTo(1))
    .execute()
  await schema.createIndex('deliveries_by_integration').on('deliveries').columns(['integration', 'id']).execute()
}
