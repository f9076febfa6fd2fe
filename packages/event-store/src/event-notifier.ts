/**
 * Notifies waiting queries of new events that this process stored in a dataset. Deliberately not here: events that another service
 * stores in the same tables, which can only be found by polling.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Remembers whether events were stored since the last reset, so that none is missed between a query and a wait. */
interface EventWatch extends Disposable {
  /** Forgets the events that came so far. */
  reset(): void
  /** Waits until events come, the time is over, or the signal aborts. @returns whether events came or may have come */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
}

export class EventNotifier {
  /** Has an event of the dataset's name. */
  readonly #stored = new EventTarget()
  readonly #othersEveryMs: number

  /** @param othersEveryMs how often to poll for the events of other services, in milliseconds */
  constructor(othersEveryMs: number) {
    this.#othersEveryMs = othersEveryMs
    setMaxListeners(0, this.#stored)
  }

  /** Call this after events of the dataset were stored. */
  note(dataset: string): void {
    this.#stored.dispatchEvent(new Event(dataset))
  }

  /** @returns a watch, which the caller disposes of */
  watch(dataset: string): EventWatch {
    let come = new AbortController()
    const note = () => come.abort()
    this.#stored.addEventListener(dataset, note)
    return {
      reset: () => {
        come = new AbortController()
      },
      wait: async (ms, signal) => {
        const isOver = AbortSignal.any([signal, come.signal])
        await sleep(Math.min(ms, this.#othersEveryMs), undefined, { signal: isOver }).catch(() => undefined)
        return come.signal.aborted || (this.#othersEveryMs !== Number.POSITIVE_INFINITY && !signal.aborted)
      },
      [Symbol.dispose]: () => this.#stored.removeEventListener(dataset, note),
    }
  }
}
