/**
 * Queries on the wire: what is asked, and what is answered in either format.
 * Their schemas are in schemas/query.ts, which this file does not load.
 */

import type { Static } from 'typebox'
import { DATASETS_V1_PATH } from './dataset.ts'
import { toSegment } from './path.ts'
import type { QUERY_FORMATS, QUERY_KINDS } from './rules/query.ts'
import type { LegacyQuerySchema } from './schemas/legacy-query.ts'
import type {
  AplQuerySchema,
  BucketsSchema,
  FieldSchema,
  LegacyAnswerSchema,
  MatchSchema,
  MessageSchema,
  SavedQuerySchema,
  StatusSchema,
  TableSchema,
  TabularAnswerSchema,
} from './schemas/query.ts'

export * from './rules/query.ts'

export type QueryFormat = (typeof QUERY_FORMATS)[number]
export type QueryKind = (typeof QUERY_KINDS)[number]

/**
 * A value of an event, or computed from some.
 * @typeParam Big what a reader makes of integers beyond 2^53, which a double cannot hold
 */
export type Value<Big = bigint> = string | number | boolean | null | Big | Value<Big>[] | { [name: string]: Value<Big> }

/** What is asked in the query language, over `[startTime, endTime)`. */
export type AplQuery<Big = bigint> = Omit<Static<typeof AplQuerySchema>, 'variables'> & {
  /** Values of `let` names in the query. */
  variables?: { [name: string]: Value<Big> }
}

/** What is asked of one dataset as filters, groups and aggregations. */
export type LegacyQuery = Static<typeof LegacyQuerySchema>

/** Figures about a query, each of them measured. */
export type QueryStatus = Static<typeof StatusSchema>

/** Something the author should know though the query ran. */
export type QueryMessage = Static<typeof MessageSchema>

/** A column: its name, the types of its values, and how it was aggregated. */
export type QueryField = Static<typeof FieldSchema>

/** Columns side by side: `columns[i]` has the values of `fields[i]`. */
export type Table<Big = bigint> = Omit<Static<typeof TableSchema>, 'columns' | 'buckets'> & {
  buckets?: Omit<Static<typeof BucketsSchema>, 'size'> & {
    /** Nanoseconds. */
    size: number | Big
  }
  columns: Value<Big>[][]
}

/** One event, as stored or as the query left it. */
export type Match<Big = bigint> = Omit<Static<typeof MatchSchema>, 'data'> & { data: { [name: string]: Value<Big> } }

export type TabularAnswer<Big = bigint> = Omit<Static<typeof TabularAnswerSchema>, 'tables' | 'matches'> & {
  tables: Table<Big>[]
  /** Of a query of rows. */
  matches?: Match<Big>[]
}

/** One interval of time with its groups. */
export type LegacyInterval = LegacyBuckets['series'][number]
/** One group with its aggregations. */
export type LegacyGroup = LegacyBuckets['totals'][number]
export type LegacyBuckets = Static<typeof LegacyAnswerSchema>['buckets']

export type LegacyAnswer<Big = bigint> = Omit<Static<typeof LegacyAnswerSchema>, 'matches'> & { matches: Match<Big>[] }

/** A query that was saved with `saveAsKind`. */
export type SavedQuery = Static<typeof SavedQuerySchema>

/** Of the answer to a query with `saveAsKind`: what it was saved under. */
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
