/**
 * What people say of where an annotation belongs: its service, environment, version and tags, as JSON.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('annotations').addColumn('tags', 'text').execute()
}
