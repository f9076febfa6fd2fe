/**
 * Carries out one ingest request: it reads the options, acquires the dataset, turns the body into rows piece by piece, and stores all
 * of them or none. HTTP is in routes/ingest.ts, and write/ stores rows.
 */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { hashOf } from '@deployment-annotations/runtime/concurrency/in-flight'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { type Headers, type IngestOptions, type Query, readOptions } from './body/options.ts'
import { describeEffect } from './engine/engine-failures.ts'
import type { EventStore } from './event-store.ts'
import { FieldTransaction } from './fields/field-tree.ts'
import { type Chunks, noBody, RequestRows, type WriteEvents } from './request-rows.ts'
import type { IngestOutcome } from './rows/ingest-counts.ts'
import { RowWriter } from './rows/row-writer.ts'

export interface IngestRequest {
  dataset: string
  caller: Caller
  /** The bytes of the body, decompressed, or what writes its events; nothing if there is no body. */
  body: Chunks | WriteEvents | undefined
  /** The stream that the body is read from; absent if all of it is in memory. */
  stream?: Readable | undefined
  headers: Headers
  query: Query
  idempotencyKey: string | undefined
  /** Whether the protocol of the request names the field that holds the time, rather than the sender, who may use another one. */
  isTimeOfProtocol?: boolean
  /** Called with the number of events so far. @throws ServiceError that refuses the request */
  requireFew?: (events: number) => void
  /** The map fields of the dataset, if these are its first events. */
  mapFields?: readonly string[]
}

interface IngestParts {
  events: EventStore
  /** Whether events may not create datasets. */
  strictDatasets: boolean
  clock: () => number
  /** Called with the result after the events of a request are stored. */
  onStored?: (outcome: IngestOutcome) => void
}

export type Ingest = (request: IngestRequest) => Promise<IngestOutcome>

/** How long a request may wait for servers once its body is read. What it began goes on, and its record says what became of it. */
const SERVERS_MS_MAX = 18_000

/** @throws ServiceError with nothing stored; `forbidden` if the caller may not send events to the dataset */
export function createIngest(parts: IngestParts): Ingest {
  return async (request) => {
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        const limit = () => {
          const message = `the servers of the events have not answered within ${SERVERS_MS_MAX / 1_000} s (the health says which)${describeEffect('insert', true)}`
          const refuse = () => reject(new ServiceError('unavailable', message, { mayHaveTakenEffect: true }))
          if (parts.events.tables.isShared) timer = setTimeout(refuse, SERVERS_MS_MAX)
        }
        if (request.stream) request.stream.once('end', limit)
        else limit()
        ingest(parts, request).then(resolve, reject)
      })
    } catch (error) {
      throw await parts.events.damaged.explain(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function ingest(
  { events, strictDatasets, clock, onStored = () => {} }: IngestParts,
  request: IngestRequest,
): Promise<IngestOutcome> {
  const { dataset: name, caller, body, headers, query, idempotencyKey, isTimeOfProtocol, requireFew, mapFields } = request
  caller.require('ingest|create', '', name)
  const { id: by } = caller
  const options = readOptions(headers, query)
  if (strictDatasets) events.datasets.get(name)
  if (!body) throw noBody()
  events.writer.requireRoom()
  await events.ensureHeld()
  using lease = events.datasets.acquire(name, by, mapFields)
  events.sizes.requireRoom(lease.dataset)
  using transaction = new FieldTransaction(lease.dataset.fields)
  using writer = new RowWriter({
    tree: lease.dataset.fields,
    transaction,
    rowIds: events.rowIds,
    receivedNs: `${clock()}000000`,
    sysTimeNs: events.requestTimes.next(),
    timestampField: options.timestampField,
    readsLikelyTimes: !lease.dataset.strictTime && (isTimeOfProtocol || options.timestampField === undefined),
    layout: options.layout,
    labels: options.labels,
    isCsv: options.kind === 'csv',
  })
  await using rows = new RequestRows({ events, lease, transaction, writer, options, requireFew, caller: by })
  const hash = idempotencyKey === undefined ? undefined : payloadHash(options)
  await rows.readAll(body, hash)
  await lease.commit()
  const key =
    idempotencyKey === undefined || !hash
      ? undefined
      : { shown: idempotencyKey, key: hashOf([by, name, idempotencyKey]), payload: hash.digest('hex') }
  const outcome = JSON.parse(await rows.store(key)) as IngestOutcome
  events.stored.dispatchEvent(new Event(name))
  onStored(rows.result())
  return outcome
}

/** The options are part of the hash, because the same bytes with other options are another request. */
function payloadHash({ kind, timestampField, layout, csvDelimiter, csvFields, labels }: IngestOptions): Hash {
  const options = [kind, timestampField, layout?.text, csvDelimiter, csvFields, labels?.toString('latin1')]
  return createHash('sha256').update(JSON.stringify(options))
}
