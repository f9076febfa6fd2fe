/**
 * Ingest: events from arrays and streams to the service, batch by batch. Nothing is swallowed: events that the service refuses
 * are in the result, and a batch that cannot be delivered is handed back with the error.
 */
import { addressOf } from '@deployment-annotations/contract/call'
import { INGEST_CALLS, type IngestResult } from '@deployment-annotations/contract/event'
import { EVENT_LABELS_HEADER, IDEMPOTENCY_KEY_HEADER, toHeader } from '@deployment-annotations/contract/header'
import { type Batch, type BatchOptions, batchCsv, batchEvents, batchNdjson, type Source, type Text } from './batches.ts'
import { type CallOptions, runCall, startContext } from './calls.ts'
import type { Connection } from './connection.ts'
import { ClientError, type ClientErrorCode, ConfigError } from './errors.ts'
import { newIdempotencyKey } from './identity.ts'
import { readerOf } from './reply.ts'
import type { ApiRequest } from './request.ts'

export interface IngestOptions extends CallOptions, BatchOptions {
  /** The field that holds the time of an event; default `_time`. */
  timestampField?: string
  /** Layout of that field, in Go's reference form. */
  timestampFormat?: string
  /** Fields that every event gets. */
  labels?: object
  /** Default `,`. */
  csvDelimiter?: string
  /** Default `gzip`, where the runtime can; `zstd` needs Node 22.15 or newer. */
  compression?: 'gzip' | 'zstd' | 'none'
  /** Called for every batch that was stored, for example to note how far a stream has come. */
  onBatch?: (result: IngestResult) => void
}

/** A batch as it would have been sent, to be kept or sent again. */
export interface FailedBatch extends Batch {
  /** Sending the batch again under this key cannot double it if the service honors keys. */
  idempotencyKey: string
}

/** A batch could not be delivered. Sending stops there: what came before is in `result`, what comes after was not read. */
export class IngestError extends ClientError {
  /** That of its cause. */
  readonly code: ClientErrorCode
  /** What was stored before. */
  readonly result: IngestResult
  readonly failedBatch: FailedBatch
  declare readonly cause: ClientError
  constructor(cause: ClientError, result: IngestResult, failedBatch: FailedBatch) {
    const fate = cause.mayHaveTakenEffect ? 'may have been stored' : 'were not stored'
    super(`${failedBatch.count} events ${fate}, ${result.ingested} were stored before: ${cause.message}`, { ...cause, cause })
    this.code = cause.code
    this.result = result
    this.failedBatch = failedBatch
  }
}

export interface IngestClient {
  /**
   * Stores events, several batches one after the other.
   * A batch whose answer is lost is sent again under the same `Idempotency-Key`: with a service that honors keys every event is
   * stored once, with one that does not, at least once.
   * @returns the sums over all batches
   * @throws IngestError with the batch that could not be delivered; ConfigError for an event that is not an object
   */
  ingest(dataset: string, events: Source<object>, options?: IngestOptions): Promise<IngestResult>
  /** The same for newline-delimited JSON. */
  ingestNdjson(dataset: string, text: Text, options?: IngestOptions): Promise<IngestResult>
  /** The same for CSV with a header row. */
  ingestCsv(dataset: string, text: Text, options?: IngestOptions): Promise<IngestResult>
}

const COUNTS = { ingested: 0, failed: 0, processedBytes: 0, blocksCreated: 0, walLength: 0 }
export const NOTHING_STORED: IngestResult = { ...COUNTS, failures: [] }
/** Of the time that is left: a service that says nothing leaves time to ask again under the same key. */
const ATTEMPT_SHARE = 1 / 2
/** Below this, compressing costs more than it saves. */
const COMPRESS_CHARS_MIN = 1_024

export function createIngestClient(connection: Connection): IngestClient {
  async function sendBatches(dataset: string, batches: AsyncGenerator<Batch>, options: IngestOptions): Promise<IngestResult> {
    const total: IngestResult = { ...NOTHING_STORED, failures: [] }
    const { timestampField, timestampFormat, csvDelimiter } = options
    const query = { 'timestamp-field': timestampField, 'timestamp-format': timestampFormat, 'csv-delimiter': csvDelimiter }
    const request = { ...addressOf(INGEST_CALLS.ingest, dataset), query }
    for await (const batch of batches) {
      const idempotencyKey = newIdempotencyKey()
      try {
        const result = await send(request, batch, idempotencyKey, options)
        add(total, result)
        options.onBatch?.(result)
      } catch (error) {
        if (error instanceof ClientError) throw new IngestError(error, total, { ...batch, idempotencyKey })
        throw error
      }
    }
    return total
  }

  async function send(request: ApiRequest, { body, contentType }: Batch, key: string, options: IngestOptions) {
    const { encoding, bytes } = await compress(body, options.compression ?? 'gzip')
    const headers = {
      'content-type': contentType,
      [IDEMPOTENCY_KEY_HEADER]: key,
      ...(encoding && { 'content-encoding': encoding }),
      ...(options.labels && { [EVENT_LABELS_HEADER]: toHeader(options.labels) }),
    }
    const call = { ...request, headers, body: bytes, attemptShare: ATTEMPT_SHARE, read: readResult }
    return await runCall(startContext(connection, options), call)
  }

  return {
    ingest: (dataset, events, options = {}) => sendBatches(dataset, batchEvents(events, options), options),
    ingestNdjson: (dataset, text, options = {}) => sendBatches(dataset, batchNdjson(text, options), options),
    ingestCsv: (dataset, text, options = {}) =>
      sendBatches(dataset, batchCsv(text, options.csvDelimiter ?? ',', options), options),
  }
}

/** A runtime without gzip sends the same events as they are. */
async function compress(body: string, encoding: 'gzip' | 'zstd' | 'none'): Promise<{ bytes: Uint8Array; encoding?: string }> {
  const bytes = new TextEncoder().encode(body)
  const isPlain = encoding === 'none' || (encoding === 'gzip' && typeof CompressionStream === 'undefined')
  if (isPlain || body.length < COMPRESS_CHARS_MIN) return { bytes }
  if (encoding === 'zstd') return { encoding, bytes: await compressZstd(bytes) }
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream(encoding))
  return { encoding, bytes: new Uint8Array(await new Response(stream).arrayBuffer()) }
}

async function compressZstd(bytes: Uint8Array): Promise<Uint8Array> {
  const { zstdCompress } = globalThis.process?.getBuiltinModule?.('node:zlib') ?? {}
  if (zstdCompress === undefined) throw new ConfigError('compression zstd needs Node 22.15 or newer')
  return await new Promise((resolve, reject) => {
    zstdCompress(bytes, (error, compressed) => (error ? reject(error) : resolve(compressed)))
  })
}

const readResult = readerOf((body): IngestResult | undefined => {
  const { ingested, failed, failures } = (body ?? {}) as Partial<IngestResult>
  const isResult = typeof ingested === 'number' && typeof failed === 'number'
  return isResult ? { ...NOTHING_STORED, ...(body as object), failures: failures ?? [] } : undefined
}, 'an ingest result')

function add(total: IngestResult, result: IngestResult): void {
  total.failures.push(...result.failures)
  for (const name of Object.keys(COUNTS) as (keyof typeof COUNTS)[]) total[name] += result[name]
}
