/**
 * Row ids: 42 bits of milliseconds, 10 bits of service node, 12 bits of sequence. Unique over nodes, growing strictly on
 * each, also when the clock is set back or the process is killed: the milliseconds are those that a lease has reserved.
 * An id is not a time; after a restart ids run ahead of the clock by up to the reserve. Deliberately not here: how the lease is
 * kept. Nothing is written for an id, so giving one out never waits.
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
export interface RowIdLease {
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
export function reserved({ startMs, reservedMs }: RowIdLease, nowMs: number, leastMs: number): number {
  const ms = Math.max(leastMs, startMs, Math.min(nowMs, reservedMs - 1))
  if (ms < reservedMs) return ms
  throw lostNumber()
}
