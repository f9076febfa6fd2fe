/**
 * Ingest for routes that take events in the form of another protocol: they name the dataset, and give the events as lines of JSON.
 * Everything else is as in the service's own ingest: permissions, limits, labels, failures, and keys of requests that are repeated.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { EVENT_LABELS_HEADER } from '@deployment-annotations/contract/header'
import type { Ingest, IngestRequest } from '@deployment-annotations/event-store/ingest'
import type { WriteEvents } from '@deployment-annotations/event-store/request-rows'
import type { IngestOutcome } from '@deployment-annotations/event-store/rows/ingest-counts'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { readKey } from '../http/request-headers.ts'

interface NewEvents extends Pick<IngestRequest, 'dataset' | 'requireFew' | 'mapFields'> {
  /** Pieces of JSON with one event in each line. */
  lines: Iterable<Buffer>
  /** Writes the same events, where they need no text. */
  write?: WriteEvents
  /** The field that holds the time, where it is not `_time`. */
  timestampField?: string
  /** Tells the parts of one request apart, where it has several. */
  part?: string
}

/** @throws ServiceError */
export function ingestInto(request: FastifyRequest, ingest: Ingest, events: NewEvents): Promise<IngestOutcome> {
  const { lines, write, timestampField, part, ...rest } = events
  const key = readKey(request, 'idempotency')
  return ingest({
    ...rest,
    caller: callerOf(request),
    // A key is for the bytes of the events.
    body: key === undefined && write ? write : lines,
    headers: { [EVENT_LABELS_HEADER]: request.headers[EVENT_LABELS_HEADER] },
    query: { 'timestamp-field': timestampField },
    isTimeOfProtocol: true,
    idempotencyKey: key === undefined || part === undefined ? key : `${key}/${part}`,
  })
}

/** @param where the place of the name, for the message; @throws ServiceError `malformed` */
export function requireDatasetName(name: string, where: string): string {
  if (DATASET_NAME_PATTERN.test(name)) return name
  throw new ServiceError(
    'malformed',
    `the dataset name ${quoted(name)} in ${where} does not match ${DATASET_NAME_PATTERN.source}`,
  )
}
