/**
 * The rows of the list, newest first: adds pages at the end, and the rows that the tail found at their places. Pure; every function
 * returns a new state. Deliberately not here: requests.
 */
import type { Event, Status } from '../service/query.ts'
import { PAGE_ROWS, TAIL_ROWS } from './event-query.ts'

/** More rows cost the browser seconds of layout on a slow machine; a shorter range shows older events. */
export const ROWS_MAX = 10_000

export interface Answer {
  status: Pick<Status, 'minCursor' | 'maxCursor' | 'rowsMatched' | 'messages'>
  matches: readonly Event[]
}

export interface EventPages {
  rows: readonly Event[]
  /** Rows of the tail that are not shown yet, so that nothing moves while the user reads. */
  held: readonly Event[]
  /** The number of rows of the whole query, as counted for the first page and by the tail; `undefined` before that page. */
  total: number | undefined
  /** The cursor after which the next page starts. */
  older: string | undefined
  /** Whether there are no older rows. */
  isComplete: boolean
}

export const NO_PAGES: EventPages = {
  rows: [],
  held: [],
  total: undefined,
  older: undefined,
  isComplete: false,
}

export function isFull({ rows, isComplete }: EventPages): boolean {
  return rows.length >= ROWS_MAX && !isComplete
}

/** @param sent the cursor that the page was requested with */
export function addPage(pages: EventPages, sent: string | undefined, { status, matches }: Answer): EventPages {
  // The tail has dropped rows in the meantime, so the page would leave a gap.
  if (pages.older !== sent) return pages
  // A service whose configuration caps the rows of an answer says so; a short page is not the last one then.
  const isCapped = status.messages.some(({ code }) => code === 'limit_capped')
  const isShort = matches.length < PAGE_ROWS && !isCapped
  return {
    ...pages,
    rows: [...pages.rows, ...matches],
    total: status.rowsMatched ?? pages.total,
    older: status.minCursor || undefined,
    isComplete: isShort || status.minCursor === (sent ?? ''),
  }
}

/** @returns whether there may be rows between those of an answer and those that are known */
export function isTorn({ rows, held }: EventPages, { matches }: Answer): boolean {
  const known = idsOf([...rows, ...held])
  return matches.length >= TAIL_ROWS && known.size > 0 && !matches.some(({ _rowId }) => known.has(_rowId))
}

/** @param isReading whether new rows are held back */
export function addNewest(pages: EventPages, { matches }: Answer, isReading: boolean): EventPages {
  const known = idsOf([...pages.rows, ...pages.held])
  const last = pages.rows.at(-1)
  // A row older than the last one is loaded with its page.
  const isInside = (event: Event) => pages.isComplete || !last || compareNewestFirst(event, last) < 0
  const unknown = matches.filter((event) => !known.has(event._rowId) && isInside(event))
  const held = merge(pages.held, unknown).slice(0, ROWS_MAX)
  const taken = { ...pages, held, total: pages.total === undefined ? undefined : pages.total + unknown.length }
  return isReading ? taken : release(taken)
}

function idsOf(events: readonly Event[]): ReadonlySet<string> {
  return new Set(events.map(({ _rowId }) => _rowId))
}

export function release(pages: EventPages): EventPages {
  if (pages.held.length === 0) return pages
  const rows = merge(pages.rows, pages.held)
  const kept = rows.slice(0, ROWS_MAX)
  const isCut = kept.length < rows.length
  return {
    ...pages,
    rows: kept,
    held: [],
    isComplete: pages.isComplete && !isCut,
    older: isCut ? kept.at(-1)?._rowId : pages.older,
  }
}

function merge(some: readonly Event[], others: readonly Event[]): readonly Event[] {
  if (others.length === 0) return some
  return [...others, ...some].sort(compareNewestFirst)
}

/** Compares as the service sorts: by time, and for equal times by the number at the end of the row's id. */
export function compareNewestFirst(a: Event, b: Event): number {
  return compareTexts(b._time.slice(0, -1), a._time.slice(0, -1)) || compareTexts(b._rowId, a._rowId)
}

/** Compares times without their `Z`: without trailing zeros of the fraction they sort as texts. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
