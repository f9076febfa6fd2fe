/**
 * Stores the rows of a request completely and once, even if the process or the engine ends meanwhile. Requests with an Idempotency-Key
 * and large ones use it, and on a cluster all do.
 * Before rows are inserted, a record identifies them: all rows of a request have a `_sysTime` that no other request has. A service that
 * finds the record of a lost service, or of an insert whose answer was lost, counts the rows. If all of them are there, the request is
 * done; if only some are, they are removed. A repeat of a request that was done is answered only while its rows are there: what damage or
 * a restored backup has taken away is stored again. A request is acknowledged only while its record still belongs to its holder, so that
 * nothing is acknowledged that another service has settled. Keys are remembered for 24 hours.
 * Requests that come together are found, recorded and ended together: a transaction costs the same for one as for a hundred.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Records } from '@deployment-annotations/records/database/records'
import {
  type BeginningRequest,
  deleteAnsweredRequest,
  deleteIngestRequests,
  type EndedRequest,
  endIngestRequests,
  findIngestRequests,
  forgetIngestRequests,
  insertIngestRequests,
  isHolderAlive,
  listAbandonedRequests,
  type NewIngestRequest,
  type StoredIngestRequest,
} from '@deployment-annotations/records/datasets/ingest-request-records'
import { lostNumber } from '@deployment-annotations/records/leases/node-lease'
import type { Batcher } from '@deployment-annotations/runtime/concurrency/batcher'
import {
  InFlight,
  type KeyedRequest,
  REMEMBERED_MS,
  requireSame,
  stillUnderWay,
} from '@deployment-annotations/runtime/concurrency/in-flight'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { ignoreMissing } from '../engine/engine-failures.ts'
import type { EventTables } from '../tables/event-tables.ts'
import { createRecordBatcher } from './save-fields.ts'

/** How long a repeat waits until another service has finished the first request. */
const WAIT_MS_MAX = 2_000
const POLL_MS = 50

interface IngestAttempt extends Omit<NewIngestRequest, 'key' | 'payload' | 'holder'> {
  /** The record of the same rows from before all of them were known. */
  begun?: StoredIngestRequest | undefined
  /** Stores the rows. @returns the answer to keep */
  store(): Promise<string>
}

interface IngestRequestsParts {
  records: Records
  tables: Pick<EventTables, 'count' | 'removeRequest'>
  /** Identifies this service among the holders of leases. */
  holder: () => string
  /** See {@link Datasets.explain}. */
  explain(error: unknown): Promise<unknown>
  /** Whether all rows of a request should still be in its table: nobody removed some of them, and none is too old. */
  isExpected?: (request: StoredIngestRequest) => Promise<boolean>
  clock: () => number
}

export class IngestRequests {
  readonly #parts: IngestRequestsParts
  readonly #inFlight = new InFlight<string>()
  readonly #finds: Batcher<string, StoredIngestRequest | undefined>
  readonly #inserts: Batcher<BeginningRequest, StoredIngestRequest | undefined>
  readonly #ends: Batcher<EndedRequest, boolean>

  constructor(parts: IngestRequestsParts) {
    this.#parts = parts
    const { records, clock } = parts
    this.#finds = createRecordBatcher(async (keys) => {
      const found = new Map((await findIngestRequests(records.read, keys)).map((one) => [one.key, one]))
      return keys.map((key) => found.get(key))
    })
    this.#inserts = createRecordBatcher((beginning) => records.transaction((db) => insertIngestRequests(db, beginning, clock())))
    this.#ends = createRecordBatcher((ended) => records.transaction((db) => endIngestRequests(db, ended)))
  }

  /**
   * Stores a request, all of it or none.
   * @param request given if it has a key
   * @returns the answer, of this attempt or of the first one with the key
   * @throws ServiceError `invalid` and `in_flight`, see {@link InFlight.once}; whatever the attempt rejects with
   */
  store(attempt: IngestAttempt, request?: KeyedRequest): Promise<string> {
    if (!request) return this.#make(attempt)
    return this.#inFlight.once(request, { find: () => this.#find(request), make: () => this.#make(attempt, request) })
  }

  /** Records a request whose first rows are about to go to the table of its dataset while others are still arriving. */
  async begin(request: Omit<NewIngestRequest, 'payload' | 'holder' | 'result' | 'rows'>): Promise<StoredIngestRequest> {
    const begun = { ...request, payload: '', result: '', rows: -1, holder: this.#parts.holder() }
    const record = await this.#inserts.add({ request: begun })
    if (!record) throw new Error('a request without a key has the key of another')
    return record
  }

  /** Removes the rows of a recorded request that failed. If they cannot be removed now, upkeep does it. */
  async abandon(begun: StoredIngestRequest): Promise<void> {
    await this.#settle(begun).catch(() => undefined)
  }

  /** Settles the requests of services that are gone, and forgets old keys. */
  async upkeep(): Promise<void> {
    const { records, clock } = this.#parts
    for (const request of await listAbandonedRequests(records)) {
      // Rows in a missing table cannot be counted until the table is restored.
      await this.#settle(request).catch(ignoreMissing)
    }
    await records.transaction((db) => forgetIngestRequests(db, clock() - REMEMBERED_MS))
  }

  /** Finds the first request with the key, if it is stored. */
  async #find({ key, shown, payload }: KeyedRequest): Promise<{ payload: string; result: string } | undefined> {
    const { records, clock, holder, isExpected } = this.#parts
    const sinceMs = clock() - REMEMBERED_MS
    for (const from = performance.now(); ; await sleep(POLL_MS)) {
      const first = await this.#finds.add(key)
      if (first?.state === 'done' && first.createdAtMs < sinceMs) {
        await records.transaction((db) => forgetIngestRequests(db, sinceMs, key))
        return undefined
      }
      if (!first || first.payload !== payload) return first
      if (first.state === 'done') {
        if (!(await isExpected?.(first)) || (await this.#settleRows(first))) return first
        // Its rows should be there and are not.
        await records.transaction((db) => deleteAnsweredRequest(db, first))
        return undefined
      }
      // A request of this service is no longer under way: it failed, and its outcome is unknown.
      if (first.holder === holder() || !(await isHolderAlive(records, first.holder))) return this.#settle(first)
      if (performance.now() - from > WAIT_MS_MAX) throw stillUnderWay(shown)
    }
  }

  async #make({ begun, store, ...rows }: IngestAttempt, request?: KeyedRequest): Promise<string> {
    const key = request && { key: request.key }
    const wanted = { ...rows, payload: request?.payload ?? '', ...key, holder: this.#parts.holder() }
    const record = await this.#inserts.add({ request: wanted, replaced: begun })
    if (!record) {
      // Another service was faster by a moment.
      const first = request && (await this.#find(request))
      if (!request || !first)
        throw new ServiceError('overloaded', 'another request with the same key has just failed; send this again')
      requireSame(request, first.payload, 'body')
      return first.result
    }
    try {
      const result = await store()
      if (await this.#ends.add({ record, result })) return result
      // Another service took this one for gone, and counted before all rows were there.
      const settled = record.key === undefined ? undefined : await this.#finds.add(record.key)
      if (settled?.id !== record.id) await this.#parts.tables.removeRequest(record.table, record)
      throw lostNumber()
    } catch (error) {
      // The rows may be there in spite of the error.
      const stored = await this.#settle(record).catch(() => undefined)
      if (stored) return stored.result
      throw error
    }
  }

  /** Counts whether a request was stored, and removes the rows of an incomplete one. */
  async #settle(request: StoredIngestRequest): Promise<{ payload: string; result: string } | undefined> {
    const { records } = this.#parts
    if (await this.#settleRows(request)) {
      await this.#ends.add({ record: request, result: request.result })
      return request
    }
    await records.transaction((db) => deleteIngestRequests(db, [request]))
    return undefined
  }

  /** @returns whether all rows of the request are there; otherwise none are when it resolves */
  async #settleRows(request: StoredIngestRequest): Promise<boolean> {
    const { tables, explain } = this.#parts
    if (request.rows === 0) return true
    const found = await tables.count(request.table, request).catch(async (error: unknown) => {
      const explained = await explain(error)
      if (explained instanceof ServiceError && explained.code === 'not_found') return 0
      throw explained
    })
    if (found > 0 && found !== request.rows) await tables.removeRequest(request.table, request)
    return found === request.rows
  }
}
