/**
 * The versions that were seen in events, so that each is marked once. A program without them marks none.
 */
import type { Kysely } from 'kysely'
import { integers, texts } from './columns.ts'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('seen_versions')
    .$call(texts('table_name', 'service', 'environment', 'version'))
    .$call(integers('first_ns', 'last_ns', 'since_ns'))
    .addColumn('annotation', 'text')
    .addPrimaryKeyConstraint('seen_versions_key', ['table_name', 'service', 'environment', 'version'])
    .execute()
  await schema
    .createIndex('seen_versions_by_service')
    .on('seen_versions')
    .columns(['service', 'environment', 'version'])
    .execute()
}
