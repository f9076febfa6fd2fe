/**
 * Notifiers, the messages that wait for them, and what was told of an annotation. A program without them adds annotations that nobody
 * is told of, and loses nothing.
 */
import type { Kysely } from 'kysely'
import {
  addColumns,
  createIndex,
  createTable,
  integers,
  integersBy,
  key,
  keyOf,
  optionalIntegers,
  optionalTexts,
  owners,
  texts,
} from './columns.ts'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await addColumns(schema, 'annotations', integersBy(0)('told_worse'))
  await createTable(
    schema,
    'notifiers',
    key('id'),
    texts('kind', 'definition', 'encrypted_target', 'target_by', 'created_by'),
    integers('created_at_ms', 'updated_at_ms'),
  )
  const ofNotifier = owners('notifiers.id')('notifier')
  await createTable(
    schema,
    'outbox',
    key('id'),
    integers('seq', 'attempts', 'due_at_ms', 'claimed_until_ms'),
    ofNotifier,
    texts('subject', 'notice', 'state'),
    optionalIntegers('first_try_ms', 'last_try_ms'),
    optionalTexts('holder', 'error'),
  )
  await createIndex(schema, 'outbox_by_notifier', 'notifier', 'seq')
  await createIndex(schema, 'outbox_by_state', 'state', 'due_at_ms')
  const remoteKey = keyOf('remote_marks_key', 'notifier', 'annotation')
  await createTable(schema, 'remote_marks', ofNotifier, texts('annotation', 'remote'), remoteKey)
}
