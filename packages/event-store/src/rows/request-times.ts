/**
 * The time of a request, `_sysTime` of all of its rows and of no others, so that they can be counted and removed: milliseconds
 * of the clock and, below them, digits of a counter and of the service's number. Strictly increasing on a node; where a
 * millisecond is used up, the next one is used. After a restart times may run ahead of the clock, as row ids do.
 */
import { type RowIdLease, reserved } from './row-ids.ts'

/** The last digits are the node, 0 to 1023; what is above them counts. */
const NODES = 1_024
const COUNT_MAX = Math.floor(1_000_000 / NODES) - 1

export interface RequestTimes {
  /**
   * @returns nanoseconds since the epoch, decimal
   * @throws ServiceError `unavailable` where the lease is lost or could not be renewed for a while
   */
  next(): string
}

export function createRequestTimes(lease: RowIdLease, clock: () => number = Date.now): RequestTimes {
  let ms = 0
  let count = 0
  return {
    next() {
      const wantedMs = reserved(lease, clock(), count < COUNT_MAX ? ms : ms + 1)
      count = wantedMs > ms ? 0 : count + 1
      ms = wantedMs
      return `${ms}${String(count * NODES + lease.node).padStart(6, '0')}`
    },
  }
}
