/**
 * The events of one query: requests pages and new events, and stores them. Each query has a feed of its own, which is closed when
 * another replaces it, so that no answer ends up in the wrong list. Deliberately not here: when to look for new events.
 */
import { signal } from '@preact/signals'
import { formatRange, type Range } from '../address/range.ts'
import type { Query } from '../service/query.ts'
import { type Answer, addNewest, addPage, isFull, isTorn, NO_PAGES, PAGE_ROWS, TAIL_ROWS } from './pager.ts'

export type Ask = (query: Query, signal: AbortSignal) => Promise<Answer>

/** Counting the matches would read all of them, and nobody sees the count. */
export const UNCOUNTED = { countMatches: false } as const

export class Feed {
  readonly pages = signal(NO_PAGES)
  readonly isLoading = signal(false)
  /** Why the last page failed. */
  readonly error = signal<unknown>(undefined)
  /** Why new events cannot be loaded at present. */
  readonly trouble = signal<unknown>(undefined)
  readonly #apl: string
  #range: Range
  readonly #ask: Ask
  readonly #closed = new AbortController()
  #isChecking = false

  constructor(apl: string, range: Range, ask: Ask) {
    this.#apl = apl
    this.#range = range
    this.#ask = ask
  }

  /** Loads the next page, unless one is being loaded or there is none. */
  async loadMore(): Promise<void> {
    const before = this.pages.value
    if (this.isLoading.value || before.isComplete || isFull(before)) return
    this.isLoading.value = true
    this.error.value = undefined
    try {
      const answer = await this.#loadPage(before.older)
      this.pages.value = addPage(this.pages.value, before.older, answer)
    } catch (error) {
      this.error.value = error
    } finally {
      this.isLoading.value = false
    }
  }

  /** @param cursor the cursor of the oldest row so far */
  #loadPage(cursor: string | undefined): Promise<Answer> {
    // The first page has the count of all matches.
    const next = cursor === undefined ? {} : { cursor, ...UNCOUNTED }
    return this.#load(PAGE_ROWS, { ...formatRange(this.#range), ...next })
  }

  /**
   * Loads the events that came meanwhile, unless it does so already or no page is there: newer ones, and late ones among the newest that
   * are shown.
   * @param isReading whether the user is reading rows that new ones would move; called when they have arrived
   */
  async loadNewest(isReading: () => boolean): Promise<void> {
    const { rows, total } = this.pages.value
    if (this.#isChecking || total === undefined) return
    this.#isChecking = true
    try {
      // Between one of the rows that are shown and the newest ones there is no other then.
      const startTime = rows[PAGE_ROWS - 1]?._time ?? formatRange(this.#range).startTime
      const answer = await this.#load(TAIL_ROWS, { startTime, endTime: 'now', ...UNCOUNTED })
      if (!isReading() && isTorn(this.pages.value, answer)) await this.#startAnew()
      else this.pages.value = addNewest(this.pages.value, answer, isReading())
      this.trouble.value = undefined
    } catch (error) {
      this.trouble.value = error
    } finally {
      this.#isChecking = false
    }
  }

  /** More came at once than is fetched, so the list ends now, and goes down from there. */
  async #startAnew(): Promise<void> {
    this.#range = { ...this.#range, endMs: Math.max(this.#range.endMs, Date.now()) }
    this.pages.value = addPage(NO_PAGES, undefined, await this.#loadPage(undefined))
  }

  async #load(limit: number, how: Omit<Query, 'apl'>): Promise<Answer> {
    // The pipe starts a new line, because the query may end in a comment.
    const answer = await this.#ask({ apl: `${this.#apl}\n| sort by _time desc | limit ${limit}`, ...how }, this.#closed.signal)
    this.#closed.signal.throwIfAborted()
    return answer
  }

  /** Cancels all requests; nothing is loaded afterwards. */
  close(): void {
    this.#closed.abort()
  }
}
