/** The dataset of an event: rows do not have it, so the query adds it. Pure. */
import { filterDataset } from '../filters/filtered.ts'
import { quoteText } from '../query/name.ts'
import type { Event } from '../service/query.ts'

/** Ingest reserves this name, so it never hides a field of an event. */
const SOURCE_FIELD = '_source'

/** @returns a query of all events that pass the filters, with the dataset of each if there are several; empty without a dataset */
export function queryDatasets(datasets: readonly string[], filters: readonly string[]): string {
  const eventsOf = (name: string) => filterDataset(name, filters, true)
  if (datasets.length <= 1) return datasets.map(eventsOf).join()
  return `union ${datasets.map((name) => `(${eventsOf(name)} | extend ${SOURCE_FIELD} = ${quoteText(name)})`).join(', ')}`
}

/** @returns the dataset, if the query returned it, and the event's own fields */
export function splitSource({ data }: Event): { source: string | undefined; data: Record<string, unknown> } {
  const { [SOURCE_FIELD]: source, ...own } = data
  return typeof source === 'string' ? { source, data: own } : { source: undefined, data }
}
