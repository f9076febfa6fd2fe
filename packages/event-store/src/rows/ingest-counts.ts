/**
 * The counts of one request: how many events were read, stored and refused, and why; and the extent of its rows, by which they can be
 * found, counted and removed. Every count is changed only here.
 */
import type { IngestFailure, IngestResult } from '@deployment-annotations/contract/event'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
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
  /** Those of {@link IngestCounts.timeFields}, if there were any. */
  timeFields?: readonly string[]
}

/** @returns the refusal as answers show it */
export function printRefusal({ timestamp, event, line, reason }: RefusedEvent): IngestFailure {
  return { timestamp, error: `event ${event}${line === undefined ? '' : `, line ${line}`}: ${reason}` }
}

export class IngestCounts {
  readonly failures: RefusedEvent[] = []
  /** The likely members that were read as the time of events. */
  readonly timeFields = new Set<string>()
  readonly #receivedNs: bigint
  #stored = 0
  #failed = 0
  #firstNs: bigint | undefined
  #lastNs: bigint | undefined

  /** @param receivedNs the time of the request in nanoseconds, decimal */
  constructor(receivedNs: string) {
    this.#receivedNs = BigInt(receivedNs)
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
    const [firstTimeNs, lastTimeNs] = [String(this.#firstNs ?? sysTimeNs), String(this.#lastNs ?? sysTimeNs)]
    return { sysTimeNs, firstTimeNs, lastTimeNs, rows: this.#stored }
  }

  /** Counts the next event as a row. @param timeNs nanoseconds */
  store(timeNs: bigint): void {
    this.#stored++
    if (this.#firstNs === undefined || timeNs < this.#firstNs) this.#firstNs = timeNs
    if (this.#lastNs === undefined || this.#lastNs < timeNs) this.#lastNs = timeNs
  }

  /** Counts the next event as refused. @param timeNs its own time @param line of the event, in CSV */
  refuse(reason: string, timeNs = this.#receivedNs, line?: number): void {
    const event = this.events
    this.#failed++
    if (this.failures.length >= FAILURES_LISTED_MAX) return
    this.failures.push({ timestamp: formatTimestamp(timeNs), event, ...(line !== undefined && { line }), reason })
  }
}

/** The extent of the rows of a request. */
export interface RequestExtent extends Readonly<RequestSpan> {
  /** How many rows the request has. */
  readonly rows: number
}
