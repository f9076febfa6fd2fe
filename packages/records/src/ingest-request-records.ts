/**
 * Requests with events as records, for those whose rows might be there in part or twice: that they are being stored, where their
 * rows are, and what was answered. Deliberately not here: what is concluded from the rows that are found.
 */
import { randomBytes } from 'node:crypto'
import type { Records, RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

/** `storing`: its rows may be there, in part or whole; `done`: all are, and it was answered. */
type IngestRequestState = 'storing' | 'done'

/** What is to be stored. */
export interface NewIngestRequest {
  /** Hash over token, dataset and Idempotency-Key; absent where none was sent. */
  key?: string
  /** Hash over body and options. */
  payload: string
  /** Table of the dataset. */
  table: string
  /** Where the rows wait, for a large request. */
  stagingTable?: string
  /** All rows of the request have it, and no others; nanoseconds, decimal, as the other two. */
  sysTimeNs: string
  firstTimeNs: string
  lastTimeNs: string
  /** How many there are to be. Below 0: not known, because they are still coming. */
  rows: number
  /** The answer if all goes well. */
  result: string
  /** The service that stores it; see leases. */
  holder: string
}

export interface StoredIngestRequest extends NewIngestRequest {
  id: string
  state: IngestRequestState
  createdAtMs: number
}

/**
 * @param replaced the record of the same rows from before all was known of them, which goes
 * @returns the record, `undefined` where its key is taken
 */
export async function insertIngestRequest(
  db: RecordsDatabase,
  request: NewIngestRequest,
  createdAtMs: number,
  replaced?: StoredIngestRequest,
): Promise<StoredIngestRequest | undefined> {
  const record: StoredIngestRequest = { ...request, id: randomBytes(12).toString('hex'), state: 'storing', createdAtMs }
  const stored = await db
    .insertInto('ingest_requests')
    .values(toRow(record))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!stored) return undefined
  if (replaced) await deleteIngestRequest(db, replaced)
  return record
}

export async function findIngestRequest(db: RecordsDatabase, key: string): Promise<StoredIngestRequest | undefined> {
  const row = await db.selectFrom('ingest_requests').selectAll().where('key', '=', key).executeTakeFirst()
  return row && fromRow(row)
}

/** @returns whether it was still being stored by its holder: otherwise somebody else has settled it */
export async function finishIngestRequest(
  db: RecordsDatabase,
  { id, holder }: StoredIngestRequest,
  result: string,
): Promise<boolean> {
  const finished = await db
    .updateTable('ingest_requests')
    .set({ state: 'done', result, staging_table: null })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', 'storing')
    .returning('id')
    .executeTakeFirst()
  return finished !== undefined
}

/** @returns whether it was there, being stored */
export async function deleteIngestRequest(db: RecordsDatabase, { id }: StoredIngestRequest): Promise<boolean> {
  const gone = await db
    .deleteFrom('ingest_requests')
    .where('id', '=', id)
    .where('state', '=', 'storing')
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Those that were being stored by services that are gone. */
export async function listAbandonedRequests({ read, nowMs }: Pick<Records, 'read' | 'nowMs'>): Promise<StoredIngestRequest[]> {
  const rows = await read
    .selectFrom('ingest_requests')
    .selectAll()
    .where('state', '=', 'storing')
    .where('holder', 'not in', (of) => of.selectFrom('leases').select('holder').where('expires_at_ms', '>', nowMs))
    .orderBy('created_at_ms')
    .execute()
  return rows.map(fromRow)
}

/** Whether a service holds any lease. */
export async function isHolderAlive({ read, nowMs }: Pick<Records, 'read' | 'nowMs'>, holder: string): Promise<boolean> {
  const lease = await read
    .selectFrom('leases')
    .select('name')
    .where('holder', '=', holder)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst()
  return lease !== undefined
}

/** Forgets those that ended before `beforeMs`. @param key only this one */
export async function forgetIngestRequests(db: RecordsDatabase, beforeMs: number, key?: string): Promise<void> {
  let query = db.deleteFrom('ingest_requests').where('state', '=', 'done').where('created_at_ms', '<', BigInt(beforeMs))
  if (key !== undefined) query = query.where('key', '=', key)
  await query.execute()
}

function toRow(request: StoredIngestRequest) {
  return {
    id: request.id,
    key: request.key ?? null,
    payload: request.payload,
    state: request.state,
    table_name: request.table,
    staging_table: request.stagingTable ?? null,
    sys_time_ns: BigInt(request.sysTimeNs),
    first_time_ns: BigInt(request.firstTimeNs),
    last_time_ns: BigInt(request.lastTimeNs),
    rows: BigInt(request.rows),
    result: request.result,
    holder: request.holder,
    created_at_ms: BigInt(request.createdAtMs),
  }
}

function fromRow(row: Tables['ingest_requests']): StoredIngestRequest {
  return {
    id: row.id,
    ...(row.key !== null && { key: row.key }),
    payload: row.payload,
    state: row.state as IngestRequestState,
    table: row.table_name,
    ...(row.staging_table !== null && { stagingTable: row.staging_table }),
    sysTimeNs: String(row.sys_time_ns),
    firstTimeNs: String(row.first_time_ns),
    lastTimeNs: String(row.last_time_ns),
    rows: Number(row.rows),
    result: row.result,
    holder: row.holder,
    createdAtMs: Number(row.created_at_ms),
  }
}
