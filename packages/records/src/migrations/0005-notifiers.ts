/**
 * Notifiers, the messages that wait for them, and what was told of an annotation. A program without them adds annotations that nobody
 * is told of, and loses nothing.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('annotations')
    .addColumn('told_worse', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .createTable('notifiers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('definition', 'text', (c) => c.notNull())
    .addColumn('encrypted_target', 'text', (c) => c.notNull())
    .addColumn('target_by', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await createOutbox(schema)
  await schema
    .createTable('remote_marks')
    .addColumn('notifier', 'text', (c) => c.notNull().references('notifiers.id').onDelete('cascade'))
    .addColumn('annotation', 'text', (c) => c.notNull())
    .addColumn('remote', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('remote_marks_key', ['notifier', 'annotation'])
    .execute()
}

async function createOutbox(schema: Kysely<unknown>['schema']): Promise<void> {
  await schema
    .createTable('outbox')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('notifier', 'text', (c) => c.notNull().references('notifiers.id').onDelete('cascade'))
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('notice', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'bigint', (c) => c.notNull())
    .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('first_try_ms', 'bigint')
    .addColumn('last_try_ms', 'bigint')
    .addColumn('claimed_until_ms', 'bigint', (c) => c.notNull())
    .addColumn('holder', 'text')
    .addColumn('error', 'text')
    .execute()
  await schema.createIndex('outbox_by_notifier').on('outbox').columns(['notifier', 'seq']).execute()
  await schema.createIndex('outbox_by_state').on('outbox').columns(['state', 'due_at_ms']).execute()
}
