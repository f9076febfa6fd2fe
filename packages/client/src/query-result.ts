/**
 * What queries answer, as the contract says it: integers beyond 2^53 are `bigint`, times are RFC 3339 text up to nanoseconds.
 * Members that the hosted service may leave out are optional here.
 */
import type { LegacyAnswer, QueryStatus as Status, TabularAnswer } from '@deployment-annotations/contract/query'

export type { Match, QueryField as Field, Table, Value } from '@deployment-annotations/contract/query'

export type QueryStatus = Partial<Status> & Pick<Status, 'elapsedTime' | 'rowsExamined' | 'rowsMatched' | 'isPartial'>

/** `matches` is there for queries of rows; the hosted service leaves it out. */
export type QueryResult = Lenient<TabularAnswer, 'format' | 'tables'>

export type LegacyResult = Lenient<LegacyAnswer, 'matches' | 'buckets'>

/** What the hosted service answers of it, too. */
type Lenient<T, Always extends keyof T> = Pick<T, Always> &
  Partial<Omit<T, Always | 'status'>> & {
    status: QueryStatus
    /** Of a query with `saveAsKind`. */
    savedQueryId?: string
  }
