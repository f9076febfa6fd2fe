/** The dataset endpoints, as the page uses them. */
import { request } from './request.ts'

export interface Dataset {
  name: string
  description: string
}

export interface Field {
  name: string
  /** Such as `integer|string`. */
  type: string
}

export function listDatasets(signal: AbortSignal): Promise<Dataset[]> {
  return request<Dataset[]>('/v2/datasets', { signal })
}

export function listFields(dataset: string, signal: AbortSignal): Promise<Field[]> {
  return request<Field[]>(`/v2/datasets/${encodeURIComponent(dataset)}/fields`, { signal })
}
