/**
 * The node number of this service among those that share the records, held as a lease. It is part of the ids of rows and of the times
 * of requests, so that no two services ever make the same ones. Each number has a mark, which is above every time that was used with
 * it; the next holder starts there. The mark is raised ahead of time, so that making an id needs no statement.
 * Deliberately not here: the ids.
 */
import assert from 'node:assert'
import { repeat } from '@deployment-annotations/runtime/concurrency/repeat'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { sql } from 'kysely'
import type { Records, RecordsDatabase } from '../database/records.ts'
import { LEASE_MS, Lease, type LeaseOptions, RENEW_MS } from './leases.ts'

/** The largest number, because an id has ten bits for it. */
const NODE_MAX = 1_023
/** How far the mark is ahead of the clock. A number that cannot be renewed is lost before the clock reaches it. */
const RESERVE_MS = LEASE_MS
const PREFIX = 'node/'

interface NodeLeaseParts extends LeaseOptions {
  /** Ids are made of the time by their clock. */
  records: Records
}

interface HeldNode {
  readonly node: number
  readonly lease: Lease
  /** Earlier holders used only times below this. */
  readonly startMs: number
  /** This service may use only times below this. */
  reservedMs: number
}

export class NodeLease implements AsyncDisposable {
  readonly #parts: NodeLeaseParts
  readonly #ending = new AbortController()
  readonly #keeping: Promise<void>
  #held: HeldNode
  /** The latest time that was used, told by who uses them: it is ahead of the clock where that was set back, or where the mark was ahead. */
  usedMs = 0
  #renewing: Promise<void> | undefined

  private constructor(parts: NodeLeaseParts, held: HeldNode) {
    this.#parts = parts
    this.#held = held
    // While the records are unreachable, the number is held until its lease expires, and renewing it is tried again.
    const renew = () => this.#renewOnce().catch(() => undefined)
    this.#keeping = repeat(renew, parts.renewMs ?? RENEW_MS, this.#ending.signal)
  }

  /** @throws Error if all numbers are taken */
  static async acquire(parts: NodeLeaseParts): Promise<NodeLease> {
    return new NodeLease(parts, await acquireFree(parts))
  }

  get node(): number {
    return this.#held.node
  }

  /** Identifies this service among the holders of leases while it has this number. */
  get holder(): string {
    return this.#held.lease.holder
  }

  /** Whether certainly no other service has the number. */
  get isHeld(): boolean {
    return this.#held.lease.isHeld
  }

  /** Earlier holders of the number used only times below this. */
  get startMs(): number {
    return this.#held.startMs
  }

  /** This service may use only times below this; 0 if the number was lost. */
  get reservedMs(): number {
    return this.isHeld ? this.#held.reservedMs : 0
  }

  /**
   * Await this before making ids. After a long stall of the process, requests run before the timer that renews the lease; the first of
   * them renews it here.
   * @throws ServiceError `unavailable`
   */
  async ensureHeld(): Promise<void> {
    // If the clock has passed the mark, the lease was renewed after a stall, and the mark is about to be raised.
    const isSure = () => this.isHeld && this.#parts.records.now() < this.#held.reservedMs
    // A renewal that was under way during the stall counts from before it, so it may take another; one that fails is not tried again.
    for (let tries = 2; tries > 0 && !isSure(); tries--) {
      await this.#renewOnce().catch(() => {
        tries = 0
      })
    }
    if (!this.isHeld) throw lostNumber()
  }

  /** Releases the number. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#keeping
    await this.#held.lease[Symbol.asyncDispose]()
  }

  /** Only one renewal runs at a time, because two that find the number lost must not take two new ones. */
  #renewOnce(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(): Promise<void> {
    const { records } = this.#parts
    const { lease, startMs } = this.#held
    if (!(await lease.tryRenew())) {
      // Another service has the number, or has had it.
      this.#held = await acquireFree(this.#parts)
      return
    }
    this.#held.reservedMs = await records.transaction((db) => raiseMark(db, lease, Math.max(records.now(), startMs, this.usedMs)))
  }
}

/** @returns the error for requests while this service has no number */
export function lostNumber(): ServiceError {
  return new ServiceError(
    'unavailable',
    'this service lost its place among those that share the records, and is taking another; send this again in a moment',
  )
}

async function acquireFree(parts: NodeLeaseParts): Promise<HeldNode> {
  const { records } = parts
  for (const node of await listFree(records)) {
    const lease = new Lease(records, PREFIX + node, parts)
    if (!(await lease.tryAcquire())) continue
    return records.transaction(async (db) => {
      const { mark_ms } = await db.selectFrom('leases').select('mark_ms').where('name', '=', lease.name).executeTakeFirstOrThrow()
      const startMs = Number(mark_ms)
      return { node, lease, startMs, reservedMs: await raiseMark(db, lease, Math.max(records.now(), startMs)) }
    })
  }
  throw new Error(`all ${NODE_MAX + 1} numbers of services are taken; one is free again some seconds after its service has ended`)
}

/**
 * Lists the numbers that nobody holds; another service may still be faster. The lowest marks come first, because a service that
 * restarts repeatedly would otherwise use times further ahead of the clock each time.
 */
async function listFree({ read, nowMs }: Records): Promise<number[]> {
  const rows = await read
    .selectFrom('leases')
    .select(['name', 'mark_ms', sql<bigint>`case when expires_at_ms > ${nowMs} then 1 else 0 end`.as('is_taken')])
    .where('name', 'like', `${PREFIX}%`)
    .execute()
  const used = new Map(rows.map((row) => [Number(row.name.slice(PREFIX.length)), row]))
  const markOf = (node: number) => Number(used.get(node)?.mark_ms ?? 0)
  return Array.from({ length: NODE_MAX + 1 }, (_, node) => node)
    .filter((node) => Number(used.get(node)?.is_taken ?? 0) === 0)
    .sort((a, b) => markOf(a) - markOf(b) || a - b)
}

/** @returns the new mark, which is at least this far ahead */
async function raiseMark(db: RecordsDatabase, { name, holder }: Lease, fromMs: number): Promise<number> {
  const wanted = BigInt(Math.ceil(fromMs + RESERVE_MS))
  const { mark_ms } = await db
    .updateTable('leases')
    .set({ mark_ms: sql<bigint>`case when mark_ms < ${wanted} then ${wanted} else mark_ms end` })
    .where(({ and }) => and({ name, holder }))
    .returning('mark_ms')
    .executeTakeFirstOrThrow()
  assert(mark_ms >= wanted, 'a mark never goes back: ids of an earlier holder would be made again')
  return Number(mark_ms)
}
