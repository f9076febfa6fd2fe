/**
 * The records: everything that changes and must be exact, in SQLite beside the events or in PostgreSQL. Statements are written
 * once, with Kysely, for both. Deliberately not here: what the records are; each kind has a file of its own beside this one.
 */
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import type { Kysely, RawBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/** Takes statements: that of a transaction, or the one for reads. Rows that a transaction will change are read `forUpdate()`. */
export type RecordsDatabase = Kysely<Tables>

/** The right to do something that one service at a time may do. Records that only one service uses always grant it. */
export interface Leadership extends AsyncDisposable {
  /** Whether this service is certainly the only one that has it. */
  readonly isHeld: boolean
  /** How often to check the records for the changes of other services, in milliseconds. */
  readonly pollMs: number
  /** Competes for the leadership until it is disposed of. @param onChange called when it is won or lost */
  keep(onChange?: (isHeld: boolean) => void): void
}

export interface Records {
  /** Reads what is committed, and nothing else. */
  readonly read: RecordsDatabase
  /**
   * Runs `work` whole or not at all; it is on disk when this resolves. `work` may be run again after a conflict with another
   * service, so it does nothing but ask the database it is given, and it asks one thing after the other.
   * @param wait `soon`: it is refused where it would have to wait for seconds; by default it waits as long as it takes
   * @throws whatever `work` rejects with; ServiceError `storage_full`, `overloaded`, `unavailable`
   */
  transaction<T>(work: (db: RecordsDatabase) => Promise<T>, wait?: 'soon'): Promise<T>
  /**
   * Runs `work` on one state of the records, however long it reads, while others change them.
   * @throws as {@link transaction}
   */
  snapshot<T>(work: (db: RecordsDatabase) => Promise<T>): Promise<T>
  /** The database's clock, in milliseconds since the epoch, as part of a statement: leases of several services go by one clock. */
  readonly nowMs: RawBuilder<bigint>
  /** @returns the leadership of this name, for which the services that share these records compete */
  leadership(name: string): Leadership
  /**
   * Runs `make`, which creates a file in this service's data directory, if no other service uses these records.
   * @returns what `make` returned; `undefined`, without running it, where other services could not read that file
   */
  makeLocal<T>(make: () => T): T | undefined
  /** @returns the transactions that wait and that are under way */
  load(): GateLoad
  /** Rejects when the records cannot be read. */
  check(): Promise<void>
  /** Waits for what is under way; nothing may be asked afterwards. */
  close(): Promise<void>
}
