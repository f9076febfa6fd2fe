/**
 * The events of one query: requests pages and new events, and stores them. Each query has a feed of its own, which is closed when
 * another replaces it, so that no answer ends up in the wrong list. Deliberately not here: when to poll; see `tail.ts`.
 */
import { signal } from '@preact/signals'
import type { Range } from '../address/range.ts'
import type { Query } from '../service/query.ts'
import { type ListedEvents, newestQuery, PAGE_ROWS, pageQuery } from './event-query.ts'
import { type Answer, addNewest, addPage, isFull, isTorn, NO_PAGES, release } from './pager.ts'

export type Ask = (query: Query, signal: AbortSignal) => Promise<Answer>

export class Feed {
  readonly pages = signal(NO_PAGES)
  readonly isLoading = signal(false)
  /** The reason why the last page failed. */
  readonly error = signal<unknown>(undefined)
  #listed: ListedEvents
  readonly #ask: Ask
  readonly #closed = new AbortController()

  constructor(apl: string, range: Range, ask: Ask) {
    this.#listed = { apl, range }
    this.#ask = ask
  }

  /** Loads the next page, unless one is being loaded or there is none. */
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
   * Loads the events that came meanwhile: newer ones, and late ones among the newest that are shown.
   * @param isReading whether the user is reading rows that new ones would move; called when they have arrived
   */
  async loadNewest(ended: AbortSignal, isReading: () => boolean): Promise<void> {
    const signal = AbortSignal.any([ended, this.#closed.signal])
    const query = newestQuery(this.#listed, this.pages.value.rows[PAGE_ROWS - 1]?._time, Date.now())
    const answer = await this.#ask(query, signal)
    if (signal.aborted) return
    if (!isTorn(this.pages.value, answer)) this.pages.value = addNewest(this.pages.value, answer, isReading())
    else if (!isReading()) await this.#startAnew(signal)
  }

  /** More came at once than a poll fetches, so the list ends now, and goes down from there. */
  async #startAnew(signal: AbortSignal): Promise<void> {
    const { apl, range } = this.#listed
    this.#listed = { apl, range: { ...range, endMs: Math.max(range.endMs, Date.now()) } }
    const answer = await this.#ask(pageQuery(this.#listed, undefined), signal)
    if (!signal.aborted) this.pages.value = addPage(NO_PAGES, undefined, answer)
  }

  /** Shows the rows that were held back. */
  release(): void {
    this.pages.value = release(this.pages.value)
  }

  /** Cancels all requests; nothing changes afterwards. */
  close(): void {
    this.#closed.abort()
  }
}
