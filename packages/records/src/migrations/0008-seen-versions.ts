/**
 * The versions that were seen in events, so that each is marked once. A program without them marks none.
 */
import type { Kysely } from 'kysely'
import { createIndex, createTable, integers, keyOf, optionalTexts, texts } from './columns.ts'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await createTable(
    schema,
    'seen_versions',
    texts('table_name', 'service', 'environment', 'version'),
    integers('first_ns', 'last_ns', 'since_ns'),
    optionalTexts('annotation'),
    keyOf('seen_versions_key', 'table_name', 'service', 'environment', 'version'),
  )
  await createIndex(schema, 'seen_versions_by_service', 'service', 'environment', 'version')
}
