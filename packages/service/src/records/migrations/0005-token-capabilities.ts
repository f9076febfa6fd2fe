/**
 * Tokens by dataset: what a token may do with each, when it expires, and a text for people. Those of before keep their permissions,
 * which are for all datasets.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  // One statement for each: SQLite adds one column at a time.
  await schema
    .alterTable('tokens')
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await schema.alterTable('tokens').addColumn('capabilities', 'text').execute()
  await schema.alterTable('tokens').addColumn('expires_at_ms', 'bigint').execute()
}
