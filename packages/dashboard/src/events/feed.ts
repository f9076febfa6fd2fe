/**
 * The events of one query: asks for pages and for what is new, and keeps what came. One feed is made per query and closed when
 * another takes its place, so no answer ends up where it does not belong. Deliberately not here: when to ask; see `tail.ts`.
 */
import { signal } from '@preact/signals'
import type { Range } from '../address/range.ts'
import type { Query } from '../service/query.ts'
import { type ListedEvents, lateQuery, newerQuery, pageQuery, settledBefore } from './event-query.ts'
import { type Answer, addLate, addNewer, addPage, isBehind, isFull, NO_PAGES, release } from './pager.ts'

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
