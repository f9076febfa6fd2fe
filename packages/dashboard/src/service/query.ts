/** The query endpoint, as the page uses it: tables for charts, events for the list. */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { request } from './request.ts'

/** What is asked, over `[startTime, endTime)`. */
export interface Query {
  apl: string
  /** RFC 3339. */
  startTime: string
  endTime: string
  /** The page begins behind this row. */
  cursor?: string
}

export interface Status {
  rowsMatched: number
  minCursor: string
  maxCursor: string
  isPartial: boolean
  messages: { priority: string; code: string; msg: string }[]
}

/** Columns side by side: `columns[i]` has the values of `fields[i]`. */
export interface Table {
  fields: { name: string; type: string; agg?: { name: string } }[]
  columns: unknown[][]
  groups: { name: string }[]
  /** Of a query that groups by time: the field, and the width of a bin in nanoseconds, which may be more than a double holds. */
  buckets?: { field: string; size: number | bigint }
}

export interface TabularAnswer {
  status: Status
  tables: Table[]
  /** Of a query of rows. */
  matches?: Event[]
  datasetNames: string[]
}

/** An event as stored; integers that a double cannot hold are `bigint`. */
export interface Event {
  _time: string
  _sysTime: string
  /** Can be used as a cursor. */
  _rowId: string
  data: Record<string, unknown>
}

export function queryTables(query: Query, signal: AbortSignal): Promise<TabularAnswer> {
  return request<TabularAnswer>('/v1/datasets/_apl', {
    method: 'POST',
    query: { format: 'tabular' },
    body: query,
    signal,
    parse: parseExact,
  })
}

/** @param query of rows, in the order of `_time` */
export function queryEvents(query: Query, signal: AbortSignal): Promise<{ status: Status; matches: Event[] }> {
  return request('/v1/datasets/_apl', {
    method: 'POST',
    query: { format: 'legacy' },
    body: query,
    signal,
    parse: parseExact,
  })
}
