/** Which dataset an event is from: rows do not say, so the query has to. Pure. */
import { filterDataset } from '../filters/filtered.ts'
import { quoteText } from '../query/name.ts'
import type { Event } from '../service/query.ts'

/** Ingest keeps the name free, so it never hides a field of an event. */
const SOURCE_FIELD = '_source'

/** @returns a query of all events that pass; of several datasets, each event says where it is from; empty without a dataset */
export function queryDatasets(datasets: readonly string[], filters: readonly string[]): string {
  const eventsOf = (name: string) => filterDataset(name, filters, true)
  if (datasets.length <= 1) return datasets.map(eventsOf).join()
  return `union ${datasets.map((name) => `(${eventsOf(name)} | extend ${SOURCE_FIELD} = ${quoteText(name)})`).join(', ')}`
}

/** @returns the dataset, where the query tells, and the event's own fields */
export function splitSource({ data }: Event): { source: string | undefined; data: Record<string, unknown> } {
  const { [SOURCE_FIELD]: source, ...own } = data
  return typeof source === 'string' ? { source, data: own } : { source: undefined, data }
}
