/**
 * Notifiers as records, with the encrypted properties that say where each sends. Deliberately not here: their kinds, keys, messages.
 */
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'
import { raiseVersion } from './versions.ts'

/** From when to when messages are held back each day: `HH:MM` on the clocks of a zone. */
export interface QuietHours {
  start: string
  end: string
  zone: string
}

/** What is told to a notifier. */
export interface NotifierDefinition {
  name: string
  /** Kinds of notices; monitors that name the notifier tell it besides. */
  events: string[]
  /** Only of annotations with one of these; empty: of any. */
  datasets: string[]
  /** Only of annotations with one of these words in their type; empty: of any. */
  types: string[]
  quietHours?: QuietHours
  /** It is told nothing before this time. */
  disabledUntilMs?: number
  /** Datasets whose annotations this notifier may report: those of the token that created it. Absent means all. */
  reach?: string[]
}

export interface NotifierRecord {
  /** Begins with `ntf_`. */
  id: string
  kind: string
  definition: NotifierDefinition
  encryptedTarget: string
  /** The token that sent the properties. */
  targetBy: string
  createdAtMs: number
  createdBy: string
  updatedAtMs: number
}

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

type NotifierRow = Selectable<Tables['notifiers']>

function fromRow(row: NotifierRow): NotifierRecord {
  return {
    id: row.id,
    kind: row.kind,
    definition: JSON.parse(row.definition) as NotifierDefinition,
    encryptedTarget: row.encrypted_target,
    targetBy: row.target_by,
    createdAtMs: Number(row.created_at_ms),
    createdBy: row.created_by,
    updatedAtMs: Number(row.updated_at_ms),
  }
}

function toRow(record: NotifierRecord): NotifierRow {
  return {
    id: record.id,
    kind: record.kind,
    definition: JSON.stringify(record.definition),
    encrypted_target: record.encryptedTarget,
    target_by: record.targetBy,
    created_at_ms: BigInt(record.createdAtMs),
    created_by: record.createdBy,
    updated_at_ms: BigInt(record.updatedAtMs),
  }
}
