/**
 * Datasets: their paths, and the bounds of their members. The shapes are in schemas/dataset.ts.
 * Deliberately not here: which name is wrong in a list of names, and how a query quotes a name.
 */
import { toSegment } from './text.ts'

export const DATASETS_PATH = '/v2/datasets'
/** The same endpoints for clients of the first version; ingest and the legacy query are only there. */
export const DATASETS_V1_PATH = '/v1/datasets'

/** Where editors read the fields of all datasets at once. */
export const ALL_FIELDS_PATH = `${DATASETS_V1_PATH}/_fields`

/** @returns the path of one dataset, its name escaped */
export function datasetPath(name: string): string {
  return `${DATASETS_PATH}/${toSegment(name)}`
}

export function trimPath(name: string): string {
  return `${datasetPath(name)}/trim`
}

export function fieldsPath(name: string): string {
  return `${datasetPath(name)}/fields`
}

export function infoPath(name: string): string {
  return `${DATASETS_V1_PATH}/${toSegment(name)}/info`
}

export function mapFieldsPath(dataset: string): string {
  return `${datasetPath(dataset)}/mapfields`
}

/** @returns the path of one map field, its name escaped */
export function mapFieldPath(dataset: string, field: string): string {
  return `${mapFieldsPath(dataset)}/${toSegment(field)}`
}

/** The kinds of datasets. All hold events in the same way, and no query depends on the kind. The first is the default. */
export const DATASET_KINDS = ['axiom:events:v1', 'otel:traces:v1', 'otel:logs:v1'] as const
export type DatasetKind = (typeof DATASET_KINDS)[number]
export const EDGE_DEPLOYMENT_LENGTH_MAX = 128
/** How many map fields one dataset can have. */
export const MAP_FIELDS_MAX = 256
export const MAP_FIELD_LENGTH_MAX = 200
/** Names that begin with two underscores are reserved. */
export const MAP_FIELD_PATTERN = /^(?!__)[\s\S]+$/
/** The longest description, in Unicode code points. */
export const DATASET_DESCRIPTION_POINTS_MAX = 512
/** A hundred years: longer than the span of time that can be stored reaches back from now. */
export const RETENTION_DAYS_MAX = 36_525
