/**
 * The outbox: messages are written in the transaction that makes what they tell, and delivered by whichever service claims them. A claim
 * ends by itself, so that a message whose service was killed is delivered by another.
 * Deliberately not here: what a message says, where it goes, when it is tried again.
 */
import { randomUUID } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Due, Records, RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { MESSAGE_CODEC, type StoredMessage } from '../schema/notifiers.ts'
import type { Tables } from '../schema/tables.ts'

export type { StoredMessage } from '../schema/notifiers.ts'

const { fromRow, toChange } = MESSAGE_CODEC

/** Messages of one notifier that wait; of more, the oldest fail. */
const WAITING_MAX = 1_000
/** Messages of one notifier that do not wait any more, and are listed. */
const DONE_KEPT = 50
const QUEUE_FULL = `more than ${WAITING_MAX.toLocaleString('en')} messages waited`

/** Part of the transaction that makes what is told. @param notifiers their ids */
export async function insertMessages(
  db: RecordsDatabase,
  notifiers: readonly string[],
  { subject, notice }: Pick<StoredMessage, 'subject' | 'notice'>,
): Promise<void> {
  if (notifiers.length === 0) return
  const seq = await raiseVersion(db, 'outbox')
  const fresh = { seq, subject, notice, state: 'waiting', attempts: 0n, due_at_ms: 0n, claimed_until_ms: 0n }
  const rows = notifiers.map((notifier) => ({ ...fresh, id: `msg_${randomUUID().replaceAll('-', '')}`, notifier }))
  await db.insertInto('outbox').values(rows).execute()
  for (const notifier of notifiers) await limitWaiting(db, notifier)
}

async function limitWaiting(db: RecordsDatabase, notifier: string): Promise<void> {
  const waiting = db.selectFrom('outbox').select('seq').where('notifier', '=', notifier).where('state', '=', 'waiting')
  const newestOld = waiting.orderBy('seq', 'desc').offset(WAITING_MAX).limit(1)
  await db
    .updateTable('outbox')
    .set({ state: 'failed', error: QUEUE_FULL })
    .where(({ and }) => and({ notifier, state: 'waiting' }))
    .where('seq', '<=', newestOld)
    .execute()
}

/** @returns the first message of each notifier first, then the next of each; of a subject only the oldest that waits */
export async function readDueMessages({ read, nowMs }: Records, now: number, dueMax: number): Promise<Due<StoredMessage>> {
  const waiting = read.selectFrom('outbox').where('state', '=', 'waiting')
  const rows = await waiting
    .selectAll()
    .where('due_at_ms', '<=', BigInt(now))
    .where('claimed_until_ms', '<=', nowMs)
    .where(isFirst)
    // Many messages of one notifier must not hide those of others.
    .orderBy(sql`row_number() over (partition by notifier order by seq)`)
    .orderBy('seq')
    .limit(dueMax)
    .execute()
  const later = waiting.where('due_at_ms', '>', BigInt(now)).orderBy('due_at_ms').limit(1)
  const next = await later.select('due_at_ms').executeTakeFirst()
  return { due: rows.map(fromRow), ...(next && { nextMs: Number(next.due_at_ms) }) }
}

/** Of the messages of the same notifier about the same subject that wait, it was written first: one step in an index for each message. */
function isFirst({ eb, selectFrom }: ExpressionBuilder<Tables, 'outbox'>) {
  const first = selectFrom('outbox as other')
    .select(({ fn }) => fn.min('other.seq').as('seq'))
    .whereRef('other.notifier', '=', 'outbox.notifier')
    .whereRef('other.subject', '=', 'outbox.subject')
    .where('other.state', '=', 'waiting')
  return eb('outbox.seq', '=', first)
}

/**
 * Part of a transaction: takes a message for this service alone, until the claim ends.
 * @returns it as it is now; `undefined` where another service was faster, or it does not wait any more
 */
export async function claimMessage(
  db: RecordsDatabase,
  { nowMs }: Pick<Records, 'nowMs'>,
  id: string,
  { holder, claimMs }: { holder: string; claimMs: number },
): Promise<StoredMessage | undefined> {
  const row = await db
    .updateTable('outbox')
    .set({ holder, claimed_until_ms: sql<bigint>`${nowMs} + ${BigInt(claimMs)}` })
    .where(({ and }) => and({ id, state: 'waiting' }))
    .where('claimed_until_ms', '<=', nowMs)
    .where(isFirst)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** What a try changes. */
export type MessageChange = Pick<StoredMessage, 'state' | 'attempts' | 'dueAtMs'> &
  Partial<Pick<StoredMessage, 'firstTryMs' | 'lastTryMs' | 'error'>>

/** Part of a transaction. Changes nothing if the claim is not this service's any more. */
export async function releaseMessage(
  db: RecordsDatabase,
  { id, notifier }: StoredMessage,
  holder: string,
  change: MessageChange,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({
      ...toChange({ ...change, dueAtMs: Math.round(change.dueAtMs), error: change.error }),
      claimed_until_ms: 0n,
      holder: null,
    })
    .where(({ and }) => and({ id, holder, state: 'waiting' }))
    .execute()
  if (change.state !== 'waiting') await forgetDone(db, notifier)
}

async function forgetDone(db: RecordsDatabase, notifier: string): Promise<void> {
  const done = db.selectFrom('outbox').select('seq').where('notifier', '=', notifier).where('state', '!=', 'waiting')
  const newestOld = done.orderBy('seq', 'desc').offset(DONE_KEPT).limit(1)
  await db
    .deleteFrom('outbox')
    .where('notifier', '=', notifier)
    .where('state', '!=', 'waiting')
    .where('seq', '<=', newestOld)
    .execute()
}

/** @returns the newest messages of a notifier, the newest first */
export async function listMessages(db: RecordsDatabase, notifier: string): Promise<StoredMessage[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('notifier', '=', notifier)
    .orderBy('seq', 'desc')
    .limit(DONE_KEPT)
    .execute()
  return rows.map(fromRow)
}
