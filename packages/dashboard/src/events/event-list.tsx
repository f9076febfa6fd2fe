/**
 * The events of a query, newest first. More pages are loaded as the user scrolls to the end, and new events while the list is live. An
 * event that is stored late is found at once among the newest hundred, and farther down when the list is loaded again.
 */
import './events.css'
import { useEffect, useRef } from 'preact/hooks'
import { navigate } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { Failure } from '../parts/failure.tsx'
import { describeError } from '../service/request.ts'
import { EventTable } from './event-table.tsx'
import type { Feed } from './feed.ts'
import type { ListLook } from './list-look.ts'
import { type EventPages, isFull, ROWS_MAX } from './pager.ts'
import { POLL_MS } from './tail.ts'
import { useFeed } from './use-feed.ts'
import { useTail } from './use-tail.ts'

interface EventListProps {
  /** A query of rows with `_time`, without sort and limit. */
  apl: string
  /** A new object starts a new list, even with the same times: a range that moves with the clock is resolved once. */
  range: Range
  isLive: boolean
  /** The interval at which a list that is not live checks for new events; `undefined` for never. */
  refreshMs: number | undefined
  onLiveChange: (isLive: boolean) => void
  look: ListLook
  /** Folds the list; absent where it is what was asked for. */
  onFold: (() => void) | undefined
  /** Whether another part of the page already shows the error. */
  isTold: (error: unknown) => boolean
}

export function EventList({ apl, range, isLive, refreshMs, onLiveChange, look, onFold, isTold }: EventListProps) {
  const { feed, pages } = useFeed(apl, range)
  const top = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const isReading = () =>
    (top.current?.getBoundingClientRect().top ?? 0) < 0 || list.current?.contains(document.activeElement) === true
  const pollMs = isLive ? POLL_MS : refreshMs
  const trouble = useTail(feed, feed.pages.value.total === undefined ? undefined : pollMs, isReading)
  const showNew = () => {
    feed.release()
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <section class="events" aria-labelledby="events-title">
      <div class="row events-head" ref={top} tabIndex={-1}>
        <h2 id="events-title">Events</h2>
        <span class="hint" role="status">
          {describeCount(pages)}
        </span>
        {onFold && (
          <button type="button" class="quiet" onClick={onFold}>
            ▾ Hide
          </button>
        )}
        <label class="push">
          <input type="checkbox" checked={look.isWrapped} onChange={() => navigate({ wrap: !look.isWrapped }, true)} /> Wrap lines
        </label>
        <label>
          <input type="checkbox" checked={isLive} onChange={(change) => onLiveChange(change.currentTarget.checked)} /> Live
        </label>
      </div>
      {trouble && (
        <p class="hint" role="status">
          New events cannot be loaded: {describeError(trouble.error)} (trying again in {trouble.retryMs / 1_000} s)
        </p>
      )}
      {pages.held.length > 0 && (
        <div class="events-new">
          <button type="button" class="primary" onClick={showNew}>
            {countOf(pages.held.length, 'new event')}
          </button>
        </div>
      )}
      <EventTable rows={pages.rows} look={look} list={list} />
      <ListEnd feed={feed} isTold={isTold} />
    </section>
  )
}

/** The end of the list; when it comes into view, the next page is loaded. */
function ListEnd({ feed, isTold }: { feed: Feed; isTold: (error: unknown) => boolean }) {
  const pages = feed.pages.value
  const isLoading = feed.isLoading.value
  const error = feed.error.value
  const more = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const button = more.current
    if (!button || isLoading || error) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void feed.loadMore()
      },
      { rootMargin: '600px' },
    )
    // The observer reports at once whether the button is in view, as it may stay after a short page.
    observer.observe(button)
    return () => observer.disconnect()
  }, [feed, pages, isLoading, error])

  if (error && isTold(error))
    return (
      <p class="hint">
        These events are from before this error.{' '}
        <button type="button" onClick={() => void feed.loadMore()}>
          Try again
        </button>
      </p>
    )
  if (error) return <Failure error={error} onRetry={() => void feed.loadMore()} />
  if (isFull(pages))
    return <p class="hint">These are the newest {ROWS_MAX.toLocaleString('en')}. Choose a shorter range to see older ones.</p>
  if (pages.isComplete) return pages.rows.length === 0 ? <p class="hint">There are no events in this range.</p> : null
  // The button is not disabled while it loads, because a disabled button loses the focus.
  return (
    <button type="button" class="events-more" ref={more} aria-disabled={isLoading} onClick={() => void feed.loadMore()}>
      {isLoading ? 'Loading…' : 'More'}
    </button>
  )
}

function describeCount({ rows, held, total, isComplete }: EventPages): string {
  if (total === undefined) return ''
  const found = rows.length + held.length
  const all = isComplete ? found : Math.max(total, found)
  return rows.length < all ? `${rows.length.toLocaleString('en')} of ${countOf(all, 'event')}` : countOf(all, 'event')
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
