/**
 * The rows of one request, from its body to the store. Small requests share an insert with others; a large one goes through a staging
 * table piece by piece, so that its memory does not grow with its body. All rows are stored, or none.
 */
import type { Hash } from 'node:crypto'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import type { StoredIngestRequest } from '@deployment-annotations/records/datasets/ingest-request-records'
import type { KeyedRequest } from '@deployment-annotations/runtime/concurrency/in-flight'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { invalid, type ServiceError } from '@deployment-annotations/runtime/errors'
import { CsvBody } from './body/csv-body.ts'
import { JsonBody } from './body/json-body.ts'
import type { IngestOptions } from './body/options.ts'
import type { DatasetLease } from './datasets/dataset.ts'
import type { EventStore } from './event-store.ts'
import type { FieldTransaction } from './fields/field-tree.ts'
import { noRows, releaseRows } from './native/event-block.ts'
import type { IngestOutcome } from './rows/ingest-counts.ts'
import type { RowWriter } from './rows/row-writer.ts'
import { ATOMIC_BYTES_MAX } from './scan/limits.ts'
import type { Staging } from './write/staging.ts'

interface RequestRowsParts {
  events: EventStore
  lease: DatasetLease
  transaction: FieldTransaction
  writer: RowWriter
  options: IngestOptions
  requireFew: ((events: number) => void) | undefined
  /** Whose request it is. */
  caller: string
}

/** The bytes of a body. */
export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

/** Writes events, and yields how many bytes they take, now and then. */
export type WriteEvents = (writer: RowWriter) => Iterable<number>

/** Rows that have not arrived yet may have any `_time`. */
const ALL_TIMES = { firstTimeNs: String(STORABLE_FIRST_NS), lastTimeNs: String(STORABLE_LAST_NS) }

export class RequestRows implements AsyncDisposable {
  readonly #parts: RequestRowsParts
  #staging: Staging | undefined
  /** The rows that are not in the staging table. */
  #last = noRows()
  /** The record of pieces that are already in the table of the dataset. */
  #begun: StoredIngestRequest | undefined
  #pieces = 0
  #bytes = 0
  #sliceFrom = performance.now()

  constructor(parts: RequestRowsParts) {
    this.#parts = parts
  }

  /** @param hash is updated with all bytes of the body */
  async readAll(body: Chunks | WriteEvents, hash: Hash | undefined): Promise<void> {
    if (typeof body === 'function') await this.#write(body)
    else await this.#read(body, hash)
    this.#last = this.#parts.writer.drain()
  }

  async #write(write: WriteEvents): Promise<void> {
    const { events, writer } = this.#parts
    for (const bytes of write(writer)) {
      await events.ensureHeld()
      this.#bytes += bytes
      await this.#settle()
    }
  }

  async #read(chunks: Chunks, hash: Hash | undefined): Promise<void> {
    const { events, writer, options } = this.#parts
    const body = options.kind === 'csv' ? new CsvBody(writer, options) : new JsonBody(writer)
    for await (const chunk of chunks) {
      // The lease of the node number may have expired while waiting for the chunk.
      await events.ensureHeld()
      this.#bytes += chunk.length
      hash?.update(chunk)
      await body.push(chunk)
      await this.#settle()
    }
    if (this.#bytes === 0) throw noBody()
    await body.end()
  }

  /**
   * Stores the rows that were read.
   * @param request given if the request has a key
   * @returns the outcome as JSON text
   */
  async store(request?: KeyedRequest): Promise<string> {
    const { events, lease, writer } = this.#parts
    const isAtomic = !this.#staging && events.tables.insertsAreAtomic
    if (!request && isAtomic) return this.#insert()
    const attempt = {
      ...writer.extent,
      table: lease.dataset.table,
      ...this.#staging?.record,
      result: JSON.stringify(this.result()),
      begun: this.#begun,
      store: () => this.#insert({ isRecorded: true }),
    }
    return events.requests.store(attempt, request)
  }

  async #insert({ isRecorded = false } = {}): Promise<string> {
    const { events, lease, transaction, writer } = this.#parts
    const { dataset } = lease
    const rows = this.#last
    this.#begun = undefined
    // The fields of labels are those of an event.
    if (writer.tally.stored > 0) for (const { name, bits } of transaction.commit()) dataset.unsaved.add(name, bits)
    if (!this.#staging) {
      // A server may be sent the rows again. The engine in this process loses no answer.
      const token = isRecorded && events.tables.isShared ? { token: this.#token() } : {}
      if (rows.count > 0) await events.writer.write({ dataset, rows, extent: writer.extent, ...token })
    } else {
      if (rows.count > 0) await this.#staging.put(rows, this.#token())
      // The fields are recorded before the rows become visible.
      await events.writer.write({ dataset, rows: noRows() })
      await this.#staging.join()
    }
    releaseRows(rows)
    return JSON.stringify(this.result())
  }

  /** Returns the deduplication token of the next piece. A retry of the request has other rows and other tokens. */
  #token(): string {
    return `${this.#parts.writer.extent.sysTimeNs}/${this.#pieces++}`
  }

  /** @returns the present result */
  result(): IngestOutcome {
    const { writer, options } = this.#parts
    const { failures, failed, stored, timeFields } = writer.tally
    const processedBytes = this.#bytes + (options.labels?.length ?? 0)
    const counts = { ingested: stored, failed, failures, processedBytes, blocksCreated: 0, walLength: stored }
    return timeFields.size === 0 ? counts : { ...counts, timeFields: [...timeFields] }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#staging?.[Symbol.asyncDispose]()
    if (this.#begun) await this.#parts.events.requests.abandon(this.#begun)
  }

  /** Stores a full piece, and yields the event loop. */
  async #settle(): Promise<void> {
    const { events, lease, writer, requireFew, caller } = this.#parts
    requireFew?.(writer.tally.events)
    if (writer.waitingBytes >= ATOMIC_BYTES_MAX) {
      this.#staging ??= await events.staging.create(lease.dataset, () => this.#begin())
      const rows = writer.drain()
      await this.#staging.put(rows, this.#token())
      releaseRows(rows)
    }
    this.#sliceFrom = await endSlice(this.#sliceFrom, caller)
  }

  /** Records the request before pieces go to the table of the dataset, where a crash would leave them. */
  async #begin(): Promise<void> {
    const { events, lease, writer } = this.#parts
    await lease.commit()
    const { sysTimeNs } = writer.extent
    this.#begun = await events.requests.begin({ table: lease.dataset.table, sysTimeNs, ...ALL_TIMES })
  }
}

export function noBody(): ServiceError {
  return invalid(
    VALIDATION_CODES.required,
    'there is no body; send a JSON array of events, one event, one event per line, or CSV',
  )
}
