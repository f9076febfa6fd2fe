/**
 * The story of one ingest request: read its options, borrow the dataset, turn the body into rows piece by piece, and store
 * them all or none. Small requests share an insert with their neighbours; a large one goes through a staging table, so that
 * its memory does not grow with its body. HTTP is in routes/ingest.ts.
 */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid, type ServiceError } from '../errors.ts'
import { inflate } from './content-encoding.ts'
import { readCsv } from './csv-body.ts'
import type { Dataset } from './dataset.ts'
import type { EventStore } from './event-store.ts'
import { busyError, type Refused, type Unit } from './event-writer.ts'
import { FieldDraft } from './field-tree.ts'
import { hashKeyOf } from './ingest-keys.ts'
import { JsonBody } from './json-body.ts'
import { ATOMIC_BYTES_MAX } from './limits.ts'
import { type Headers, type IngestOptions, type Query, readOptions } from './options.ts'
import { type Failure, LabelsError, type Rows, RowWriter, release } from './row-writer.ts'
import type { Staging } from './staging.ts'

/** The answer of contract section 2.3. */
export interface IngestResult {
  ingested: number
  failed: number
  failures: Failure[]
  /** Bytes of the uncompressed body and of the labels header. */
  processedBytes: number
  blocksCreated: number
  walLength: number
}

export interface IngestRequest {
  dataset: string
  /** Id of the token. */
  by: string
  body: Readable | undefined
  headers: Headers
  query: Query
  idempotencyKey: string | undefined
}

export interface IngestParts {
  events: EventStore
  /** Events do not make datasets. */
  strictDatasets: boolean
  clock: () => number
}

/** The loop is given up after so long with one body, so that other requests get their turn. */
const SLICE_MS = 8

/** @returns the answer as JSON text */
export type Ingest = (request: IngestRequest) => Promise<string>

/** @throws ServiceError with nothing stored */
export function createIngest({ events, strictDatasets, clock }: IngestParts): Ingest {
  return async (request) => {
    const options = readOptions(request.headers, request.query)
    if (strictDatasets) events.datasets.get(request.dataset)
    if (!request.body) throw noBody()
    if (events.writer.isFull) throw busyError()
    const dataset = events.datasets.borrow(request.dataset, request.by)
    const draft = new FieldDraft(dataset.fields)
    const reading = new Reading(events, dataset, draft, options, clock())
    try {
      const hash = request.idempotencyKey === undefined ? undefined : payloadHash(options)
      await reading.readAll(inflate(request.body, String(request.headers['content-encoding'] ?? '')), hash)
      await events.datasets.keep(dataset)
      if (!hash) return await reading.store()
      const key = request.idempotencyKey as string
      return await events.keys.once(
        { shown: key, key: hashKeyOf(request.by, dataset.name, key), payload: hash.digest('hex') },
        { dataset, first: reading.first, result: JSON.stringify(reading.result()), store: (before) => reading.store(before) },
      )
    } finally {
      draft.release()
      events.datasets.letGo(dataset)
      await reading.close()
    }
  }
}

class Reading {
  readonly #events: EventStore
  readonly #dataset: Dataset
  readonly #draft: FieldDraft
  readonly #options: IngestOptions
  readonly #writer: RowWriter
  #staging: Staging | undefined
  #last: Rows | undefined
  #bytes = 0
  #sliceFrom = performance.now()
  /** Where the first row is, to find out later whether it was stored. */
  first: Rows['first']

  constructor(events: EventStore, dataset: Dataset, draft: FieldDraft, options: IngestOptions, receivedMs: number) {
    this.#events = events
    this.#dataset = dataset
    this.#draft = draft
    this.#options = options
    try {
      this.#writer = new RowWriter({
        tree: dataset.fields,
        draft,
        rowIds: events.rowIds,
        receivedNs: `${receivedMs}000000`,
        timestampField: options.timestampField,
        layout: options.layout,
        labels: options.labels,
        isCsv: options.kind === 'csv',
      })
    } catch (cause) {
      draft.release()
      events.datasets.letGo(dataset)
      if (cause instanceof LabelsError)
        throw invalid(VALIDATION_CODES.type, `X-Axiom-Event-Labels cannot be used: ${cause.message}`)
      throw cause
    }
  }

  async readAll(chunks: AsyncIterable<Buffer>, hash: Hash | undefined): Promise<void> {
    const { kind, csvDelimiter, csvFields } = this.#options
    if (kind === 'csv') {
      await readCsv(this.#counted(chunks, hash), { delimiter: csvDelimiter, fields: csvFields }, this.#writer, () =>
        this.#settle(),
      )
    } else {
      const body = new JsonBody(this.#writer)
      for await (const chunk of this.#counted(chunks, hash)) {
        body.push(chunk)
        await this.#settle()
      }
      if (this.#bytes > 0) body.end()
    }
    if (this.#bytes === 0) throw noBody()
    this.#last = this.#writer.drain()
    this.first ??= this.#last.first
  }

  async *#counted(chunks: AsyncIterable<Buffer>, hash: Hash | undefined): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length
      hash?.update(chunk)
      yield chunk
    }
  }

  /** Puts a full piece away, and lets others have the loop. */
  async #settle(): Promise<void> {
    if (this.#writer.waitingBytes >= ATOMIC_BYTES_MAX) {
      this.#staging ??= await this.#events.staging.make(this.#dataset)
      const rows = this.#writer.drain()
      this.first ??= rows.first
      this.#refuse(rows, await this.#staging.put(rows))
      release(rows)
    }
    if (performance.now() - this.#sliceFrom > SLICE_MS) {
      await turn()
      this.#sliceFrom = performance.now()
    }
  }

  /** Stores what was read. */
  async store(before?: Unit['before']): Promise<string> {
    const rows = this.#last as Rows
    const { writer } = this.#events
    for (const { node, bits } of this.#draft.commit()) {
      this.#dataset.unsaved.set(node.name, (this.#dataset.unsaved.get(node.name) ?? 0) | bits)
    }
    const first = before && { before }
    if (!this.#staging) {
      if (rows.count > 0 || before) this.#refuse(rows, await writer.write({ dataset: this.#dataset, rows, ...first }))
    } else {
      if (rows.count > 0) this.#refuse(rows, await this.#staging.put(rows))
      // The fields and the key come before the rows are there to be seen.
      await writer.write({ dataset: this.#dataset, rows: NO_ROWS, ...first })
      await this.#staging.join()
    }
    release(rows)
    return JSON.stringify(this.result())
  }

  result(): IngestResult {
    const { failures, failed, stored } = this.#writer
    const processedBytes = this.#bytes + (this.#options.labels?.length ?? 0)
    return { ingested: stored, failed, failures, processedBytes, blocksCreated: 0, walLength: stored }
  }

  async close(): Promise<void> {
    // What cannot be dropped now is dropped at the next start; the request's outcome stands.
    await this.#staging?.drop().catch(() => undefined)
  }

  #refuse(rows: Rows, refused: readonly Refused[]): void {
    for (const { index, reason } of refused) {
      this.#writer.stored--
      this.#writer.fail(`event ${rows.events[index]}: ${reason}`)
    }
  }
}

const NO_ROWS: Rows = { buffers: [], bytes: 0, count: 0, ends: [], events: [], first: undefined }

function noBody(): ServiceError {
  return invalid(VALIDATION_CODES.required, 'there is no body; send a JSON array of events, one event, one event a line, or CSV')
}

/** The same bytes with other options are another request. */
function payloadHash({ kind, timestampField, layout, csvDelimiter, csvFields, labels }: IngestOptions): Hash {
  const options = [kind, timestampField, layout?.text, csvDelimiter, csvFields, labels?.toString('latin1')]
  return createHash('sha256').update(JSON.stringify(options))
}
