/**
 * Leases let one of several services that share the records do something at a time. A holder renews its lease while it lives; if it
 * ends or hangs, another service takes the lease over. Times come from the clock of the database. A holder counts from before its
 * statement began, so that it stops no later than another may start. Deliberately not here: the purposes of leases.
 */
import { randomUUID } from 'node:crypto'
import { repeat } from '@deployment-annotations/runtime/concurrency/repeat'
import { type RawBuilder, sql } from 'kysely'
import type { Records, RecordsDatabase } from '../database/records.ts'

/** How long a lease lasts without being renewed, which is the longest time until another service takes over from a killed holder. */
export const LEASE_MS = 10_000
/** How often a lease is renewed, or tried for. */
export const RENEW_MS = 2_500

export interface LeaseOptions {
  leaseMs?: number
  renewMs?: number
}

/** A lease that this service tries to hold for as long as it runs. */
export class Lease implements AsyncDisposable {
  readonly name: string
  /** Identifies one run of one service. */
  readonly holder = randomUUID()
  protected readonly records: Records
  readonly #leaseMs: number
  readonly #renewMs: number
  readonly #ending = new AbortController()
  /** A time on the monotonic clock of this process, which cannot be set. */
  #heldUntil = Number.NEGATIVE_INFINITY
  #renewing: Promise<void> = Promise.resolve()

  constructor(records: Records, name: string, options: LeaseOptions = {}) {
    this.records = records
    this.name = name
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#renewMs = options.renewMs ?? RENEW_MS
  }

  /** Whether this service is certainly the only one that has it. */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntil
  }

  /** Acquires or renews the lease. @returns whether it is held now */
  async tryAcquire(): Promise<boolean> {
    const { name, holder } = this
    const found = await this.hold((db, expires) =>
      db
        .insertInto('leases')
        .values({ name, holder, expires_at_ms: expires, mark_ms: 0n })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, expires_at_ms: expires })
            .where((at) => at.or([at('leases.holder', '=', holder), at('leases.expires_at_ms', '<=', this.records.nowMs)])),
        )
        .returning('name')
        .executeTakeFirst(),
    )
    return found !== undefined
  }

  /** Renews the lease even if it has expired, unless another service has held it since. @returns whether it is held now */
  async tryRenew(): Promise<boolean> {
    // Acquiring a lease replaces its holder, so a service that is still the holder has been so all the time.
    const renew = (db: RecordsDatabase, expires: RawBuilder<bigint>) =>
      this.#own(db).set({ expires_at_ms: expires }).returning('name').executeTakeFirst()
    return (await this.hold(renew)) !== undefined
  }

  /** @param change resolves with nothing if another service has the lease. @returns what it resolves with */
  protected async hold<T>(change: (db: RecordsDatabase, expires: RawBuilder<bigint>) => Promise<T>): Promise<T> {
    const askedAt = performance.now()
    const expires = sql<bigint>`${this.records.nowMs} + ${BigInt(this.#leaseMs)}`
    const found = await this.records.transaction((db) => change(db, expires))
    this.#heldUntil = found === undefined ? Number.NEGATIVE_INFINITY : askedAt + this.#leaseMs
    return found
  }

  /** An update of the lease, as long as no other service has it. */
  #own(db: RecordsDatabase) {
    return db.updateTable('leases').where('name', '=', this.name).where('holder', '=', this.holder)
  }

  /** Part of a transaction: others need not wait until it expires. */
  protected async release(db: RecordsDatabase): Promise<void> {
    await this.#own(db).set({ expires_at_ms: 0n }).execute()
  }

  /** Acquires and renews the lease until it is disposed of. */
  keep(): void {
    // While the records are unreachable, the lease is held until it expires.
    this.#renewing = repeat(() => this.tryAcquire().catch(() => false), this.#renewMs, this.#ending.signal)
  }

  /** Releases the lease, so that others need not wait until it expires. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#renewing
    if (this.#heldUntil === Number.NEGATIVE_INFINITY) return
    this.#heldUntil = Number.NEGATIVE_INFINITY
    // If the records are unreachable, the lease expires by itself.
    await this.records.transaction((db) => this.release(db)).catch(() => undefined)
  }
}

/** Ends all leases. Only a service that is certainly alone may call it: all earlier holders are gone. */
export async function endLeases(db: RecordsDatabase): Promise<void> {
  await db.updateTable('leases').set({ expires_at_ms: 0n }).execute()
}
