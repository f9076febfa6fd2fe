/**
 * The events of one query: requests pages and new events, and stores them. Each query has a feed of its own, which is closed when
 * another replaces it, so that no answer ends up in the wrong list. Deliberately not here: when to poll; see `tail.ts`.
 */
import { signal } from '@preact/signals'
import type { Range } from '../address/range.ts'
import type { Query } from '../service/query.ts'
import { type ListedEvents, lateQuery, newerQuery, pageQuery, settledBefore } from './event-query.ts'
import { type Answer, addLate, addNewer, addPage, isBehind, isFull, NO_PAGES, release } from './pager.ts'

export type Ask = (query: Query, signal: AbortSignal) => Promise<Answer>

/** Late events are looked for every ten seconds, the time that events need to become visible; see `settledBefore`. */
const POLLS_PER_LATE_ONE = 5

export class Feed {
  readonly pages = signal(NO_PAGES)
  readonly isLoading = signal(false)
  /** The reason why the last page failed. */
  readonly error = signal<unknown>(undefined)
  readonly #listed: ListedEvents
  readonly #ask: Ask
  readonly #closed = new AbortController()
  #polls = 0
  /** The rest of a search for late events. */
  #late: Query | undefined
  /** The last arrival known at the start of each of the last two searches for late events. */
  #looks: readonly [string, string] | undefined

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
   * Loads the events newer than the newest row, and from time to time those that arrived late.
   * @param isReading whether the user is reading rows that new ones would move; called when they have arrived
   * @returns whether there is more to load at once
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
   * The last search saw everything that had arrived before the search before it started, so this one starts there: each event is found
   * a few times, and nothing is searched while nothing arrives.
   */
  #lookForLate(): Query | undefined {
    const { arrived, rows, isComplete } = this.pages.value
    if (arrived === '') return undefined
    const since = this.#looks?.[0] ?? settledBefore(arrived)
    this.#looks = [this.#looks?.[1] ?? since, arrived]
    return lateQuery(this.#listed, { from: isComplete ? undefined : rows.at(-1)?._time, since, nowMs: Date.now() })
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
