/**
 * Notifiers as records, with the encrypted properties that say where each sends. Deliberately not here: their kinds, keys, messages.
 */

import { recordTable } from '../database/record-table.ts'
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { NOTIFIER_CODEC, type NotifierRecord } from '../schema/notifiers.ts'

export type { NotifierDefinition, NotifierRecord } from '../schema/notifiers.ts'

const NOTIFIERS = recordTable('notifiers', NOTIFIER_CODEC)
export const { list: listNotifiers, find: findNotifier } = NOTIFIERS
/** To be called after {@link lockNotifiers}. */
export const { insert: insertNotifier, update: updateNotifier } = NOTIFIERS

/** Begins a transaction that changes notifiers: nobody else changes them until it ends. @returns all of them */
export async function lockNotifiers(db: RecordsDatabase): Promise<NotifierRecord[]> {
  await raiseVersion(db, 'notifiers')
  return listNotifiers(db)
}

/** With all its messages. Call it after {@link lockNotifiers}. */
export async function deleteNotifier(db: RecordsDatabase, id: string): Promise<void> {
  await db.deleteFrom('outbox').where('notifier', '=', id).execute()
  await NOTIFIERS.remove(db, id)
}
