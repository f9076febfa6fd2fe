/**
 * Datasets: made, described, emptied and deleted, and what is in them.
 */
import { DATASET_CALLS, type DATASETS } from '@deployment-annotations/contract/dataset'
import type { InferClient } from '@deployment-annotations/contract/schema'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { type ClientOf, createCalls } from './resources.ts'

type Calls = ClientOf<typeof DATASET_CALLS, typeof DATASETS>

/** Members that the hosted service may leave out are optional here. */
export type Dataset = InferClient<typeof DATASETS.get.gives>

/** Dotted for nested objects; the types seen in it are joined by `|`. */
export type DatasetField = InferClient<typeof DATASETS.fields.gives>[number]

export interface DatasetsClient extends Omit<Calls, 'trim'> {
  /** Deletes events older than a duration such as `720h`. */
  trim(name: string, maxDuration: string, options?: CallOptions): Promise<void>
}

export function createDatasetsClient(connection: Connection): DatasetsClient {
  const calls = createCalls<Calls>(connection, DATASET_CALLS)
  return { ...calls, trim: async (name, maxDuration, options) => void (await calls.trim(name, { maxDuration }, options)) }
}
