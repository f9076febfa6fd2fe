/**
 * What became of the events of one request: how many were read, stored and refused, and why. Every count is changed here
 * and nowhere else.
 */
import type { IngestFailure } from '@deployment-annotations/contract/schemas/event'
import { printNs } from '../scan/event-time.ts'
import { FAILURES_LISTED_MAX } from '../scan/limits.ts'

export class Tally {
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
