/**
 * The records: everything that changes and must be exact, in SQLite beside the events or in PostgreSQL. Statements are written once for
 * both, with Kysely. Deliberately not here: the kinds of records, each of which has its own file in this directory.
 */
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/** Runs statements, inside a transaction or only for reads. Read rows `forUpdate()` if the transaction is going to change them. */
export type RecordsDatabase = Kysely<Tables>

/** What one service has of some work that is divided between those that share the records; one that shares them with nobody has all. */
export interface Share extends AsyncDisposable {
  /** How often to check the records for the changes of other services, in milliseconds. */
  readonly pollMs: number
  /** An SQL condition, on rows with an `id`: certainly no other service has them in its share. */
  readonly isOurs: RawBuilder<boolean>
  /** @returns the same of one id */
  has(id: string): boolean
  /** Takes a share until it is disposed of. */
  keep(): void
}

/** What is due now, and when the next is. */
export interface Due<T> {
  due: readonly T[]
  nextMs?: number | undefined
}

export interface Records {
  /** Reads only committed data. */
  readonly read: RecordsDatabase
  /**
   * Runs `work` completely or not at all; the changes are on disk when this resolves. `work` may run again after a conflict with
   * another service, so it must only use the database that it is given, one statement at a time.
   * @param wait `soon` refuses a transaction that would wait for seconds; by default it waits as long as it takes
   * @throws whatever `work` rejects with; ServiceError `storage_full`, `overloaded`, `unavailable`
   */
  transaction<T>(work: (db: RecordsDatabase) => Promise<T>, wait?: 'soon'): Promise<T>
  /**
   * Runs `work` on one state of the records, however long it reads and whatever others change meanwhile.
   * @throws as {@link transaction}
   */
  snapshot<T>(work: (db: RecordsDatabase) => Promise<T>): Promise<T>
  /**
   * An SQL expression for the clock of the database, in milliseconds since the epoch. The leases of all services use this one clock.
   */
  readonly nowMs: RawBuilder<bigint>
  /** @returns milliseconds since the epoch by that clock as far as it is known here, without asking; see shared-clock.ts */
  now(): number
  /**
   * An SQL expression for a text that another database has another one for: a standby that took over, a server that was restored and
   * started, or tables that were made again from a backup. What is in memory may then be newer than the records, and nobody said so.
   */
  readonly epoch: RawBuilder<string>
  /** @returns this service's share of the work of this name */
  share(work: string): Share
  /**
   * Runs `make`, which creates a file in this service's data directory, if no other service uses these records.
   * @returns what `make` returned; `undefined`, without running it, where other services could not read that file
   */
  makeLocal<T>(make: () => T): T | undefined
  /** What SQLite found wrong in the file when it was opened; empty if nothing, and for PostgreSQL, which checks its pages itself. */
  readonly damage: readonly string[]
  /** @returns the transactions that wait and that are under way */
  load(): GateLoad
  /** Rejects when the records cannot be read. */
  check(): Promise<void>
  /** Waits for transactions under way. Nothing may be called afterwards. */
  close(): Promise<void>
}

/**
 * @param clock of a test that drives its own
 * @returns milliseconds since the epoch by the clock of the records, which is asked, for what cannot be undone
 */
export async function readNow(records: Records, clock?: () => number): Promise<number> {
  return clock ? clock() : readClock(records)
}

/** @returns the clock of the records, in milliseconds since the epoch */
export async function readClock({ read, nowMs }: Pick<Records, 'read' | 'nowMs'>): Promise<number> {
  const { rows } = await sql<{ now: bigint | number }>`select ${nowMs} as now`.execute(read)
  return Number(rows[0]?.now)
}
