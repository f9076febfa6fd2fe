/**
 * How work with ids, such as the runs of monitors, is divided between the services that share the records: into 64 buckets by what is
 * random in an id. Every service has a lease on as many as any other, and gives up some when another comes; those of one that ended are
 * taken by the others when its leases have, and at once where it gave them up. Which work there is, is up to others.
 */
import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Records, RecordsDatabase, Share } from '../database/records.ts'
import { Lease, type LeaseOptions } from './leases.ts'

/** The share of a service that shares its records with nobody. Nobody else changes them, so they need few checks. */
export const WHOLE_SHARE: Share = {
  pollMs: 60_000,
  isOurs: sql<boolean>`true`,
  has: () => true,
  keep: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
}

/** The end of an id is random: its last character is one of 32 of ours, and the one before it tells two halves of them apart. */
const BUCKET_OF_ID = sql<string>`substr(id, length(id), 1) || case when substr(id, length(id) - 1, 1) < 'g' then '' else '+' end`
const bucketOf = (id: string) => `${id.at(-1)}${(id.at(-2) ?? '') < 'g' ? '' : '+'}`
const BUCKETS = [...'0123456789abcdefghjkmnpqrstvwxyz'].flatMap((last) => [last, `${last}+`])

export class DividedShare extends Lease implements Share {
  readonly pollMs = 1_000
  readonly #work: string
  #buckets: ReadonlySet<string> = new Set()

  constructor(records: Records, work: string, options?: LeaseOptions) {
    // The lease itself says that this service wants a share, which others know before it has one.
    super(records, `${work}/${randomUUID()}`, options)
    this.#work = work
  }

  get isOurs(): RawBuilder<boolean> {
    const others = this.#others
    return others.length === 0 ? WHOLE_SHARE.isOurs : sql<boolean>`${BUCKET_OF_ID} not in (${sql.join(others)})`
  }

  has(id: string): boolean {
    return !this.#others.includes(bucketOf(id))
  }

  /** The buckets that may be another's. An id of another form is in none, so it is everybody's. */
  get #others(): string[] {
    return this.isHeld ? BUCKETS.filter((bucket) => !this.#buckets.has(bucket)) : BUCKETS
  }

  /** Renews its part, and makes that a fair one: as many buckets as any other service has. */
  override async tryAcquire(): Promise<boolean> {
    this.#buckets = new Set(await this.hold((db, expires) => this.#divide(db, expires)))
    return true
  }

  async #divide(db: RecordsDatabase, expires_at_ms: RawBuilder<bigint>): Promise<string[]> {
    const { holder, name } = this
    const lease = { holder, expires_at_ms, mark_ms: 0n }
    const nameOf = (bucket: string) => `${this.#work}/${bucket}`
    // Whoever has changed this row divides, until the transaction ends.
    const turn = db.insertInto('leases').values({ ...lease, name: this.#work })
    await turn.onConflict((conflict) => conflict.column('name').doUpdateSet({ holder })).execute()
    await this.release(db)
    const others = await db.selectFrom('leases').select(['name', 'holder']).where('name', 'like', nameOf('%')).execute()
    const taken = new Set(others.map((one) => one.name))
    const fairMax = Math.ceil(BUCKETS.length / (1 + new Set(others.map((one) => one.holder)).size))
    const free = BUCKETS.filter((bucket) => !taken.has(nameOf(bucket)))
    const isNew = (bucket: string) => Number(!this.#buckets.has(bucket))
    // Any of the free ones: names of tables have fewer characters than other ids, and would all be in the share that is taken first.
    const mine = free.sort((a, b) => isNew(a) - isNew(b) || Math.random() - 0.5).slice(0, fairMax)
    // What it gives up is another's from the end of the transaction on, of which this service hears a little later.
    this.#buckets = new Set(mine.filter((bucket) => this.#buckets.has(bucket)))
    const rows = [name, ...mine.map(nameOf)].map((name) => ({ ...lease, name }))
    await db.insertInto('leases').values(rows).execute()
    return mine
  }

  /** Removes what it has, and what has run out: its own name is never used again. */
  protected override async release(db: RecordsDatabase): Promise<void> {
    await db
      .deleteFrom('leases')
      .where('name', 'like', `${this.#work}/%`)
      .where((at) => at.or([at('holder', '=', this.holder), at('expires_at_ms', '<=', this.records.nowMs)]))
      .execute()
  }
}
