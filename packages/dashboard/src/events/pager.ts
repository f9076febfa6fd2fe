/**
 * The rows of the list, newest first: adds pages at the end, and the rows that came meanwhile at their places. Pure; every function
 * returns a new state. Deliberately not here: requests.
 */
import type { Event, Status } from '../service/query.ts'

export const PAGE_ROWS = 100
/** Bounds what one check for new rows fetches; if more came at once, the list starts anew. */
export const TAIL_ROWS = 1_000
/** More rows cost the browser seconds of layout on a slow machine; a shorter range shows older events. */
export const ROWS_MAX = 10_000

export interface Answer {
  status: Pick<Status, 'minCursor' | 'maxCursor' | 'rowsMatched' | 'messages'>
  matches: readonly Event[]
}

export interface EventPages {
  rows: readonly Event[]
  /** How many rows came that are not shown, so that nothing moves while the user reads. */
  waiting: number
  /** The number of rows of the whole query, as counted for the first page and added to since; `undefined` before that page. */
  total: number | undefined
  /** The cursor after which the next page starts. */
  older: string | undefined
  /** Whether there are no older rows. */
  isComplete: boolean
}

export const NO_PAGES: EventPages = { rows: [], waiting: 0, total: undefined, older: undefined, isComplete: false }

export function isFull({ rows, isComplete }: EventPages): boolean {
  return rows.length >= ROWS_MAX && !isComplete
}

/** @param sent the cursor that the page was requested with */
export function addPage(pages: EventPages, sent: string | undefined, { status, matches }: Answer): EventPages {
  // Newer rows have pushed some out in the meantime, so the page would leave a gap.
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
export function isTorn({ rows }: EventPages, { matches }: Answer): boolean {
  return matches.length >= TAIL_ROWS && rows.length > 0 && listUnknown(rows, matches).length === matches.length
}

/** @param isReading whether new rows are only counted */
export function addNewest(pages: EventPages, { matches }: Answer, isReading: boolean): EventPages {
  const { rows, total = 0, isComplete, older } = pages
  const last = rows.at(-1)
  // A row older than the last one is loaded with its page.
  const isInside = (event: Event) => isComplete || !last || compareNewestFirst(event, last) < 0
  const unknown = listUnknown(rows, matches).filter(isInside)
  if (isReading || unknown.length === 0) return { ...pages, waiting: unknown.length }
  const all = [...unknown, ...rows].sort(compareNewestFirst)
  const kept = all.slice(0, ROWS_MAX)
  const isCut = kept.length < all.length
  return {
    rows: kept,
    waiting: 0,
    total: total + unknown.length,
    older: isCut ? kept.at(-1)?._rowId : older,
    isComplete: isComplete && !isCut,
  }
}

function listUnknown(rows: readonly Event[], matches: readonly Event[]): Event[] {
  const known = new Set(rows.map(({ _rowId }) => _rowId))
  return matches.filter(({ _rowId }) => !known.has(_rowId))
}

/** The length of a time to the second, `2026-01-31T12:00:00`. */
const TO_SECOND = 19

/** Compares as the service sorts: by time, and within a second by the id, which begins with the time. Before 1970 ids are larger. */
export function compareNewestFirst(a: Event, b: Event): number {
  const [one, other] = [placeOf(a), placeOf(b)]
  return one < other ? 1 : one > other ? -1 : 0
}

function placeOf({ _time, _rowId }: Event): string {
  return _time.slice(0, TO_SECOND) + _rowId
}
