/**
 * The events of the list, page by page: where they come from, and the pages that were read.
 */

import { signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import { filterDataset } from '../filters/filtered.ts'
import { whenLoaded } from '../parts/use-load.ts'
import { quoteText } from '../query/name.ts'
import { type Event, type Query, queryEvents } from '../service/query.ts'
import { type ListedEvents, lateQuery, newerQuery, pageQuery, settledBefore } from './event-query.ts'
import { type Answer, addLate, addNewer, addPage, isBehind, isFull, NO_PAGES, release } from './pager.ts'

/** The charts above the list are read first; the engine answers them sooner while it has nothing else to do. */
const CHARTS_FIRST_MS = 500

/** @returns what asks for the first page once the charts are there, and for anything else at once */
function afterCharts(): Ask {
  let charts: Promise<void> | undefined
  return async (query, signal) => {
    charts ??= whenLoaded(CHARTS_FIRST_MS)
    await charts
    signal.throwIfAborted()
    return queryEvents(query, signal)
  }
}

interface ListedFeed {
  feed: Feed
  /** What is shown: of the feed, or of the one before where that was of the same query. */
  pages: Feed['pages']['value']
}

export function useFeed(apl: string, range: Range): ListedFeed {
  const feed = useMemo(() => new Feed(apl, range, afterCharts()), [apl, range])
  const before = useRef<{ apl: string; feed: Feed } | undefined>(undefined)
  useEffect(() => {
    void feed.loadMore()
    return () => feed.close()
  }, [feed])
  const pages = feed.pages.value
  if (pages.total !== undefined) before.current = { apl, feed }
  const shown = pages.total === undefined && before.current?.apl === apl ? before.current.feed : feed
  return { feed, pages: shown.pages.value }
}

export type Ask = (query: Query, signal: AbortSignal) => Promise<Answer>

/** So late events are looked for every ten seconds: the time that events need to become visible, see `settledBefore`. */
const POLLS_PER_LATE_ONE = 5

export class Feed {
  readonly pages = signal(NO_PAGES)
  readonly isLoading = signal(false)
  /** Why the last page did not come. */
  readonly error = signal<unknown>(undefined)
  readonly #listed: ListedEvents
  readonly #ask: Ask
  readonly #closed = new AbortController()
  #polls = 0
  /** What is left of a look at late events. */
  #late: Query | undefined
  /** The last arrival known when each of the last two looks at late events started. */
  #looks: readonly [string, string] | undefined

  constructor(apl: string, range: Range, ask: Ask) {
    this.#listed = { apl, range }
    this.#ask = ask
  }

  /** Fetches the next page, unless one is under way or there is none. */
  async loadMore(): Promise<void> {
    const before = this.pages.value
    if (this.isLoading.value || before.isComplete || isFull(before)) return
    this.isLoading.value = true
    this.error.value = undefined
    try {
      const answer = await this.#ask(pageQuery(this.#listed, before.older), this.#closed.signal)
      if (this.#closed.signal.aborted) return
      this.pages.value = addPage(this.pages.value, before.older, answer)
    } catch (error) {
      if (!this.#closed.signal.aborted) this.error.value = error
    } finally {
      this.isLoading.value = false
    }
  }

  /**
   * Fetches what is newer than the newest row, and now and then what came late.
   * @param isReading whether the user is reading what new rows would move; asked when they are there
   * @returns whether there is more to fetch at once
   */
  async loadNewer(ended: AbortSignal, isReading: () => boolean): Promise<boolean> {
    const signal = AbortSignal.any([ended, this.#closed.signal])
    const sent = this.pages.value.newer
    const newer = await this.#ask(newerQuery(this.#listed, sent, Date.now()), signal)
    if (signal.aborted) return false
    this.pages.value = addNewer(this.pages.value, newer, isReading())
    if (isBehind(sent, newer)) return true

    if (!this.#late && this.#polls++ % POLLS_PER_LATE_ONE === 0) this.#late = this.#lookForLate()
    if (!this.#late) return false
    const late = await this.#ask(this.#late, signal)
    if (signal.aborted) return false
    this.pages.value = addLate(this.pages.value, late, isReading())
    this.#late = isBehind(this.#late.cursor, late) ? { ...this.#late, cursor: late.status.maxCursor } : undefined
    return this.#late !== undefined
  }

  /**
   * What had arrived when the look before the last started was visible to the last one, so this one starts after it: each event
   * is looked at a few times, and none while nothing arrives.
   */
  #lookForLate(): Query | undefined {
    const { arrived, rows, isComplete } = this.pages.value
    if (arrived === '') return undefined
    const since = this.#looks?.[0] ?? settledBefore(arrived)
    this.#looks = [this.#looks?.[1] ?? since, arrived]
    return lateQuery(this.#listed, { from: isComplete ? undefined : rows.at(-1)?._time, since, nowMs: Date.now() })
  }

  /** Shows what was held back. */
  release(): void {
    this.pages.value = release(this.pages.value)
  }

  /** Ends what is under way; nothing changes after it. */
  close(): void {
    this.#closed.abort()
  }
}

/** Ingest keeps the name free, so it never hides a field of an event. */
const SOURCE_FIELD = '_source'

/** @returns a query of all events that pass; of several datasets, each event says where it is from; empty without a dataset */
export function queryDatasets(datasets: readonly string[], filters: readonly string[]): string {
  const eventsOf = (name: string) => filterDataset(name, filters, true)
  if (datasets.length <= 1) return datasets.map(eventsOf).join()
  return `union ${datasets.map((name) => `(${eventsOf(name)} | extend ${SOURCE_FIELD} = ${quoteText(name)})`).join(', ')}`
}

/** @returns the dataset, where the query tells, and the event's own fields */
export function splitSource({ data }: Event): { source: string | undefined; data: Record<string, unknown> } {
  const { [SOURCE_FIELD]: source, ...own } = data
  return typeof source === 'string' ? { source, data: own } : { source: undefined, data }
}
