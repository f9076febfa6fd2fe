/** Requests to the dataset endpoints. */
import type { KnownField } from '@deployment-annotations/compare/signs'
import { DATASET_CALLS, type DATASETS, type DatasetField } from '@deployment-annotations/contract/dataset'
import { VIRTUAL_FIELD_CALLS, type VIRTUAL_FIELDS } from '@deployment-annotations/contract/virtual-field'
import { createCalls, type RequestsOf } from './request.ts'
import { may } from './session.ts'

/** The members of a field that the page shows. */
export type Field = Pick<DatasetField, 'name' | 'type'>

export const datasetRequests = createCalls<RequestsOf<typeof DATASET_CALLS, typeof DATASETS>>(DATASET_CALLS)

export const listFields: (dataset: string, signal: AbortSignal) => Promise<Field[]> = datasetRequests.fields

export const virtualFieldRequests =
  createCalls<RequestsOf<typeof VIRTUAL_FIELD_CALLS, typeof VIRTUAL_FIELDS>>(VIRTUAL_FIELD_CALLS)

/** @returns the stored fields, and the virtual ones if the token may read them */
export async function listQueryable(dataset: string, signal: AbortSignal): Promise<KnownField[]> {
  const isPermitted = may('virtualFields|read', [dataset])
  const [virtual, stored] = await Promise.all([
    isPermitted ? virtualFieldRequests.list(dataset, signal) : [],
    listFields(dataset, signal),
  ])
  return [...virtual.map(({ name }) => ({ name, type: '', isVirtual: true })), ...stored]
}
