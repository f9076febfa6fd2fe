/**
 * Queries: their paths, and the closed lists of what is asked and answered in either format. The shapes are in schemas/query.ts and
 * schemas/legacy-query.ts.
 */
import { DATASETS_V1_PATH } from './dataset.ts'
import { toSegment } from './text.ts'

/**
 * A value of an event, or computed from some.
 * @typeParam Big what a reader makes of integers beyond 2^53, which a double cannot hold
 */
export type Value<Big = bigint> = string | number | boolean | null | Big | Value<Big>[] | { [name: string]: Value<Big> }

/** The header of the answer to a query with `saveAsKind`: the id under which the query was saved. */
export const HISTORY_QUERY_ID_HEADER = 'x-axiom-history-query-id'
export const SAVED_QUERIES_PATH = `${DATASETS_V1_PATH}/_history`

/** @returns the path of one saved query, its id escaped */
export function savedQueryPath(id: string): string {
  return `${SAVED_QUERIES_PATH}/${toSegment(id)}`
}

export const QUERY_PATH = `${DATASETS_V1_PATH}/_apl`
/** The same endpoint at the address that clients of the edge use. */
export const QUERY_SHORT_PATH = '/v1/query/_apl'

/** @returns the query endpoint with the format of its answer */
export function queryPath(format: QueryFormat): string {
  return `${QUERY_PATH}?format=${format}`
}

/** @returns where one dataset is asked in the legacy form, its name escaped */
export function legacyQueryPath(dataset: string): string {
  return `${DATASETS_V1_PATH}/${toSegment(dataset)}/query`
}

/** Where editors read the names of the query language, to complete them. Their shape is in schemas/language.ts. */
export const LANGUAGE_PATH = '/v2/language'

export const QUERY_FORMATS = ['tabular', 'legacy'] as const
export type QueryFormat = (typeof QUERY_FORMATS)[number]

/** What a query is saved as: one of the query language, or a legacy one that asked for aggregations or for rows. */
export const QUERY_KINDS = ['apl', 'analytics', 'stream'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]
export const SAVED_QUERY_ID_PATTERN = /^qry_[0-9a-f]{24}$/
/** The column with each row's cursor, in answers to queries that ask for it. No field of an event has this name. */
export const CURSOR_COLUMN = '_cursor'

/** The operators that combine filters. */
export const LEGACY_COMBINATIONS = ['and', 'or', 'not'] as const

/** The operators of a filter that tests a field. */
// biome-ignore format: a list
export const LEGACY_TESTS = [
  '==', '!=', '>', '>=', '<', '<=', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'exists', 'not-exists', 'starts-with', 'not-starts-with',
  'ends-with', 'not-ends-with', 'contains', 'not-contains', 'regexp', 'not-regexp',
] as const

// biome-ignore format: a list
export const LEGACY_AGGREGATIONS = [
  'count', 'distinct', 'sum', 'avg', 'min', 'max', 'topk', 'percentiles', 'histogram', 'standardDeviation', 'stdev', 'variance', 'argmin',
  'argmax', 'makeset', 'makelist', 'rate', 'distinctif', 'countif', 'sumif', 'avgif', 'minif', 'maxif',
] as const
