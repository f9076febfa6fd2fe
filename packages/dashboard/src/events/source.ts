/** Which dataset an event is from: rows do not say, so the query has to. Pure. */
import type { Event } from '../service/query.ts'

/** Ingest keeps the name free, so it never hides a field of an event. */
const SOURCE_FIELD = '_source'

/**
 * @param quoted names of datasets as a query has them: `['web']`
 * @returns a query of all events; of several datasets, each event says where it is from
 */
export function queryDatasets(quoted: readonly string[]): string {
  if (quoted.length <= 1) return quoted[0] ?? ''
  // Without its brackets, the name of a dataset is a text.
  return `union ${quoted.map((name) => `(${name} | extend ${SOURCE_FIELD} = ${name.slice(1, -1)})`).join(', ')}`
}

/** @returns the dataset, where the query tells, and the event's own fields */
export function splitSource({ data }: Event): { source: string | undefined; data: Record<string, unknown> } {
  const { [SOURCE_FIELD]: source, ...own } = data
  return typeof source === 'string' ? { source, data: own } : { source: undefined, data }
}
