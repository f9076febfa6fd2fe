/**
 * Where events are sent. The shapes of events and of what became of them are in schemas/event.ts.
 */
import { DATASETS_V1_PATH } from './dataset.ts'
import { toSegment } from './text.ts'

/** @returns where events of a dataset are sent, its name escaped */
export function ingestPath(dataset: string): string {
  return `${DATASETS_V1_PATH}/${toSegment(dataset)}/ingest`
}

/** The same endpoint at the address that shippers for the edge use, `/v1/ingest/{dataset}`. */
export const INGEST_PATH = '/v1/ingest'
