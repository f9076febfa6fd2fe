/**
 * Ingest requests whose rows might be stored in part or twice, as records: their state, where their rows are, and their answer.
 * Deliberately not here: the conclusions from the rows that are found.
 */
import { randomBytes } from 'node:crypto'
import { inStatements } from '../database/bulk.ts'
import type { Records, RecordsDatabase } from '../database/records.ts'
import { INGEST_REQUEST_CODEC, type NewIngestRequest, type StoredIngestRequest } from '../schema/datasets.ts'

export type { NewIngestRequest, StoredIngestRequest } from '../schema/datasets.ts'

const { fromRow, toRow } = INGEST_REQUEST_CODEC

export interface BeginningRequest {
  request: NewIngestRequest
  /** An earlier record of the same rows, which is deleted. */
  replaced?: StoredIngestRequest | undefined
}

/** @returns a record for each request, in their order; `undefined` for one whose key is taken */
export async function insertIngestRequests(
  db: RecordsDatabase,
  beginning: readonly BeginningRequest[],
  createdAtMs: number,
): Promise<(StoredIngestRequest | undefined)[]> {
  const records = beginning.map(({ request }): StoredIngestRequest => {
    return { ...request, id: randomBytes(12).toString('hex'), state: 'storing', createdAtMs }
  })
  // Services that wait for each other's keys have them in the same order.
  const inOrder = records.toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
  const rows = await inStatements(inOrder.map(toRow), (some) =>
    db
      .insertInto('ingest_requests')
      .values(some)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id')
      .execute(),
  )
  const inserted = new Set(rows.map(({ id }) => id))
  const replaced = beginning.flatMap(({ replaced }, i) => (replaced && inserted.has(records[i]?.id ?? '') ? [replaced] : []))
  await deleteIngestRequests(db, replaced)
  return records.map((record) => (inserted.has(record.id) ? record : undefined))
}

/** @returns those of the requests with these keys that there are */
export async function findIngestRequests(db: RecordsDatabase, keys: readonly string[]): Promise<StoredIngestRequest[]> {
  const rows = await inStatements(keys, (some) => db.selectFrom('ingest_requests').selectAll().where('key', 'in', some).execute())
  return rows.map(fromRow)
}

export interface EndedRequest {
  record: StoredIngestRequest
  /** The answer to keep. */
  result: string
}

/**
 * Ends requests: those with a key are kept with their answer, the others are forgotten.
 * @returns whether each was still being stored by its holder; if not, another service has settled it
 */
export async function endIngestRequests(db: RecordsDatabase, ended: readonly EndedRequest[]): Promise<boolean[]> {
  const unkeyed = ended.filter(({ record }) => record.key === undefined).map(({ record }) => record)
  const done = await deleteIngestRequests(db, unkeyed)
  const sets = new Map<string, { holder: string; result: string | undefined; ids: string[] }>()
  for (const { record, result } of ended) {
    if (record.key === undefined) continue
    // Nearly all have the answer that their record has already.
    const set = { holder: record.holder, result: result === record.result ? undefined : result, ids: [] as string[] }
    const name = JSON.stringify([set.holder, set.result])
    sets.set(name, sets.get(name) ?? set)
    sets.get(name)?.ids.push(record.id)
  }
  for (const { holder, result, ids } of sets.values())
    for (const id of await inStatements(ids, (some) => finishAll(db, some, holder, result))) done.add(id)
  return ended.map(({ record }) => done.has(record.id))
}

/** @returns the ids of those that their holder was still storing */
async function finishAll(db: RecordsDatabase, ids: readonly string[], holder: string, result?: string): Promise<string[]> {
  const rows = await db
    .updateTable('ingest_requests')
    .set({ state: 'done', staging_table: null, ...(result !== undefined && { result }) })
    .where('id', 'in', ids)
    .where(({ and }) => and({ holder, state: 'storing' }))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Forgets requests that are still being stored. @returns the ids of those that were */
export async function deleteIngestRequests(db: RecordsDatabase, requests: readonly StoredIngestRequest[]): Promise<Set<string>> {
  const ids = requests.map(({ id }) => id)
  const gone = await inStatements(ids, (some) =>
    db.deleteFrom('ingest_requests').where('id', 'in', some).where('state', '=', 'storing').returning('id').execute(),
  )
  return new Set(gone.map(({ id }) => id))
}

/** Deletes the record of a request that was answered, and whose rows are gone. */
export async function deleteAnsweredRequest(db: RecordsDatabase, { id }: StoredIngestRequest): Promise<void> {
  await db.deleteFrom('ingest_requests').where('id', '=', id).where('state', '=', 'done').execute()
}

type Leases = Pick<Records, 'read' | 'nowMs'>
const holdersAlive = ({ read, nowMs }: Leases) => read.selectFrom('leases').select('holder').where('expires_at_ms', '>', nowMs)

/** Lists the requests that were being stored by services that have ended. */
export async function listAbandonedRequests(records: Leases): Promise<StoredIngestRequest[]> {
  const rows = await records.read
    .selectFrom('ingest_requests')
    .selectAll()
    .where('state', '=', 'storing')
    .where('holder', 'not in', holdersAlive(records))
    .orderBy('created_at_ms')
    .execute()
  return rows.map(fromRow)
}

export async function isHolderAlive(records: Leases, holder: string): Promise<boolean> {
  return (await holdersAlive(records).where('holder', '=', holder).executeTakeFirst()) !== undefined
}

/** Deletes the records of requests that ended before `beforeMs`. @param key deletes only the record with this key */
export async function forgetIngestRequests(db: RecordsDatabase, beforeMs: number, key?: string): Promise<void> {
  let query = db.deleteFrom('ingest_requests').where('state', '=', 'done').where('created_at_ms', '<', BigInt(beforeMs))
  if (key !== undefined) query = query.where('key', '=', key)
  await query.execute()
}
