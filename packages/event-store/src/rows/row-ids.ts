/**
 * Ids of rows and times of requests, unique over all services that share the tables and strictly increasing on each, also when the clock
 * is set back or the process is killed: both use milliseconds that a lease has reserved. Nothing is written for one of them, so giving
 * one out never waits. Deliberately not here: how the lease is kept.
 */
import { lostNumber } from '@deployment-annotations/records/node-lease'

const MS_SHIFT = 22n
const NODE_SHIFT = 12n
const SEQUENCE_MAX = 4_095
/** The clock is read for every so many ids; a power of two. */
const IDS_PER_LOOK = 64

/**
 * The right to make ids and times of requests with a number that no other service has. Renewed by its owner in the background;
 * each member is read when it is needed.
 */
interface RowIdLease {
  /** This service among those that share the tables, 0 to 1023. */
  readonly node: number
  /** Earlier holders of the number used milliseconds below this. */
  readonly startMs: number
  /** Milliseconds below this may be used; 0 where the number was lost. */
  readonly reservedMs: number
}

export interface RowIds {
  /** @throws ServiceError `unavailable` where the lease is lost or could not be renewed for a while */
  next(): bigint
}

export function createRowIds(lease: RowIdLease, clock: () => number = Date.now): RowIds {
  let ms = 0
  let sequence = -1
  let base = 0n
  return {
    next() {
      const isUsedUp = sequence === SEQUENCE_MAX || sequence === -1
      if (isUsedUp || sequence % IDS_PER_LOOK === 0) {
        const now = clock()
        if (now > ms || isUsedUp) {
          ms = reserved(lease, now, ms + 1)
          base = (BigInt(ms) << MS_SHIFT) | (BigInt(lease.node) << NODE_SHIFT)
          sequence = -1
        }
      }
      return base | BigInt(++sequence)
    },
  }
}

/**
 * @param nowMs by the clock; a clock that is ahead of what is reserved is not followed
 * @param leastMs what this service needs at least, because it has used the earlier ones
 * @returns milliseconds that nobody else uses with the node of the lease
 * @throws ServiceError `unavailable`
 */
function reserved({ startMs, reservedMs }: RowIdLease, nowMs: number, leastMs: number): number {
  const ms = Math.max(leastMs, startMs, Math.min(nowMs, reservedMs - 1))
  if (ms < reservedMs) return ms
  throw lostNumber()
}

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
