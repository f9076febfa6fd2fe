/**
 * The datasets that the token reaches which said where an integration marks, as JSON; null: all, and those of earlier versions.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('integrations').addColumn('reach', 'text').execute()
}
