/**
 * Notifiers as records, with the encrypted properties that say where each sends. Deliberately not here: their kinds, keys, messages.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { NOTIFIER_CODEC, type NotifierRecord } from '../schema/notifiers.ts'

export type { NotifierDefinition, NotifierRecord } from '../schema/notifiers.ts'

const { fromRow, toRow } = NOTIFIER_CODEC

/** @returns all of them, the oldest first */
export async function listNotifiers(db: RecordsDatabase): Promise<NotifierRecord[]> {
  return (await db.selectFrom('notifiers').selectAll().orderBy('id').execute()).map(fromRow)
}

export async function findNotifier(db: RecordsDatabase, id: string): Promise<NotifierRecord | undefined> {
  const row = await db.selectFrom('notifiers').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Begins a transaction that changes notifiers: nobody else changes them until it ends. @returns all of them */
export async function lockNotifiers(db: RecordsDatabase): Promise<NotifierRecord[]> {
  await raiseVersion(db, 'notifiers')
  return listNotifiers(db)
}

/** Call it after {@link lockNotifiers}. */
export async function insertNotifier(db: RecordsDatabase, record: NotifierRecord): Promise<void> {
  await db.insertInto('notifiers').values(toRow(record)).execute()
}

/** Replaces the one with the same id. Call it after {@link lockNotifiers}. */
export async function updateNotifier(db: RecordsDatabase, record: NotifierRecord): Promise<void> {
  const { id, ...row } = toRow(record)
  await db.updateTable('notifiers').set(row).where('id', '=', id).execute()
}

/** With all its messages. Call it after {@link lockNotifiers}. */
export async function deleteNotifier(db: RecordsDatabase, id: string): Promise<void> {
  await db.deleteFrom('outbox').where('notifier', '=', id).execute()
  await db.deleteFrom('notifiers').where('id', '=', id).execute()
}
