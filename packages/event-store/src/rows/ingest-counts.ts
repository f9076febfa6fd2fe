/**
 * The result of one request: how many of its events were read, stored and refused, and why; and the extent of its rows, which is enough
 * to find, count and remove them. Every count is changed here and nowhere else.
 */
import type { IngestFailure } from '@deployment-annotations/contract/schemas/event'
import { printNs } from '../scan/event-time.ts'
import { FAILURES_LISTED_MAX } from '../scan/limits.ts'

export class IngestCounts {
  readonly failures: IngestFailure[] = []
  readonly #receivedNs: string
  #events = 0
  #stored = 0
  #failed = 0

  /** @param receivedNs the time of the request, decimal nanoseconds */
  constructor(receivedNs: string) {
    this.#receivedNs = receivedNs
  }

  /** Events read, stored or not. */
  get events(): number {
    return this.#events
  }

  get stored(): number {
    return this.#stored
  }

  get failed(): number {
    return this.#failed
  }

  /** The event that was read next became a row. */
  store(): void {
    this.#events++
    this.#stored++
  }

  /** The event that was read next was refused. @param timeNs its own time */
  refuse(error: string, timeNs?: string): void {
    this.#events++
    this.#fail(error, timeNs)
  }

  /** A row that was counted as stored was not taken after all. */
  takeBack(error: string): void {
    this.#stored--
    this.#fail(error)
  }

  #fail(error: string, timeNs = this.#receivedNs): void {
    this.#failed++
    if (this.failures.length < FAILURES_LISTED_MAX) this.failures.push({ timestamp: printNs(timeNs), error })
  }
}

/** Times are nanoseconds since the epoch, decimal. */
export interface RequestExtent {
  /** All rows of the request have it, and no others. */
  readonly sysTimeNs: string
  /** The least and the greatest `_time`, which are what makes them quick to find. */
  readonly firstTimeNs: string
  readonly lastTimeNs: string
  /** How many there are to be. */
  readonly rows: number
}

/** The least and the greatest of some times. */
export class TimeSpan {
  #first: string | undefined
  #last: string | undefined

  get first(): string | undefined {
    return this.#first
  }

  get last(): string | undefined {
    return this.#last
  }

  /** @param timeNs decimal */
  add(timeNs: string): void {
    if (this.#first === undefined || isBefore(timeNs, this.#first)) this.#first = timeNs
    if (this.#last === undefined || isBefore(this.#last, timeNs)) this.#last = timeNs
  }
}

function isBefore(a: string, b: string): boolean {
  // Nearly all times are of this century and have as many digits: no numbers need to be made.
  if (a.length === b.length && a[0] !== '-' && b[0] !== '-') return a < b
  return BigInt(a) < BigInt(b)
}
