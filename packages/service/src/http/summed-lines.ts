/**
 * Lines of the log that may come by the thousand in a moment, because as many connections do: the first one is written as it is, and
 * those of each second after it are one line, with their `count`.
 */
import type { Log, LogEntry } from '@deployment-annotations/runtime/log'

const SUMMED_MS = 1_000

export class SummedLines {
  readonly #log: Pick<Log, 'info'>
  #timer: NodeJS.Timeout | undefined
  /** Not written yet. */
  #count = 0
  /** What is to be said of these. */
  #sum: LogEntry = { event: '' }

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log
  }

  /** @param more what only the line of one says, such as its trace id */
  info(entry: LogEntry, more: object): void {
    if (this.#timer) {
      this.#count++
      this.#sum = entry
      return
    }
    this.#log.info({ ...entry, ...more })
    this.#wait()
  }

  /** Writes what is not written yet. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#count > 0) this.#log.info({ ...this.#sum, count: this.#count })
    this.#count = 0
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      const isOver = this.#count === 0
      this.end()
      if (!isOver) this.#wait()
    }, SUMMED_MS).unref()
  }
}
