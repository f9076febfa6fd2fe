/**
 * The counts of one request: how many events were read, stored and refused, and why; and the extent of its rows, by which they can be
 * found, counted and removed. Every count is changed only here.
 */
import type { IngestFailure, IngestResult } from '@deployment-annotations/contract/event'
import { printNs } from '../scan/event-time.ts'
import { FAILURES_LISTED_MAX } from '../scan/limits.ts'
import type { RequestSpan } from '../tables/stored-requests.ts'

/** An event that was refused. Its `timestamp` is that of {@link IngestFailure}. */
interface RefusedEvent {
  readonly timestamp: string
  /** The index of the event in the request. */
  readonly event: number
  /** The line of the event, in CSV. */
  readonly line?: number
  readonly reason: string
}

/** The result of a request, with the refused events as values rather than texts. */
export interface IngestOutcome extends Omit<IngestResult, 'failures'> {
  failures: readonly RefusedEvent[]
}

/** @returns the refusal as answers show it */
export function printRefusal({ timestamp, event, line, reason }: RefusedEvent): IngestFailure {
  return { timestamp, error: `event ${event}${line === undefined ? '' : `, line ${line}`}: ${reason}` }
}

interface Refusal {
  readonly reason: string
  /** The line of the event, in CSV. */
  readonly line?: number | undefined
  /** The event's own time in nanoseconds, decimal. */
  readonly timeNs?: string | undefined
}

export class IngestCounts {
  readonly failures: RefusedEvent[] = []
  readonly #receivedNs: string
  #stored = 0
  #failed = 0
  #firstNs: string | undefined
  #lastNs: string | undefined

  /** @param receivedNs the time of the request, decimal nanoseconds */
  constructor(receivedNs: string) {
    this.#receivedNs = receivedNs
  }

  /** How many events were read, whether stored or not. */
  get events(): number {
    return this.#stored + this.#failed
  }

  get stored(): number {
    return this.#stored
  }

  get failed(): number {
    return this.#failed
  }

  /** @returns the extent of the rows so far, which all have this `_sysTime` */
  extentOf(sysTimeNs: string): RequestExtent {
    return { sysTimeNs, firstTimeNs: this.#firstNs ?? sysTimeNs, lastTimeNs: this.#lastNs ?? sysTimeNs, rows: this.#stored }
  }

  /** Counts the next event as a row. @param timeNs decimal */
  store(timeNs: string): void {
    this.#stored++
    if (this.#firstNs === undefined || isBefore(timeNs, this.#firstNs)) this.#firstNs = timeNs
    if (this.#lastNs === undefined || isBefore(this.#lastNs, timeNs)) this.#lastNs = timeNs
  }

  /** Counts the next event as refused. */
  refuse({ reason, line, timeNs = this.#receivedNs }: Refusal): void {
    const event = this.events
    this.#failed++
    if (this.failures.length >= FAILURES_LISTED_MAX) return
    this.failures.push({ timestamp: printNs(timeNs), event, ...(line !== undefined && { line }), reason })
  }
}

/** The extent of the rows of a request. */
export interface RequestExtent extends Readonly<RequestSpan> {
  /** How many rows the request has. */
  readonly rows: number
}

function isBefore(a: string, b: string): boolean {
  // Nearly all times are of this century and have as many digits, so they are compared as texts.
  if (a.length === b.length && a[0] !== '-' && b[0] !== '-') return a < b
  return BigInt(a) < BigInt(b)
}
