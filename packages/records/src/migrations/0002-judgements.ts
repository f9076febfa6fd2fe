/**
 * What the service itself knows of an annotation: whether it goes on, when it is judged next, and what was found.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('annotations')
    .addColumn('is_open', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  // SQLite adds one column with a statement.
  for (const column of ['verdict', 'judgement'] as const)
    await schema.alterTable('annotations').addColumn(column, 'text').execute()
  await schema.alterTable('annotations').addColumn('judge_at_ms', 'bigint').execute()
  await schema.createIndex('annotations_by_judge_at').on('annotations').column('judge_at_ms').execute()
}
