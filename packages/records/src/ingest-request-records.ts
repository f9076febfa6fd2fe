/**
 * Ingest requests whose rows might be stored in part or twice, as records: their state, where their rows are, and their answer.
 * Deliberately not here: the conclusions from the rows that are found.
 */
import { randomBytes } from 'node:crypto'
import type { Records, RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

/** `storing`: none, some or all of its rows are stored; `done`: all are, and the request was answered. */
type IngestRequestState = 'storing' | 'done'

export interface NewIngestRequest {
  /** A hash over token, dataset and Idempotency-Key; absent if no key was sent. */
  key?: string
  /** A hash over body and options. */
  payload: string
  /** The table of the dataset. */
  table: string
  /** The table in which the rows of a large request wait. */
  stagingTable?: string
  /** Identifies the rows: all rows of the request have this time, and no others. The three times are decimal nanoseconds. */
  sysTimeNs: string
  firstTimeNs: string
  lastTimeNs: string
  /** How many rows the request has; negative while they are still arriving. */
  rows: number
  /** The answer if everything is stored. */
  result: string
  /** The service that stores the rows; see leases.ts. */
  holder: string
}

export interface StoredIngestRequest extends NewIngestRequest {
  id: string
  state: IngestRequestState
  createdAtMs: number
}

/**
 * @param replaced an earlier record of the same rows, which is deleted
 * @returns the record; `undefined` if its key is taken
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

/** @returns whether its holder was still storing it; if not, another service has settled it */
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

/** @returns whether there was such a record that was still being stored */
export async function deleteIngestRequest(db: RecordsDatabase, { id }: StoredIngestRequest): Promise<boolean> {
  const gone = await db
    .deleteFrom('ingest_requests')
    .where('id', '=', id)
    .where('state', '=', 'storing')
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Deletes the record of a request that was answered, and whose rows are gone. */
export async function deleteAnsweredRequest(db: RecordsDatabase, { id }: StoredIngestRequest): Promise<void> {
  await db.deleteFrom('ingest_requests').where('id', '=', id).where('state', '=', 'done').execute()
}

/** Lists the requests that were being stored by services that have ended. */
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

export async function isHolderAlive({ read, nowMs }: Pick<Records, 'read' | 'nowMs'>, holder: string): Promise<boolean> {
  const lease = await read
    .selectFrom('leases')
    .select('name')
    .where('holder', '=', holder)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst()
  return lease !== undefined
}

/** Deletes the records of requests that ended before `beforeMs`. @param key deletes only the record with this key */
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
