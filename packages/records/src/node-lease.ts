/**
 * The number of this service among those that share the records, as a lease: part of the ids of its rows and of the times of its
 * requests, so that no two services ever make the same. With each number goes a mark, ahead of every time that ids with it were
 * made with: its next holder begins above it. The mark is moved in good time, so that making an id asks nobody.
 * Deliberately not here: the ids.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { sql } from 'kysely'
import { LEASE_MS, Lease, type LeaseOptions, RENEW_MS } from './leases.ts'
import type { Records, RecordsDatabase } from './records.ts'

/** Numbers are from 0 to this: ten bits of an id. */
const NODE_MAX = 1_023
/** How far the mark is ahead: a number that cannot be renewed is lost by then. */
const RESERVE_MS = LEASE_MS
const PREFIX = 'node/'

interface NodeLeaseParts extends LeaseOptions {
  records: Records
  /** Milliseconds since the epoch, as ids are made with. */
  clock: () => number
}

/** A number that was got. */
interface Held {
  readonly node: number
  readonly lease: Lease
  /** Earlier holders used times below this. */
  readonly startMs: number
  /** Times below this may be used. */
  reservedMs: number
}

export class NodeLease implements AsyncDisposable {
  readonly #parts: NodeLeaseParts
  readonly #ending = new AbortController()
  readonly #keeping: Promise<void>
  #held: Held
  #renewing: Promise<void> | undefined

  private constructor(parts: NodeLeaseParts, held: Held) {
    this.#parts = parts
    this.#held = held
    this.#keeping = this.#keep()
  }

  /** @throws Error when all numbers are taken */
  static async acquire(parts: NodeLeaseParts): Promise<NodeLease> {
    return new NodeLease(parts, await acquireFree(parts))
  }

  get node(): number {
    return this.#held.node
  }

  /** Names this service among the holders of leases, for as long as it has this number. */
  get holder(): string {
    return this.#held.lease.holder
  }

  /** Whether certainly nobody else has the number. */
  get isHeld(): boolean {
    return this.#held.lease.isHeld
  }

  /** Earlier holders of the number used times below this. */
  get startMs(): number {
    return this.#held.startMs
  }

  /** Times below this may be used; 0 where the number was lost. */
  get reservedMs(): number {
    return this.isHeld ? this.#held.reservedMs : 0
  }

  /**
   * To be awaited before the number is needed. A process that had no processor time for as long as the lease comes back to
   * requests that wait before its own timer has renewed anything: the first of them does it.
   * @throws ServiceError `unavailable`
   */
  async ensureHeld(): Promise<void> {
    // Where the clock is past the mark, the lease has been renewed after a stall, and the mark is about to be.
    if (this.isHeld && this.#parts.clock() < this.#held.reservedMs) return
    await this.#renewOnce().catch(() => undefined)
    if (!this.isHeld) throw lostNumber()
  }

  /** Gives the number up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#keeping
    await this.#held.lease[Symbol.asyncDispose]()
  }

  async #keep(): Promise<void> {
    const { signal } = this.#ending
    const { renewMs = RENEW_MS } = this.#parts
    while (!signal.aborted) {
      await sleep(renewMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      // Records that are away for a moment: the number stays ours for as long as it was granted, and is tried for again.
      await this.#renewOnce().catch(() => undefined)
    }
  }

  /** One at a time: two that find it lost at the same moment must not take two numbers. */
  #renewOnce(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(): Promise<void> {
    const { records, clock } = this.#parts
    const { lease, reservedMs } = this.#held
    if (!(await lease.tryRenew())) {
      // Somebody else has it, or has had it.
      this.#held = await acquireFree(this.#parts)
      return
    }
    this.#held.reservedMs = await records.transaction((db) =>
      raiseMark(db, lease, Math.max(clock(), reservedMs - RESERVE_MS / 2)),
    )
  }
}

/** @returns the answer of a service that has no number at the moment */
export function lostNumber(): ServiceError {
  return new ServiceError(
    'unavailable',
    'this service lost its place among those that share the records, and is taking another; send this again in a moment',
  )
}

async function acquireFree(parts: NodeLeaseParts): Promise<Held> {
  const { records, clock } = parts
  for (const node of await listFree(records)) {
    const lease = new Lease(records, PREFIX + node, parts)
    if (!(await lease.tryAcquire())) continue
    return records.transaction(async (db) => {
      const { mark_ms } = await db.selectFrom('leases').select('mark_ms').where('name', '=', lease.name).executeTakeFirstOrThrow()
      const startMs = Number(mark_ms)
      return { node, lease, startMs, reservedMs: await raiseMark(db, lease, Math.max(clock(), startMs)) }
    })
  }
  throw new Error(`all ${NODE_MAX + 1} numbers of services are taken; one is free again some seconds after its service has ended`)
}

/**
 * The numbers that nobody has; somebody else may be faster. Those with the lowest mark come first: the times of a service that
 * starts again at once would otherwise run further ahead of the clock each time.
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

/** @returns the mark, which is this far ahead or further */
async function raiseMark(db: RecordsDatabase, { name, holder }: Lease, fromMs: number): Promise<number> {
  const wanted = BigInt(Math.ceil(fromMs + RESERVE_MS))
  const { mark_ms } = await db
    .updateTable('leases')
    .set({ mark_ms: sql<bigint>`case when mark_ms < ${wanted} then ${wanted} else mark_ms end` })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .returning('mark_ms')
    .executeTakeFirstOrThrow()
  return Number(mark_ms)
}
