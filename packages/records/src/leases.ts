/**
 * Leases: of several services that share the records, one at a time may do a thing. A lease is renewed while its holder lives;
 * when that ends or hangs, another takes the lease over. Times are those of the database's clock; the holder itself counts
 * from before it asked, so it stops no later than another may begin. Deliberately not here: what leases are for.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Leadership, Records, RecordsDatabase } from './records.ts'

/** How long a lease holds without being renewed; another service takes over this long after a holder was killed, at most. */
export const LEASE_MS = 10_000
/** How often a lease is renewed, and tried for. */
export const RENEW_MS = 2_500

export interface LeaseOptions {
  /** Names one run of one service. */
  holder?: string
  leaseMs?: number
  renewMs?: number
}

/** The leadership of a service that shares its records with nobody. Nobody else changes them, so they need few checks. */
export const SOLE_LEADERSHIP: Leadership = {
  isHeld: true,
  pollMs: 60_000,
  keep: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
}

/** A lease that this service tries to have for as long as it runs. */
export class Lease implements Leadership {
  readonly pollMs = 1_000
  readonly name: string
  readonly holder: string
  readonly #records: Records
  readonly #leaseMs: number
  readonly #renewMs: number
  readonly #ending = new AbortController()
  /** By this process's own clock, which cannot be set. */
  #heldUntil = Number.NEGATIVE_INFINITY
  #renewing: Promise<void> = Promise.resolve()

  constructor(records: Records, name: string, options: LeaseOptions = {}) {
    this.#records = records
    this.name = name
    this.holder = options.holder ?? randomUUID()
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#renewMs = options.renewMs ?? RENEW_MS
  }

  /** Whether this service is certainly the only one that has it. */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntil
  }

  /** Takes or renews it. @returns whether it is held now */
  async tryAcquire(): Promise<boolean> {
    return this.#hold((db) => takeLease(db, this.#records, this.name, this.holder, this.#leaseMs))
  }

  /** Renews it, also where it has run out, unless somebody else has had it meanwhile. @returns whether it is held now */
  async tryRenew(): Promise<boolean> {
    return this.#hold((db) => renewLease(db, this.#records, this.name, this.holder, this.#leaseMs))
  }

  async #hold(change: (db: RecordsDatabase) => Promise<boolean>): Promise<boolean> {
    const askedAt = performance.now()
    const isOurs = await this.#records.transaction(change)
    this.#heldUntil = isOurs ? askedAt + this.#leaseMs : Number.NEGATIVE_INFINITY
    return isOurs
  }

  /**
   * Keeps trying for it and renewing it until it is disposed of.
   * @param onChange is told when it is got or lost
   */
  keep(onChange: (isHeld: boolean) => void = () => undefined): void {
    this.#renewing = this.#keep(onChange)
  }

  async #keep(onChange: (isHeld: boolean) => void): Promise<void> {
    const { signal } = this.#ending
    let wasHeld = this.isHeld
    while (!signal.aborted) {
      // Records that are away for a moment: it stays held for as long as it was granted.
      await this.tryAcquire().catch(() => undefined)
      if (this.isHeld !== wasHeld) onChange(this.isHeld)
      wasHeld = this.isHeld
      await sleep(this.#renewMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Gives it up, so that others need not wait for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#renewing
    if (this.#heldUntil === Number.NEGATIVE_INFINITY) return
    this.#heldUntil = Number.NEGATIVE_INFINITY
    // Records that are away: the lease ends by itself.
    await this.#records.transaction((db) => releaseLease(db, this.name, this.holder)).catch(() => undefined)
  }
}

/** Part of a transaction. @returns whether the lease is the holder's now: it was, or it was nobody's */
async function takeLease(
  db: RecordsDatabase,
  { nowMs }: Pick<Records, 'nowMs'>,
  name: string,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const expires = sql<bigint>`${nowMs} + ${BigInt(leaseMs)}`
  const taken = await db
    .insertInto('leases')
    .values({ name, holder, expires_at_ms: expires, mark_ms: 0n })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires_at_ms: expires })
        .where((at) => at.or([at('leases.holder', '=', holder), at('leases.expires_at_ms', '<=', nowMs)])),
    )
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}

/** Part of a transaction. Who takes a lease becomes its holder, so who is still its holder was so all the time. */
async function renewLease(
  db: RecordsDatabase,
  { nowMs }: Pick<Records, 'nowMs'>,
  name: string,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const expires = sql<bigint>`${nowMs} + ${BigInt(leaseMs)}`
  const renewed = await db
    .updateTable('leases')
    .set({ expires_at_ms: expires })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .returning('name')
    .executeTakeFirst()
  return renewed !== undefined
}

async function releaseLease(db: RecordsDatabase, name: string, holder: string): Promise<void> {
  await db.updateTable('leases').set({ expires_at_ms: 0n }).where('name', '=', name).where('holder', '=', holder).execute()
}

/** For a service that is certainly the only one: the holders before it are gone. */
export async function endLeases(db: RecordsDatabase): Promise<void> {
  await db.updateTable('leases').set({ expires_at_ms: 0n }).execute()
}
