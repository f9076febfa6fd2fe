/** Builds the queries of the list: for the next page, for newer events, and for events that arrived late. Pure. */
import { formatRange, type Range } from '../address/range.ts'
import type { Query } from '../service/query.ts'

export const PAGE_ROWS = 100
/** Bounds what one poll fetches; the next poll fetches the rest. */
export const TAIL_ROWS = 1_000

/** Counting the matches would read all of them, and nobody sees the count. */
export const UNCOUNTED = { countMatches: false } as const

export interface ListedEvents {
  /** A query of rows, without sort and limit. */
  apl: string
  range: Range
}

/** @param cursor the cursor of the oldest row so far */
export function pageQuery({ apl, range }: ListedEvents, cursor: string | undefined): Query {
  // The pipe starts a new line, because the query may end in a comment.
  return {
    apl: `${apl}\n| sort by _time desc | limit ${PAGE_ROWS}`,
    ...formatRange(range),
    // The first page has the count of all matches.
    ...(cursor !== undefined && { cursor, ...UNCOUNTED }),
  }
}

/**
 * Asks for rows newer than the newest one so far. Rows with a time in the future are not asked for before that time, so that the cursor
 * does not pass rows that are stored until then. `now` is evaluated by the service, whose clock may differ from the browser's.
 */
export function newerQuery({ apl, range }: ListedEvents, cursor: string | undefined, nowMs: number): Query {
  return {
    apl: `${apl}\n| sort by _time asc | limit ${TAIL_ROWS}`,
    startTime: toTime(range.startMs),
    endTime: endOf(range, nowMs),
    ...UNCOUNTED,
    ...(cursor !== undefined && { cursor }),
  }
}

interface LateEvents {
  /** The time of the oldest row shown; older rows are loaded with their page. */
  from: string | undefined
  /** Only rows that arrived after this time are wanted. */
  since: string
  nowMs: number
}

/** Asks for rows that arrived lately, whatever their time: a cursor does not find rows that are stored with an earlier time. */
export function lateQuery({ apl, range }: ListedEvents, { from, since, nowMs }: LateEvents): Query {
  return {
    apl: `${apl}\n| where _sysTime > datetime(${since}) | sort by _time asc | limit ${TAIL_ROWS}`,
    startTime: from ?? toTime(range.startMs),
    endTime: endOf(range, nowMs),
    ...UNCOUNTED,
  }
}

/** An event may become visible to queries so long after it arrived, when later events are visible already. */
const ARRIVAL_MS = 10_000

/** @returns the time of arrival before which every event is visible by now */
export function settledBefore(arrived: string): string {
  return toTime(Date.parse(cutToMs(arrived)) - ARRIVAL_MS)
}

function endOf({ endMs }: Range, nowMs: number): string {
  return endMs > nowMs ? toTime(endMs) : 'now'
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** @param time in UTC with up to nine digits of a second; not every browser parses more than three */
export function cutToMs(time: string): string {
  return time.replace(/(\.\d{3})\d+/, '$1')
}
