/**
 * Makes ids of rows and times of requests. They are unique over all services that share the tables and strictly increasing on each,
 * even if the clock is set back or the process is killed: both use milliseconds that a lease has reserved. Making one writes nothing,
 * so it never waits. Deliberately not here: keeping the lease.
 */
import { lostNumber } from '@deployment-annotations/records/leases/node-lease'

const MS_SHIFT = 22n
const NODE_SHIFT = 12n
const SEQUENCE_MAX = 4_095
/** The clock is read once for this many ids, a power of two. */
const IDS_PER_CLOCK_READ = 64

/**
 * The right to make ids and times with a node number that no other service has. Its owner renews it in the background; read each member
 * when it is needed.
 */
interface RowIdLease {
  /** The number of this service, 0 to 1023. */
  readonly node: number
  /** Earlier holders of the number used only milliseconds below this. */
  readonly startMs: number
  /** Only milliseconds below this may be used; 0 if the number was lost. */
  readonly reservedMs: number
  /** The latest milliseconds that were used. They are told, so that more are reserved where they are ahead of the clock. */
  usedMs: number
}

export interface RowIds {
  /** @throws ServiceError `unavailable` if the lease is lost or could not be renewed for a while */
  next(): bigint
}

export function createRowIds(lease: RowIdLease, clock: () => number = Date.now): RowIds {
  let ms = 0
  let sequence = -1
  let base = 0n
  return {
    next() {
      const isUsedUp = sequence === SEQUENCE_MAX || sequence === -1
      if (isUsedUp || sequence % IDS_PER_CLOCK_READ === 0) {
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
 * @param nowMs by the clock; ignored if it is ahead of the reserved milliseconds
 * @param leastMs the earliest usable time, because this service has used the earlier ones
 * @returns milliseconds that nobody else uses with this node number
 * @throws ServiceError `unavailable`
 */
function reserved(lease: RowIdLease, nowMs: number, leastMs: number): number {
  const { startMs, reservedMs, usedMs } = lease
  const ms = Math.max(leastMs, startMs, Math.min(nowMs, reservedMs - 1))
  if (ms >= reservedMs) throw lostNumber()
  if (ms > usedMs) lease.usedMs = ms
  return ms
}

/** The nanoseconds within a millisecond are a counter times this, plus the node number. */
const NODES = 1_024
const COUNT_MAX = Math.floor(1_000_000 / NODES) - 1

interface RequestTimes {
  /**
   * @returns nanoseconds since the epoch, decimal
   * @throws ServiceError `unavailable` if the lease is lost or could not be renewed for a while
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
