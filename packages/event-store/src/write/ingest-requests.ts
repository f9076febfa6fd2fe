/**
 * Requests whose rows are stored wholly, once, wherever the process or the engine ends: those with an Idempotency-Key, large ones,
 * and on a cluster all.
 *
 * Before rows are inserted, a record says which they are: all rows of a request have a time in `_sysTime` that no other request
 * has. So a service that finds the record of a service that is gone, or of an insert whose answer was lost, counts them: all of them are
 * there, and the request is done; or none; or a part, which is removed. A request is acknowledged only while its record is still
 * its holder's, so nothing is acknowledged that somebody else has settled. Keys are remembered for 24 hours.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  deleteIngestRequest,
  findIngestRequest,
  finishIngestRequest,
  forgetIngestRequests,
  insertIngestRequest,
  isHolderAlive,
  listAbandonedRequests,
  type NewIngestRequest,
  type StoredIngestRequest,
} from '@deployment-annotations/records/ingest-request-records'
import { lostNumber } from '@deployment-annotations/records/node-lease'
import type { Records } from '@deployment-annotations/records/records'
import {
  InFlight,
  type KeyedRequest,
  REMEMBERED_MS,
  reusedKey,
  stillUnderWay,
} from '@deployment-annotations/runtime/concurrency/in-flight'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { RequestExtent } from '../rows/ingest-counts.ts'
import type { EventTables } from '../tables/event-tables.ts'

/** How long a repeat waits for another service to end the first one. */
const WAIT_MS_MAX = 2_000
const LOOK_AGAIN_MS = 50

/** What is stored once. */
interface IngestAttempt extends Omit<NewIngestRequest, 'key' | 'payload' | 'holder'> {
  /** Of the same rows, from before all was known of them. */
  begun?: StoredIngestRequest | undefined
  /** Stores the rows. @returns the answer that counts */
  store(): Promise<string>
}

interface IngestRequestsParts {
  records: Records
  tables: Pick<EventTables, 'count' | 'removeRequest'>
  /** Names this service among the holders of leases. */
  holder: () => string
  /** Tables that there should be and are not. */
  missing?: ReadonlyMap<string, unknown>
  clock: () => number
}

export class IngestRequests {
  readonly #parts: IngestRequestsParts
  readonly #inFlight = new InFlight<string>()

  constructor(parts: IngestRequestsParts) {
    this.#parts = parts
  }

  /**
   * A request with a key.
   * @returns the answer, of this attempt or of the first one with the key
   * @throws ServiceError `invalid` and `in_flight`, see {@link InFlight.once}; whatever the attempt rejects with
   */
  once(request: KeyedRequest, attempt: IngestAttempt): Promise<string> {
    return this.#inFlight.once(request, {
      find: () => this.#find(request),
      make: () => this.#make(attempt, request),
    })
  }

  /** A request without a key, all of it or none. */
  async whole(attempt: IngestAttempt): Promise<string> {
    return this.#make(attempt)
  }

  /** To be called before the first rows of a request go to the table of its dataset while others of it are still coming. */
  async begin(request: Omit<NewIngestRequest, 'payload' | 'holder' | 'result' | 'rows'>): Promise<StoredIngestRequest> {
    const { records, holder, clock } = this.#parts
    const begun = { ...request, payload: '', result: '', rows: -1, holder: holder() }
    const record = await records.transaction((db) => insertIngestRequest(db, begun, clock()))
    if (!record) throw new Error('a request without a key has the key of another')
    return record
  }

  /** Removes the rows of a request that was begun and came to nothing. What cannot be removed now is left to others. */
  async abandon(begun: StoredIngestRequest): Promise<void> {
    await this.#settle(begun).catch(() => undefined)
  }

  /** Finds out what became of the requests of services that are gone, and forgets old keys. */
  async upkeep(): Promise<void> {
    const { records, clock } = this.#parts
    for (const request of await listAbandonedRequests(records)) {
      // What is in a damaged table cannot be counted; it is once the table is back.
      if (!this.#parts.missing?.has(request.table)) await this.#settle(request)
    }
    await records.transaction((db) => forgetIngestRequests(db, clock() - REMEMBERED_MS))
  }

  /** The first request with the key, if it is stored. */
  async #find({ key, shown, payload }: KeyedRequest): Promise<{ payload: string; result: string } | undefined> {
    const { records, clock, holder } = this.#parts
    const sinceMs = clock() - REMEMBERED_MS
    for (const from = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
      const first = await findIngestRequest(records.read, key)
      if (first?.state === 'done' && first.createdAtMs < sinceMs) {
        await records.transaction((db) => forgetIngestRequests(db, sinceMs, key))
        return undefined
      }
      if (!first || first.state === 'done' || first.payload !== payload) return first
      // One of this service is not under way any more: it failed, and it is not known how.
      if (first.holder === holder() || !(await isHolderAlive(records, first.holder))) return this.#settle(first)
      if (performance.now() - from > WAIT_MS_MAX) throw stillUnderWay(shown)
    }
  }

  async #make(attempt: IngestAttempt, request?: KeyedRequest): Promise<string> {
    const record = await this.#insert(attempt, request)
    if (!record) {
      // Another service was faster by a moment.
      const first = request && (await this.#find(request))
      if (!request || !first)
        throw new ServiceError('overloaded', 'another request with the same key has just failed; send this again')
      if (first.payload !== request.payload) throw reusedKey(request.shown, 'body')
      return first.result
    }
    try {
      const result = await attempt.store()
      await this.#finish(record, result)
      return result
    } catch (error) {
      return await this.#recover(record, error)
    }
  }

  async #insert(attempt: IngestAttempt, request?: KeyedRequest): Promise<StoredIngestRequest | undefined> {
    const { records, holder, clock } = this.#parts
    const { begun, store: _, ...rows } = attempt
    const wanted = { ...rows, payload: request?.payload ?? '', ...(request && { key: request.key }), holder: holder() }
    return records.transaction((db) => insertIngestRequest(db, wanted, clock(), begun))
  }

  async #finish(record: StoredIngestRequest, result: string): Promise<void> {
    const { records, tables } = this.#parts
    const isOurs = await records.transaction((db) =>
      record.key === undefined ? deleteIngestRequest(db, record) : finishIngestRequest(db, record, result),
    )
    if (isOurs) return
    // This service was taken for gone, and somebody else has counted before all rows were there.
    const settled = record.key === undefined ? undefined : await findIngestRequest(records.read, record.key)
    if (settled?.id !== record.id) await tables.removeRequest(record.table, record)
    throw lostNumber()
  }

  /** @returns the answer, where the rows are there all the same */
  async #recover(record: StoredIngestRequest, error: unknown): Promise<string> {
    const isStored = await this.#settle(record).catch(() => undefined)
    if (isStored) return isStored.result
    throw error
  }

  /** Finds out by count whether a request was stored, and removes what is there of one that was not wholly. */
  async #settle(request: StoredIngestRequest): Promise<{ payload: string; result: string } | undefined> {
    const { records, tables } = this.#parts
    if (await settleRows(tables, request.table, request)) {
      await records.transaction((db) => finishIngestRequest(db, request, request.result))
      return request
    }
    await records.transaction((db) => deleteIngestRequest(db, request))
    return undefined
  }
}

/** @returns whether all rows of the request are there; otherwise none is, when it resolves */
async function settleRows(
  tables: Pick<EventTables, 'count' | 'removeRequest'>,
  table: string,
  request: RequestExtent,
): Promise<boolean> {
  const found = request.rows === 0 ? 0 : await tables.count(table, request)
  if (found === request.rows) return true
  if (found > 0) await tables.removeRequest(table, request)
  return false
}
