/** Requests to the query endpoint: tables for charts, events for the list. */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { withAllMembers } from '@deployment-annotations/contract/header'
import {
  type TabularAnswer as Answer,
  type Table as AnsweredTable,
  type AplQuery,
  type Match,
  type QueryStatus,
  queryPath,
} from '@deployment-annotations/contract/query'
import { request } from './request.ts'

/** A query over `[startTime, endTime)`. */
export type Query = Pick<AplQuery, 'apl' | 'cursor' | 'countMatches'> & Required<Pick<AplQuery, 'startTime' | 'endTime'>>

/** The members of an answer's status that the page shows. */
export type Status = Pick<QueryStatus, 'rowsMatched' | 'minCursor' | 'maxCursor' | 'isPartial' | 'messages'>
export type Table = Pick<AnsweredTable<unknown>, 'fields' | 'columns' | 'groups' | 'order' | 'buckets'>
export type Event = Match<unknown>

export interface TabularAnswer extends Pick<Answer<unknown>, 'matches' | 'datasetNames'> {
  status: Status
  tables: Table[]
}

export function queryTables(query: Query, signal: AbortSignal): Promise<TabularAnswer> {
  return request<TabularAnswer>(withAllMembers(queryPath('tabular')), { method: 'POST', body: query, signal, parse: parseExact })
}

/** @param query of rows, in the order of `_time` */
export function queryEvents(query: Query, signal: AbortSignal): Promise<{ status: Status; matches: Event[] }> {
  return request(withAllMembers(queryPath('legacy')), { method: 'POST', body: query, signal, parse: parseExact })
}
