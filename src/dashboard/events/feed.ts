/**
 * The events of one query: asks for pages and for what is new, and keeps what came. One feed is made per query and closed when
 * another takes its place, so no answer comes where it does not belong. Deliberately not here: when to ask; see `tail.ts`.
 */
import { signal } from '@preact/signals'
import type { Query } from '../service/query.ts'
import type { Range } from '../view/range.ts'
import { lateQuery, newerQuery, pageQuery } from './event-query.ts'
import { type Answer, addLate, addNewer, addPage, isBehind, isFull, NO_PAGES, release } from './pager.ts'

export type Ask = (query: Query, signal: AbortSignal) => Promise<Answer>

/** Events with a time before the newest are rare enough to be looked for less often. */
const POLLS_PER_LATE_ONE = 5

export class Feed {
  readonly pages = signal(NO_PAGES)
  readonly isLoading = signal(false)
  /** Why the last page did not come. */
  readonly error = signal<unknown>(undefined)
  readonly #apl: string
  readonly #range: Range
  readonly #ask: Ask
  readonly #closed = new AbortController()
  #polls = 0

  constructor(apl: string, range: Range, ask: Ask) {
    this.#apl = apl
    this.#range = range
    this.#ask = ask
  }

  /** Fetches the next page, unless one is under way or there is none. */
  async loadMore(): Promise<void> {
    const before = this.pages.value
    if (this.isLoading.value || before.isComplete || isFull(before)) return
    this.isLoading.value = true
    this.error.value = undefined
    try {
      const answer = await this.#ask(pageQuery(this.#apl, this.#range, before.older), this.#closed.signal)
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
   * @param isReading whether somebody reads what new rows would move; asked when they are there
   * @returns whether there is more to fetch at once
   */
  async loadNewer(ended: AbortSignal, isReading: () => boolean): Promise<boolean> {
    const signal = AbortSignal.any([ended, this.#closed.signal])
    const sent = this.pages.value.newer
    const newer = await this.#ask(newerQuery(this.#apl, this.#range, sent, Date.now()), signal)
    if (signal.aborted) return false
    this.pages.value = addNewer(this.pages.value, newer, isReading())
    if (isBehind(sent, newer)) return true

    const { arrived, rows, isComplete } = this.pages.value
    if (this.#polls++ % POLLS_PER_LATE_ONE !== 0 || arrived === '') return false
    const from = isComplete ? undefined : rows.at(-1)?._time
    const late = await this.#ask(lateQuery(this.#apl, this.#range, from, arrived, Date.now()), signal)
    if (!signal.aborted) this.pages.value = addLate(this.pages.value, late, isReading())
    return false
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
