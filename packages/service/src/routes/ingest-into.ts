/**
 * Ingest for routes that take events in the form of another protocol: they name the dataset, and give the events as lines of JSON.
 * Everything else is as in the service's own ingest: permissions, limits, labels, failures, and keys of requests that are repeated.
 */
import { Readable } from 'node:stream'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { EVENT_LABELS_HEADER } from '@deployment-annotations/contract/header'
import type { Ingest, IngestRequest } from '@deployment-annotations/event-store/ingest'
import type { IngestOutcome } from '@deployment-annotations/event-store/rows/ingest-counts'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { readKey } from '../http/request-headers.ts'

interface NewEvents {
  dataset: string
  /** Pieces of JSON with one event in each line. A piece may be empty, for a pause. */
  lines: Iterable<Buffer>
  /** Writes the events of which {@link lines} was not asked, where they need no text. */
  writeRest?: IngestRequest['writeRest']
  requireFew?: IngestRequest['requireFew']
  /** The field that holds the time, where it is not `_time`. */
  timestampField?: string
  /** Tells the parts of one request apart, where it has several. */
  part?: string
  /** The map fields of the dataset, if these are its first events. */
  mapFields?: readonly string[]
}

/** @returns `undefined` if there are no events; @throws ServiceError */
export async function ingestInto(request: FastifyRequest, ingest: Ingest, events: NewEvents): Promise<IngestOutcome | undefined> {
  const { dataset, lines, writeRest, requireFew, timestampField, part, mapFields } = events
  const caller = callerOf(request)
  // Before the first event is read.
  caller.require('ingest|create', '', dataset)
  const pieces = lines[Symbol.iterator]()
  const [first, second] = [await nextEvents(pieces), await nextEvents(pieces)]
  const key = readKey(request, 'idempotency')
  if (first.done) return undefined
  // A key is for the bytes of the events.
  const isWritten = writeRest !== undefined && key === undefined
  const body = second.done ? [first.value] : rest([first.value, second.value], isWritten ? [].values() : pieces)
  return ingest({
    dataset,
    caller,
    body: Readable.from(body),
    ...(isWritten && !second.done && { writeRest }),
    headers: {
      'content-type': 'application/x-ndjson',
      [EVENT_LABELS_HEADER]: request.headers[EVENT_LABELS_HEADER],
    },
    query: timestampField === undefined ? {} : { 'timestamp-field': timestampField },
    ...(requireFew && { requireFew }),
    ...(mapFields && { mapFields }),
    idempotencyKey: key === undefined || part === undefined ? key : `${key}/${part}`,
  })
}

/** @returns the next piece that is not empty */
async function nextEvents(pieces: Iterator<Buffer>): Promise<IteratorResult<Buffer, unknown>> {
  let sliceFrom = performance.now()
  for (let next = pieces.next(); ; next = pieces.next()) {
    if (next.done || next.value.length > 0) return next
    sliceFrom = await endSlice(sliceFrom)
  }
}

function* rest(read: Buffer[], pieces: Iterator<Buffer>): Generator<Buffer> {
  yield* read
  for (let next = pieces.next(); !next.done; next = pieces.next()) yield next.value
}

/** @param where the place of the name, for the message; @throws ServiceError `malformed` */
export function requireDatasetName(name: string, where: string): string {
  if (DATASET_NAME_PATTERN.test(name)) return name
  throw new ServiceError(
    'malformed',
    `the dataset name ${quoted(name)} in ${where} does not match ${DATASET_NAME_PATTERN.source}`,
  )
}
