/**
 * Notifies whoever waits for events of a dataset that some were stored by this process. Deliberately not here: events that another
 * service stores in the same tables, which have to be asked for again and again.
 */
export class EventNotifier {
  readonly #watches = new Map<string, Set<EventWatch>>()
  readonly #othersEveryMs: number

  /** @param othersEveryMs after how long another service may have stored some, by which a wait ends too */
  constructor(othersEveryMs: number) {
    this.#othersEveryMs = othersEveryMs
  }

  /** To be called when events of the dataset were stored. */
  note(dataset: string): void {
    for (const watch of this.#watches.get(dataset) ?? []) watch.note()
  }

  /** The caller disposes of it. */
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

/** Knows of events that were stored since it was last asked, so that none comes unseen between a look and a wait. */
class EventWatch implements Disposable {
  readonly #othersEveryMs: number
  readonly #end: () => void
  #hasCome = false
  #wake = () => {}

  constructor(othersEveryMs: number, end: () => void) {
    this.#othersEveryMs = othersEveryMs
    this.#end = end
  }

  note(): void {
    this.#hasCome = true
    this.#wake()
  }

  /** Forgets what came so far. */
  reset(): void {
    this.#hasCome = false
  }

  /** Resolves when some came, after so many milliseconds, or when the signal aborts. @returns whether some came, or may have come */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasCome && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          this.#wake = () => {}
          resolve()
        }
        const timer = setTimeout(done, Math.min(ms, this.#othersEveryMs))
        signal.addEventListener('abort', done)
        this.#wake = done
      })
    }
    return this.#hasCome || (this.#othersEveryMs !== Number.POSITIVE_INFINITY && !signal.aborted)
  }

  [Symbol.dispose](): void {
    this.#end()
  }
}
