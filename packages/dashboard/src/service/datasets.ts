/** Requests to the dataset endpoints. */
import { DATASETS_PATH, datasetPath, fieldsPath, infoPath, trimPath } from '@deployment-annotations/contract/dataset'
import type {
  Dataset,
  DatasetChange,
  DatasetField,
  DatasetInfo,
  NewDataset,
} from '@deployment-annotations/contract/schemas/dataset'
import { VIRTUAL_FIELD_CALLS, type VIRTUAL_FIELDS } from '@deployment-annotations/contract/virtual-field'
import { createCalls, createRequests, type RequestsOf, request } from './request.ts'

/** The members of a field that the page shows. */
export type Field = Pick<DatasetField, 'name' | 'type'>

export const datasetRequests = createRequests<Dataset, NewDataset, DatasetChange>(DATASETS_PATH, datasetPath)

export function listFields(dataset: string, signal: AbortSignal): Promise<Field[]> {
  return request<DatasetField[]>(fieldsPath(dataset), { signal })
}

/** @returns the size of the dataset; the service reads it from its store, as a query does */
export function readInfo(dataset: string, signal: AbortSignal): Promise<DatasetInfo> {
  return request<DatasetInfo>(infoPath(dataset), { signal })
}

export const virtualFieldRequests =
  createCalls<RequestsOf<typeof VIRTUAL_FIELD_CALLS, typeof VIRTUAL_FIELDS>>(VIRTUAL_FIELD_CALLS)

/** @param maxDuration such as `30d`; older events are deleted */
export function trimDataset(name: string, maxDuration: string): Promise<void> {
  return request<void>(trimPath(name), { method: 'POST', body: { maxDuration } })
}
