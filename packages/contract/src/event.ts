/**
 * Events on the wire (contract 2.2), and what became of those that were sent (2.3).
 * Their schemas are in schemas/event.ts, which this file does not load.
 */
import type { Static } from 'typebox'
import { DATASETS_V1_PATH } from './dataset.ts'
import { toSegment } from './path.ts'
import type { EventSchema, IngestFailureSchema, IngestResultSchema } from './schemas/event.ts'

export { CSV_FIELDS_HEADER, EVENT_LABELS_HEADER } from './rules/header.ts'

/** An event as it is sent. */
export type NewEvent = Static<typeof EventSchema>

/** What was stored, and what was not. */
export type IngestResult = Static<typeof IngestResultSchema>

/** An event that was not stored, and why. */
export type IngestFailure = Static<typeof IngestFailureSchema>

/** @returns where events of a dataset are sent, its name escaped */
export function ingestPath(dataset: string): string {
  return `${DATASETS_V1_PATH}/${toSegment(dataset)}/ingest`
}

/** The same endpoint at the address that shippers for the edge use, `/v1/ingest/{dataset}`. */
export const INGEST_PATH = '/v1/ingest'
