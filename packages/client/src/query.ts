/**
 * Queries: one answer, or page after page by cursor.
 */
import { addressOf } from '@deployment-annotations/contract/call'
import { parseExact, stringifyExact } from '@deployment-annotations/contract/exact-json'
import { LEGACY_QUERY_CALLS, type LegacyQuery as WireLegacyQuery } from '@deployment-annotations/contract/legacy-query'
import {
  type AplQuery,
  HISTORY_QUERY_ID_HEADER,
  type QueryFormat,
  type QueryKind,
  queryPath,
} from '@deployment-annotations/contract/query'
import { endOfMillisecond, parseRelativeTime } from '@deployment-annotations/contract/relative-time'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { type Call, type CallOptions, runCall, startContext } from './calls.ts'
import type { Connection } from './connection.ts'
import type { ClientError } from './errors.ts'
import type { LegacyResult, QueryResult, Table, Value } from './query-result.ts'
import { type Reply, readerOf, readHeader } from './reply.ts'

/** Times are RFC 3339, or `now`, `now-1h`, `now-1d` …; a bigint in the variables keeps all its digits. */
export interface QueryOptions
  extends CallOptions,
    Pick<AplQuery, 'startTime' | 'endTime' | 'cursor' | 'includeCursor' | 'includeCursorField' | 'countMatches' | 'variables'> {
  /** Saves the query; the result then has a `savedQueryId`, under which `savedQueries.get` finds it for 30 days. */
  saveAsKind?: QueryKind
}

/** The legacy request; the hosted service wants to be told the interval. */
export type LegacyQuery = WireLegacyQuery & Required<Pick<WireLegacyQuery, 'startTime' | 'endTime'>>

export interface PagesOptions extends QueryOptions {
  startTime: string
  endTime: string
  /** Pages at most; default without bound. */
  pagesMax?: number
}

/** Why there are no more pages: what a `for await` loop does not show is the return value of the iterator. */
export type PagesEnd = 'empty-page' | 'cursor-repeated' | 'pages-max'

/** The events of a page, in the order of the query. */
export type Row = { [name: string]: Value }

export interface QueryClient {
  /** Runs a query in the query language; with `format: 'legacy'` the answer has the form of the legacy endpoint. */
  query(apl: string, options: QueryOptions & { format: 'legacy' }): Promise<LegacyResult>
  query(apl: string, options?: QueryOptions & { format?: 'tabular' }): Promise<QueryResult>
  /** Runs a query of the legacy endpoint on one dataset. */
  queryLegacy(
    dataset: string,
    query: LegacyQuery,
    options?: CallOptions & Pick<QueryOptions, 'saveAsKind'>,
  ): Promise<LegacyResult>
  /**
   * All pages of a query that ends in `sort by _time asc` or `desc` and a `limit`, which is the size of a page. Relative times are
   * taken once, so that all pages speak of the same interval.
   */
  pages(apl: string, options: PagesOptions): AsyncGenerator<QueryResult, PagesEnd>
  /**
   * All rows of such a query, one by one.
   * @typeParam T what a row is known to be; nothing checks it
   */
  rows<T = Row>(apl: string, options: PagesOptions): AsyncGenerator<T, PagesEnd>
}

/** Tens of thousands of wide rows. */
const REPLY_BYTES_MAX = 512 * 1024 * 1024

export function createQueryClient(connection: Connection): QueryClient {
  const ask = <T>(asked: Pick<Call<T>, 'path' | 'query' | 'body' | 'read'>, options: CallOptions): Promise<T> => {
    const bounds = { attemptShare: 1, replyBytesMax: REPLY_BYTES_MAX }
    // A query that took too long takes as long again.
    const isFinal = ({ status }: ClientError) => status === 408 || status === 504
    const body = stringifyExact(asked.body)
    return runCall(startContext(connection, options), { ...asked, ...bounds, method: 'POST', body, isFinal })
  }

  function query<Result = QueryResult>(apl: string, options: QueryOptions & { format?: QueryFormat } = {}): Promise<Result> {
    const { signal, timeoutMs, onRetry, onLostAnswer, countMatches, saveAsKind, format = 'tabular', ...members } = options
    // A service that knows nothing of it overlooks a parameter, and might refuse a member.
    const address = { path: queryPath(format), query: { countMatches, saveAsKind } }
    return ask<Result>({ ...address, body: { apl, ...members }, read: resultIn(format) }, options)
  }

  async function* pages(apl: string, options: PagesOptions): AsyncGenerator<QueryResult, PagesEnd> {
    const { pagesMax = Number.POSITIVE_INFINITY, ...rest } = options
    const nowNs = endOfMillisecond(connection.clock.now())
    const interval = { startTime: freeze(options.startTime, nowNs), endTime: freeze(options.endTime, nowNs) }
    let cursor = options.cursor
    for (let page = 0; page < pagesMax; page++) {
      const result = await query(apl, { ...rest, ...interval, ...(cursor === undefined ? {} : { cursor }) })
      if (countRows(result) === 0) return 'empty-page'
      const next = isAscending(result) ? result.status.maxCursor : result.status.minCursor
      // Rows behind the cursor that was sent again are those of the last page, unless its own row was asked for.
      if (next === cursor && !rest.includeCursor) return 'cursor-repeated'
      yield result
      if (!next || next === cursor) return 'cursor-repeated'
      cursor = next
      delete rest.includeCursor
    }
    return 'pages-max'
  }

  async function* rows<T = Row>(apl: string, options: PagesOptions): AsyncGenerator<T, PagesEnd> {
    // Nobody sees the count.
    const all = pages(apl, { countMatches: false, ...options })
    for (;;) {
      const page = await all.next()
      if (page.done) return page.value
      yield* readRows<T>(page.value)
    }
  }

  return {
    query,
    pages,
    rows,
    queryLegacy: (dataset, body, { saveAsKind, ...options } = {}) => {
      const { path } = addressOf(LEGACY_QUERY_CALLS.query, dataset)
      return ask({ path, query: { saveAsKind }, body, read: resultIn('legacy') }, options)
    },
  }
}

/** @returns what reads an answer of this format */
function resultIn<T>(format: QueryFormat): (reply: Reply) => T {
  const lists = format === 'tabular' ? ['tables', 'matches'] : ['matches']
  const take = (body: unknown, reply: Reply) => {
    const { status, ...members } = (body ?? {}) as Record<string, unknown>
    if (status === undefined || !lists.some((name) => Array.isArray(members[name]))) return undefined
    const savedQueryId = readHeader(reply, HISTORY_QUERY_ID_HEADER)
    return { ...(format === 'tabular' && { tables: [] }), status, ...members, ...(savedQueryId && { savedQueryId }) } as T
  }
  return readerOf(take, `a status and ${lists.join(' or ')}`, parseExact)
}

function isAscending({ tables }: QueryResult): boolean {
  const order = tables[0]?.order.find(({ field }) => field === '_time')
  return order !== undefined && !order.desc
}

function countRows({ tables, matches }: QueryResult): number {
  return tables[0]?.columns[0]?.length ?? matches?.length ?? 0
}

/**
 * @typeParam T what a row is known to be; nothing checks it
 * @returns the rows of an answer in any form: of its first table, its events, or its groups with a member for each aggregation
 */
export function readRows<T = Row>(result: QueryResult | LegacyResult): T[] {
  const [table] = 'tables' in result ? result.tables : []
  if (table) return Array.from(table.columns[0] ?? [], (_, index) => readRow(table, index) as T)
  if (!('buckets' in result) || result.matches.length > 0)
    return (result.matches ?? []).map(({ data, ...own }) => ({ ...own, ...data }) as T)
  return result.buckets.totals.map(({ group, aggregations }) => {
    return { ...group, ...Object.fromEntries(aggregations.map(({ op, value }) => [op, value])) } as T
  })
}

function readRow(table: Table, index: number): Row {
  return Object.fromEntries(table.fields.map(({ name }, column) => [name, table.columns[column]?.[index] ?? null]))
}

/** A relative time, resolved at a given moment; any other text unchanged: it is absolute, or the service says what is wrong with it. */
function freeze(time: string, nowNs: bigint): string {
  const ns = parseRelativeTime(time, nowNs)
  return ns === undefined ? time : formatTimestamp(ns)
}
