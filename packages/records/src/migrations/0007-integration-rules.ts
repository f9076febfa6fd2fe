/**
 * The rules by which one integration marks deployments on several datasets, as JSON.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('integrations')
    .addColumn('rules', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}
