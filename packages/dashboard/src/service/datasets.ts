/** The dataset endpoints, as the page uses them. */
import { DATASETS_PATH, type Dataset, type DatasetField, fieldsPath } from '@deployment-annotations/contract/dataset'
import { request } from './request.ts'

/** What the page shows of a field. */
export type Field = Pick<DatasetField, 'name' | 'type'>

export function listDatasets(signal: AbortSignal): Promise<Dataset[]> {
  return request<Dataset[]>(DATASETS_PATH, { signal })
}

export function listFields(dataset: string, signal: AbortSignal): Promise<Field[]> {
  return request<DatasetField[]>(fieldsPath(dataset), { signal })
}
