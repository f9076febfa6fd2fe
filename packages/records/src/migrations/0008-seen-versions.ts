/**
 * The versions that were seen in events, so that each is marked once. A program without them marks none.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('seen_versions')
    .addColumn('table_name', 'text', (c) => c.notNull())
    .addColumn('service', 'text', (c) => c.notNull())
    .addColumn('environment', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('first_ns', 'bigint', (c) => c.notNull())
    .addColumn('last_ns', 'bigint', (c) => c.notNull())
    .addColumn('since_ns', 'bigint', (c) => c.notNull())
    .addColumn('annotation', 'text')
    .addPrimaryKeyConstraint('seen_versions_key', ['table_name', 'service', 'environment', 'version'])
    .execute()
  await schema
    .createIndex('seen_versions_by_service')
    .on('seen_versions')
    .columns(['service', 'environment', 'version'])
    .execute()
}
