/**
 * Datasets on the wire: their shapes, rules and paths, and the fields that were seen in them.
 * Their schemas are in schemas/dataset.ts, which this file does not load.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type {
  DatasetChangeSchema,
  DatasetFieldsSchema,
  DatasetInfoSchema,
  DatasetSchema,
  FieldSchema,
  NewDatasetSchema,
} from './schemas/dataset.ts'

export * from './rules/dataset.ts'

/** Events are stored in datasets, each with its own fields. */
export type Dataset = Static<typeof DatasetSchema>

export type NewDataset = Static<typeof NewDatasetSchema>

/** The members to change; the others keep their values. */
export type DatasetChange = Static<typeof DatasetChangeSchema>

/** A field with the types seen in it. */
export type DatasetField = Static<typeof FieldSchema>

/** The fields of one of all datasets. */
export type DatasetFields = Static<typeof DatasetFieldsSchema>

/** How much there is in a dataset, and its fields. */
export type DatasetInfo = Static<typeof DatasetInfoSchema>

export const DATASETS_PATH = '/v2/datasets'
/** The same endpoints for clients of the first version; ingest and the legacy query are only there. */
export const DATASETS_V1_PATH = '/v1/datasets'

/** Fields of all datasets at once, for editors. */
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
