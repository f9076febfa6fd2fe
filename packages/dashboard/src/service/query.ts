/** The query endpoint, as the page uses it: tables for charts, events for the list. */
import {
  type TabularAnswer as Answer,
  type Table as AnsweredTable,
  type AplQuery,
  type Match,
  type QueryStatus,
  queryPath,
} from '@deployment-annotations/contract/query'
import { LosslessNumber, parse } from 'lossless-json'
import { request } from './request.ts'

/** What is asked, over `[startTime, endTime)`. */
export type Query = Pick<AplQuery, 'apl' | 'cursor'> & Required<Pick<AplQuery, 'startTime' | 'endTime'>>

/** What the page shows of an answer. Its values may be of any type; integers that a double cannot hold are `LosslessNumber`. */
export type Status = Pick<QueryStatus, 'rowsMatched' | 'minCursor' | 'maxCursor' | 'isPartial' | 'messages'>
export type Table = Pick<AnsweredTable<unknown>, 'fields' | 'columns' | 'groups' | 'buckets'>
export type Event = Match<unknown>

export interface TabularAnswer extends Pick<Answer<unknown>, 'matches' | 'datasetNames'> {
  status: Status
  tables: Table[]
}

export function queryTables(query: Query, signal: AbortSignal): Promise<TabularAnswer> {
  return request<TabularAnswer>(queryPath('tabular'), { method: 'POST', body: query, signal, parse: parseExact })
}

/** @param query of rows, in the order of `_time` */
export function queryEvents(query: Query, signal: AbortSignal): Promise<{ status: Status; matches: Event[] }> {
  return request(queryPath('legacy'), { method: 'POST', body: query, signal, parse: parseExact })
}

/** Numbers as numbers where that keeps every digit. */
function parseExact(text: string): unknown {
  return parse(text, undefined, (digits) => {
    const number = Number(digits)
    return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? new LosslessNumber(digits) : number
  })
}
