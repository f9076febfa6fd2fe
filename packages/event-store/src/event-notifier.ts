/**
 * Notifies waiting queries of new events that this process stored in a dataset. Deliberately not here: events that another service
 * stores in the same tables, which can only be found by polling.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export class EventNotifier {
  readonly #watches = new Map<string, Set<EventWatch>>()
  readonly #othersEveryMs: number

  /** @param othersEveryMs how often to poll for the events of other services, in milliseconds */
  constructor(othersEveryMs: number) {
    this.#othersEveryMs = othersEveryMs
  }

  /** Call this after events of the dataset were stored. */
  note(dataset: string): void {
    for (const watch of this.#watches.get(dataset) ?? []) watch.note()
  }

  /** @returns a watch, which the caller disposes of */
  watch(dataset: string): EventWatch {
    const watches = this.#watches.get(dataset) ?? new Set()
    this.#watches.set(dataset, watches)
    const watch = new EventWatch(this.#othersEveryMs, () => {
      watches.delete(watch)
      if (watches.size === 0 && this.#watches.get(dataset) === watches) this.#watches.delete(dataset)
    })
    watches.add(watch)
    return watch
  }
}

/** Remembers whether events were stored since the last reset, so that none is missed between a query and a wait. */
class EventWatch implements Disposable {
  readonly #othersEveryMs: number
  readonly #end: () => void
  /** Aborts when events come. */
  #come = new AbortController()

  constructor(othersEveryMs: number, end: () => void) {
    this.#othersEveryMs = othersEveryMs
    this.#end = end
  }

  note(): void {
    this.#come.abort()
  }

  /** Forgets the events that came so far. */
  reset(): void {
    this.#come = new AbortController()
  }

  /** Waits until events come, the time is over, or the signal aborts. @returns whether events came or may have come */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    const isOver = AbortSignal.any([signal, this.#come.signal])
    await sleep(Math.min(ms, this.#othersEveryMs), undefined, { signal: isOver }).catch(() => undefined)
    return this.#come.signal.aborted || (this.#othersEveryMs !== Number.POSITIVE_INFINITY && !signal.aborted)
  }

  [Symbol.dispose](): void {
    this.#end()
  }
}
