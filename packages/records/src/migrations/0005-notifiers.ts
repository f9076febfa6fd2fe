/**
 * Notifiers, the messages that wait for them, and what was told of an annotation. A program without them adds annotations that nobody
 * is told of, and loses nothing.
 */
import type { Kysely } from 'kysely'
import { integers, texts } from './columns.ts'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('annotations')
    .addColumn('told_worse', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .createTable('notifiers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(texts('kind', 'definition', 'encrypted_target', 'target_by', 'created_by'))
    .$call(integers('created_at_ms', 'updated_at_ms'))
    .execute()
  await createOutbox(schema)
  await schema
    .createTable('remote_marks')
    .addColumn('notifier', 'text', (c) => c.notNull().references('notifiers.id').onDelete('cascade'))
    .$call(texts('annotation', 'remote'))
    .addPrimaryKeyConstraint('remote_marks_key', ['notifier', 'annotation'])
    .execute()
}

async function createOutbox(schema: Kysely<unknown>['schema']): Promise<void> {
  await schema
    .createTable('outbox')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(integers('seq', 'attempts', 'due_at_ms', 'claimed_until_ms'))
    .addColumn('notifier', 'text', (c) => c.notNull().references('notifiers.id').onDelete('cascade'))
    .$call(texts('subject', 'notice', 'state'))
    .addColumn('first_try_ms', 'bigint')
    .addColumn('last_try_ms', 'bigint')
    .addColumn('holder', 'text')
    .addColumn('error', 'text')
    .execute()
  await schema.createIndex('outbox_by_notifier').on('outbox').columns(['notifier', 'seq']).execute()
  await schema.createIndex('outbox_by_state').on('outbox').columns(['state', 'due_at_ms']).execute()
}
