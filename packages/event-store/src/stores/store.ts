/**
 * Where events are: in this process (embedded-store.ts), on one ClickHouse server (server-store.ts), or on a cluster of them
 * (cluster-store.ts). The rest of the program uses a store by this interface and never asks which one it is; what differs is said in the
 * three files. Deliberately not here: the tables of events themselves, which are in tables/event-tables.ts.
 */
import type { Records } from '@deployment-annotations/records/records'
import type { Datasets } from '../datasets/datasets.ts'
import type { Repair } from '../disk/repair.ts'
import type { GeoDatabase } from '../geo/geo-database.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import type { EventTables } from '../tables/event-tables.ts'
import type { StoredSize } from '../tables/stored-size.ts'
import type { UpkeepTasks } from '../upkeep/upkeep.ts'

export interface Store extends EventTables {
  /** What was restored or set aside so that the engine could open. */
  readonly repairs: readonly Repair[]
  /** How long a reader that waits for events goes by what this process stores, in milliseconds; after that others may have stored some. */
  readonly othersEveryMs: number
  /** Cheap. @throws ServiceError `unavailable` when the store does not answer, or a part of it does not */
  check(): Promise<void>
  /** Opens a reader of the same tables; the caller closes it before the store. */
  openReader(limits: ReadLimits): Reader
  /** @throws Error where the file cannot be used, or the store cannot have such a database */
  openGeo(file: string): GeoDatabase
  /** @returns what all events take up; `undefined` where it cannot be told */
  measure(): Promise<StoredSize | undefined>
  /** @returns the tables whose files are missing or broken. @param known the tables that there should be */
  findDamage(known: readonly string[]): Promise<Damage>
  /** To be called before this process acquires a lease: ends those that a crash left, where nobody else can have one. */
  endLeases(records: Records): Promise<void>
  /** To be called once before there are requests: cleans up after a crash, where nobody else can be at work. */
  cleanUp(tasks: CleanUpTasks): Promise<void>
  /** To be called once before there are queries. @returns the tasks of upkeep that only this kind of store has */
  openUpkeep(parts: UpkeepParts): Promise<UpkeepTasks>
  /** Waits for what is under way. Rows that are acknowledged and not inserted yet may be inserted after the next start. */
  endWrites(): Promise<void>
  /** To be called last, after {@link endWrites}. */
  close(): Promise<void>
}

/** Paths by table: where the files are of a table that is not there, and where broken parts of a table are. */
export interface Damage {
  missing: ReadonlyMap<string, string>
  detached: ReadonlyMap<string, string>
}

interface CleanUpTasks {
  /** Finds out what became of requests that were under way. */
  settleRequests(): Promise<void>
  /** Drops tables that no dataset and no request has. */
  dropStrays(): Promise<void>
}

export interface UpkeepParts {
  records: Records
  datasets: Datasets
  /** Whether columns and indexes are kept beside the events, where the store can. */
  indexes: boolean
}
