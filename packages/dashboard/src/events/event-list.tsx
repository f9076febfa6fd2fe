/**
 * The events of a query, newest first. More pages are loaded as the user scrolls to the end, and new events while the list is live. An
 * event that is stored late is found at once among the newest hundred, and farther down when the list is loaded again.
 */
import './events.css'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { Failure } from '../parts/failure.tsx'
import { queryEvents } from '../service/query.ts'
import { describeError } from '../service/request.ts'
import { EventTable } from './event-table.tsx'
import { Feed } from './feed.ts'
import { type EventPages, isFull, ROWS_MAX } from './pager.ts'

interface EventListProps {
  /** A query of rows with `_time`, without sort and limit. */
  apl: string
  /** A new object starts a new list, even with the same times: a range that moves with the clock is resolved once. */
  range: Range
  /** A new number makes it look for new events. */
  tick: number
  /** Those whose events are listed. */
  datasets: readonly string[]
  /** Whether another part of the page already shows the error. */
  isTold: (error: unknown) => boolean
}

export function EventList({ apl, range, tick, datasets, isTold }: EventListProps) {
  const { live, zone, columns, wrap } = view.value
  const { feed, pages } = useFeed(apl, range)
  const top = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const isReading = () =>
    (top.current?.getBoundingClientRect().top ?? 0) < 0 || list.current?.contains(document.activeElement) === true
  useEffect(() => void feed.loadNewest(isReading), [tick])
  const showNew = async () => {
    await feed.loadNewest(() => false)
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }
  const dataset = datasets.length === 1 ? (datasets[0] ?? '') : ''
  // The object stays the same while nothing changes, so that rows are not rendered again.
  const look = useMemo(() => ({ zone, columns, dataset, isWrapped: wrap }), [zone, JSON.stringify(columns), dataset, wrap])

  return (
    <section class="events" aria-labelledby="events-title">
      <div class="row events-head" ref={top} tabIndex={-1}>
        <h2 id="events-title">Events</h2>
        <span class="hint" role="status">
          {describeCount(pages)}
        </span>
        <label class="push">
          <input type="checkbox" checked={wrap} onChange={() => navigate({ wrap: !wrap }, true)} /> Wrap lines
        </label>
        <label>
          <input type="checkbox" checked={live} onChange={() => navigate({ live: !live, events: true }, true)} /> Live
        </label>
      </div>
      {feed.trouble.value !== undefined && (
        <p class="hint" role="status">
          New events cannot be loaded: {describeError(feed.trouble.value)}
        </p>
      )}
      {pages.waiting > 0 && (
        <div class="events-new">
          <button type="button" class="primary" onClick={() => void showNew()}>
            {countOf(pages.waiting, 'new event')}
          </button>
        </div>
      )}
      <EventTable rows={pages.rows} look={look} list={list} />
      <ListEnd feed={feed} isTold={isTold} />
    </section>
  )
}

/** @returns the feed, and the rows to show: those of the feed, or until its first page arrives those of the one before for the same query */
function useFeed(apl: string, range: Range) {
  const feed = useMemo(() => new Feed(apl, range, queryEvents), [apl, range])
  const before = useRef({ apl, feed })
  useEffect(() => {
    void feed.loadMore()
    return () => feed.close()
  }, [feed])
  const isThere = feed.pages.value.total !== undefined
  if (isThere || before.current.apl !== apl) before.current = { apl, feed }
  return { feed, pages: before.current.feed.pages.value }
}

/** The end of the list; when it comes into view, the next page is loaded. */
function ListEnd({ feed, isTold }: { feed: Feed; isTold: (error: unknown) => boolean }) {
  const pages = feed.pages.value
  const isLoading = feed.isLoading.value
  const error = feed.error.value
  const more = useRef<HTMLButtonElement>(null)
  const load = () => void feed.loadMore()
  useEffect(() => {
    const button = more.current
    if (!button || isLoading || error) return
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(), {
      rootMargin: '600px',
    })
    // The observer reports at once whether the button is in view, as it may stay after a short page.
    observer.observe(button)
    return () => observer.disconnect()
  }, [feed, pages, isLoading, error])

  if (error && isTold(error))
    return (
      <p class="hint">
        These events are from before this error.{' '}
        <button type="button" onClick={load}>
          Try again
        </button>
      </p>
    )
  if (error) return <Failure error={error} onRetry={load} />
  if (isFull(pages))
    return <p class="hint">These are the newest {ROWS_MAX.toLocaleString('en')}. Choose a shorter range to see older ones.</p>
  if (pages.isComplete) return pages.rows.length === 0 ? <p class="hint">There are no events in this range.</p> : null
  // The button is not disabled while it loads, because a disabled button loses the focus.
  return (
    <button type="button" class="events-more" ref={more} aria-disabled={isLoading} onClick={load}>
      {isLoading ? 'Loading…' : 'More'}
    </button>
  )
}

function describeCount({ rows, total, isComplete }: EventPages): string {
  if (total === undefined) return ''
  const all = isComplete ? rows.length : Math.max(total, rows.length)
  return rows.length < all ? `${rows.length.toLocaleString('en')} of ${countOf(all, 'event')}` : countOf(all, 'event')
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
