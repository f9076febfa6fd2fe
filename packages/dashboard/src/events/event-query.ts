/** The queries of the list: pages downwards, what is newer than the newest, and what came late. Pure. */

import type { Range } from '../address/range.ts'
import type { Query } from '../service/query.ts'

export const PAGE_ROWS = 100
/** Bounds what one poll fetches; what is left comes with the next. */
export const TAIL_ROWS = 1_000

/** Counting what matches reads all of it, and nobody sees the count. */
const UNCOUNTED = { countMatches: false } as const

/** What is listed. */
export interface ListedEvents {
  /** A query of rows, without sort and limit. */
  apl: string
  range: Range
}

/** @param cursor of the oldest row so far */
export function pageQuery({ apl, range }: ListedEvents, cursor: string | undefined): Query {
  // On a line of its own: the query may end in a comment.
  return {
    apl: `${apl}\n| sort by _time desc | limit ${PAGE_ROWS}`,
    startTime: toTime(range.startMs),
    endTime: toTime(range.endMs),
    // How many there are in all comes with the first page.
    ...(cursor !== undefined && { cursor, ...UNCOUNTED }),
  }
}

/**
 * What is newer than the newest row so far. Rows with a time in the future are not asked for before that time, so that the cursor
 * does not pass rows that are stored until then; `now` is the service's own, as its clock may differ from the browser's.
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
  /** The time of the oldest row shown; older rows come with their page. */
  from: string | undefined
  /** What arrived after this time. */
  since: string
  nowMs: number
}

/** What arrived lately, whatever its time: a cursor does not find rows that are stored with a time before its own. */
export function lateQuery({ apl, range }: ListedEvents, { from, since, nowMs }: LateEvents): Query {
  return {
    apl: `${apl}\n| where _sysTime > datetime(${since}) | sort by _time asc | limit ${TAIL_ROWS}`,
    startTime: from ?? toTime(range.startMs),
    endTime: endOf(range, nowMs),
    ...UNCOUNTED,
  }
}

/** An event may become visible to queries so long after it arrived, by when later ones may have been seen. */
const ARRIVAL_MS = 10_000

/** @returns the time before which everything that arrived is visible by now */
export function settledBefore(arrived: string): string {
  return toTime(Date.parse(cutToMs(arrived)) - ARRIVAL_MS)
}

function endOf({ endMs }: Range, nowMs: number): string {
  return endMs > nowMs ? toTime(endMs) : 'now'
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** @param time in UTC with up to nine digits of a second, of which not every browser reads more than three */
export function cutToMs(time: string): string {
  return time.replace(/(\.\d{3})\d+/, '$1')
}
