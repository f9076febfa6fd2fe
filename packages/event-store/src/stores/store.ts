/**
 * A store of events: in this process (embedded-store.ts), on one ClickHouse server (server-store.ts), or on a cluster of them
 * (cluster-store.ts). The rest of the program uses it and never asks which one it is; the three files describe the differences.
 * Deliberately not here: the tables of events, which are in tables/event-tables.ts.
 */
import type { Repair } from '../disk/repair.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import type { Rollups } from '../reading/rollups.ts'
import { EventTables } from '../tables/event-tables.ts'
import type { UpkeepParts, UpkeepTasks } from '../upkeep/upkeep.ts'
import type { WriteAheadLog } from '../write/write-ahead-log.ts'

export abstract class Store extends EventTables {
  /** The files that were restored or set aside so that the engine could open. */
  readonly repairs: readonly Repair[] = []
  /** What was found wrong with the write-ahead log, and what a crash left half written there; absent if the store has no log. */
  readonly log?: Pick<WriteAheadLog, 'damages' | 'torn'>
  /** What is held of whole parts, if the store knows its parts. */
  readonly rollups?: Rollups
  /**
   * Whether other services may use the same events, which are somewhere else then, and may be away for all of them. Otherwise no other
   * process can be at work on them.
   */
  abstract readonly isShared: boolean

  /** Opens a reader of the same tables; the caller closes it before the store. */
  abstract openReader(limits: ReadLimits): Reader

  /** @returns the tables whose files are missing or broken, if they can be seen. @param _known the tables that should exist */
  async findDamage(_known: readonly string[]): Promise<Damage> {
    return { missing: new Map(), lost: new Map(), rowsMissing: () => 0 }
  }

  /** Call this once, after the remains of a crash are cleaned up. @returns the upkeep tasks that only this kind of store has */
  abstract openUpkeep(parts: UpkeepParts): Promise<UpkeepTasks>

  /** Waits for writes under way. Acknowledged rows that are not inserted yet may be inserted after the next start. */
  async endWrites(): Promise<void> {}

  /** Call this last, after {@link endWrites}. */
  close(): Promise<void> {
    return this.engine.close()
  }
}

/** Paths by table: the files of missing tables, and the broken or missing parts of others. */
export interface Damage {
  missing: ReadonlyMap<string, string>
  lost: ReadonlyMap<string, string>
  /** @returns how many events of a table are missing, as far as it is known, of all if the whole table is */
  rowsMissing(table: string, isWhole: boolean): number
}
