/**
 * How an integration reads other bodies than our own, as JSON.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('integrations').addColumn('mapping', 'text').execute()
}
