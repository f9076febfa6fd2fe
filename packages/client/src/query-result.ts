/**
 * What queries answer. Integers beyond 2^53 are `bigint`; times are RFC 3339 text up to nanoseconds.
 */

export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value }

export interface QueryStatus {
  /** Microseconds. */
  elapsedTime: number
  /** Cursor of the oldest row of the page, of the newest one, whatever the order. */
  minCursor?: string
  maxCursor?: string
  rowsExamined: number
  /** All rows of the query, with or without a cursor. */
  rowsMatched: number
  isPartial: boolean
  messages?: { priority: string; count: number; code: string; msg: string }[]
}

export interface Field {
  name: string
  /** `datetime string integer float boolean array timespan map[string] unknown`, unions joined by `|`. */
  type: string
  agg?: { name: string; fields?: string[] }
}

export interface Table {
  name: string
  sources: { name: string }[]
  fields: Field[]
  order: { field: string; desc: boolean }[]
  groups: { name: string }[]
  range?: { field: string; start: string; end: string }
  /** Size in nanoseconds. */
  buckets?: { field: string; size: number }
  /** One array of values per field. */
  columns: Value[][]
}

/** One event, of the contract's page. */
export interface Match {
  _time: string
  _sysTime: string
  /** Works as a cursor. */
  _rowId: string
  data: { [name: string]: Value }
}

export interface QueryResult {
  format: 'tabular'
  status: QueryStatus
  tables: Table[]
  /** For queries of rows; the hosted service leaves it out. */
  matches?: Match[]
  datasetNames?: string[]
}

export interface LegacyResult {
  format?: 'legacy'
  status: QueryStatus
  matches: Match[]
  buckets: { series: unknown[]; totals: unknown[] }
}
