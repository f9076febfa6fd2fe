/**
 * Datasets: made, described, emptied and deleted, and what is in them.
 */
import {
  ALL_FIELDS_PATH,
  DATASETS_PATH,
  datasetPath,
  fieldsPath,
  infoPath,
  trimPath,
} from '@deployment-annotations/contract/dataset'
import type {
  DatasetChange,
  DatasetFields,
  DatasetInfo,
  NewDataset,
  Dataset as WireDataset,
  DatasetField as WireField,
} from '@deployment-annotations/contract/schemas/dataset'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing } from './reply.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

/** Members that the hosted service may leave out are optional here. */
export type Dataset = Pick<WireDataset, 'id' | 'name' | 'description' | 'created'> & Partial<WireDataset>

/** Dotted for nested objects; the types seen in it are joined by `|`. */
export type DatasetField = Pick<WireField, 'name' | 'type'> & Partial<WireField>

export interface DatasetsClient {
  create(dataset: NewDataset, options?: CallOptions): Promise<Dataset>
  list(options?: CallOptions): Promise<Dataset[]>
  get(name: string, options?: CallOptions): Promise<Dataset>
  change(name: string, change: DatasetChange, options?: CallOptions): Promise<Dataset>
  /** Deletes a dataset with all its events. */
  delete(name: string, options?: CallOptions): Promise<void>
  /** Removes events older than a duration such as `720h`. */
  trim(name: string, maxDuration: string, options?: CallOptions): Promise<void>
  fields(name: string, options?: CallOptions): Promise<DatasetField[]>
  /** The fields and virtual fields of every dataset that the token may query. */
  allFields(options?: CallOptions): Promise<DatasetFields[]>
  /** How much there is in a dataset, and its fields. */
  info(name: string, options?: CallOptions): Promise<DatasetInfo>
}

const parseDataset = oneWith<Dataset>('name')

export function createDatasetsClient(connection: Connection): DatasetsClient {
  const ask = createAsk(connection)
  return {
    create: (body, options) => ask('POST', DATASETS_PATH, { body, read: parseDataset, options }),
    list: (options) => ask('GET', DATASETS_PATH, { read: listWith<Dataset>('name'), options }),
    get: (name, options) => ask('GET', datasetPath(name), { read: parseDataset, options }),
    change: (name, body, options) => ask('PUT', datasetPath(name), { body, read: parseDataset, options }),
    delete: (name, options) => ask('DELETE', datasetPath(name), { read: parseNothing, options }),
    trim: (name, maxDuration, options) => ask('POST', trimPath(name), { body: { maxDuration }, read: parseNothing, options }),
    fields: (name, options) => ask('GET', fieldsPath(name), { read: listWith<DatasetField>('name'), options }),
    allFields: (options) => ask('GET', ALL_FIELDS_PATH, { read: listWith<DatasetFields>('datasetName'), options }),
    info: (name, options) => ask('GET', infoPath(name), { read: oneWith<DatasetInfo>('name'), options }),
  }
}
