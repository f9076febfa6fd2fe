/** Pages below and new rows above: every row once, in the service's order, whatever comes between. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  type Answer,
  addNewest,
  addPage,
  compareNewestFirst,
  type EventPages,
  isFull,
  isTorn,
  NO_PAGES,
  PAGE_ROWS,
  ROWS_MAX,
  TAIL_ROWS,
} from '../../src/events/pager.ts'
import type { Event } from '../../src/service/query.ts'

/** A row as the service answers it: its id is its time, then its number. */
function row(time: number, number: number): Event {
  const digits = String(time).padStart(9, '0')
  const _time = `2026-01-01T00:00:00.${digits}`.replace(/\.?0+$/, '')
  return { _time: `${_time}Z`, _sysTime: '2026-01-02T00:00:00Z', _rowId: digits + String(number).padStart(6, '0'), data: {} }
}

function answer(matches: readonly Event[], sent = '', rowsMatched = matches.length): Answer {
  const ids = matches.map(({ _rowId }) => _rowId).sort()
  return { matches, status: { minCursor: ids[0] ?? sent, maxCursor: ids.at(-1) ?? sent, rowsMatched, messages: [] } }
}

/** What the service answers to the next page. */
function page(stored: readonly Event[], { older }: EventPages): Answer {
  const behind = older === undefined ? stored : stored.filter(({ _rowId }) => _rowId < older)
  return answer([...behind].sort(compareNewestFirst).slice(0, PAGE_ROWS), older, stored.length)
}

function newest(stored: readonly Event[], { rows }: EventPages): Answer {
  const from = rows[PAGE_ROWS - 1]?._time
  const wanted = stored.filter(({ _time }) => from === undefined || _time.slice(0, -1) >= from.slice(0, -1))
  return answer([...wanted].sort(compareNewestFirst).slice(0, TAIL_ROWS))
}

const idsOf = (rows: readonly Event[]) => rows.map(({ _rowId }) => _rowId)

test('pages follow each other to the end, among equal times', () => {
  const stored = Array.from({ length: 2_500 }, (_, n) => row(5, n))
  let pages = NO_PAGES
  while (!pages.isComplete) pages = addPage(pages, pages.older, page(stored, pages))
  expect(idsOf(pages.rows)).toEqual(idsOf([...stored].reverse()))
  expect(pages.total).toBe(2_500)
})

test('how many there are is counted for the first page, and the tail adds what it finds', () => {
  const stored = Array.from({ length: 250 }, (_, n) => row(n, n))
  const uncounted = ({ matches, status: { rowsMatched: _, ...status } }: Answer): Answer => ({ matches, status })
  let pages = addPage(NO_PAGES, undefined, page(stored, NO_PAGES))
  pages = addPage(pages, pages.older, uncounted(page(stored, pages)))
  expect(pages.total).toBe(250)
  const more = [...stored, row(300, 300), row(301, 301)]
  pages = addNewest(pages, uncounted(newest(more, pages)), false)
  expect([pages.total, pages.rows.length]).toEqual([252, 2 * PAGE_ROWS + 2])
})

test('a page that is full and the last is followed by an empty one', () => {
  const stored = Array.from({ length: PAGE_ROWS }, (_, n) => row(n, n))
  const first = addPage(NO_PAGES, undefined, page(stored, NO_PAGES))
  expect(first.isComplete).toBe(false)
  const second = addPage(first, first.older, page(stored, first))
  expect([second.isComplete, second.rows.length]).toEqual([true, PAGE_ROWS])
})

test('a page is not the last for having been capped', () => {
  const capped = answer([row(1, 1)])
  capped.status.messages.push({ priority: 'warn', count: 1, code: 'limit_capped', msg: '' })
  expect(addPage(NO_PAGES, undefined, capped).isComplete).toBe(false)
})

test('a page that was asked for before the tail dropped rows is not put below', () => {
  const pages: EventPages = { ...NO_PAGES, rows: [row(9, 9)], older: 'later' }
  expect(addPage(pages, 'before', answer([row(1, 1)]))).toBe(pages)
})

const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('store' as const), times: fc.array(fc.nat(30), { maxLength: 40 }) }),
    fc.record({ kind: fc.constantFrom('page', 'newest', 'all'), isReading: fc.boolean() }),
  ),
  { maxLength: 40 },
)

test('whatever is stored, fetched and left waiting in whichever order, every row is there once and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 300 }), STEPS, (times, steps) => {
      const stored: Event[] = times.map(row)
      let pages = addPage(NO_PAGES, undefined, page(stored, NO_PAGES))
      const fetchPage = () => {
        if (!pages.isComplete) pages = addPage(pages, pages.older, page(stored, pages))
      }
      const sweep = (isReading: boolean) => {
        pages = addNewest(pages, answer([...stored].sort(compareNewestFirst)), isReading)
      }
      for (const step of steps) {
        if (step.kind === 'store') stored.push(...step.times.map((time, n) => row(time, stored.length + n)))
        else if (step.kind === 'page') fetchPage()
        else if (step.kind === 'newest') pages = addNewest(pages, newest(stored, pages), step.isReading)
        else sweep(step.isReading)
        expect(idsOf(pages.rows)).toEqual(idsOf([...pages.rows].sort(compareNewestFirst)))
        expect(new Set(idsOf(pages.rows)).size).toBe(pages.rows.length)
      }
      while (!pages.isComplete) fetchPage()
      sweep(false)
      expect(idsOf(pages.rows)).toEqual(idsOf([...stored].sort(compareNewestFirst)))
    }),
    { numRuns: 200 },
  )
})

test('rows that the tail found late are left out where their page is yet to come', () => {
  const stored = Array.from({ length: 150 }, (_, n) => row(n + 10, n))
  const pages = addPage(NO_PAGES, undefined, page(stored, NO_PAGES))
  const late = addNewest(pages, answer([row(1, 1_000), row(100, 1_001)]), false)
  expect(late.rows.length).toBe(PAGE_ROWS + 1)
  expect(idsOf(late.rows)).toContain(row(100, 1_001)._rowId)
})

test('a list that is full drops its oldest rows for new ones, and pages go on behind what it kept', () => {
  const full = { ...NO_PAGES, rows: Array.from({ length: ROWS_MAX }, (_, n) => row(ROWS_MAX - n, 1)), isComplete: true }
  expect(isFull(full)).toBe(false)
  const more = addNewest(full, answer([row(ROWS_MAX + 1, 1)]), false)
  expect([more.rows.length, more.rows[0]?._rowId, more.isComplete]).toEqual([ROWS_MAX, row(ROWS_MAX + 1, 1)._rowId, false])
  expect([more.older, isFull(more)]).toEqual([row(2, 1)._rowId, true])
})

test('there may be rows between those of a full answer and those that are known', () => {
  const full = answer(Array.from({ length: TAIL_ROWS }, (_, n) => row(n + 10, n)))
  const pages: EventPages = { ...NO_PAGES, rows: [row(9, 9)] }
  const met = { ...full, matches: [...full.matches.slice(1), row(9, 9)] }
  expect([isTorn(pages, full), isTorn(pages, met), isTorn(NO_PAGES, full), isTorn(pages, answer([row(10, 1)]))]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('rows from before 1970 come last, though their ids are larger', () => {
  const old: Event = { _time: '1969-12-31T23:59:59.9Z', _sysTime: '', _rowId: '3w5e11264sgs0', data: {} }
  expect([old, row(2, 1), row(1, 2)].sort(compareNewestFirst)).toEqual([row(2, 1), row(1, 2), old])
})
