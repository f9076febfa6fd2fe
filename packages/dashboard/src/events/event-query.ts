/** Builds the queries of the list: for the next page, and for the newest events. Pure. */
import { formatRange, type Range } from '../address/range.ts'
import type { Query } from '../service/query.ts'

export const PAGE_ROWS = 100
/** Bounds what one poll fetches; if more came at once, the list starts anew. */
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
 * Asks for the newest rows, down to one of those that are shown already: between them there is no other then.
 * @param from the time of that row; absent where all are shown
 */
export function newestQuery({ apl, range }: ListedEvents, from: string | undefined, nowMs: number): Query {
  return {
    apl: `${apl}\n| sort by _time desc | limit ${TAIL_ROWS}`,
    startTime: from ?? toTime(range.startMs),
    endTime: endOf(range, nowMs),
    ...UNCOUNTED,
  }
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
