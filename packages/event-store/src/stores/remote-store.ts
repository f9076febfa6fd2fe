/**
 * The common part of the stores on ClickHouse servers: the servers may be away, other services may be at work on the same events, and
 * the files are not visible from here.
 * Deliberately not here: the tables, which differ (server-store.ts, cluster-store.ts).
 */
import type { Reader, ReadLimits } from '../reading/reader.ts'
import type { TableNames } from '../schema/event-table.ts'
import type { Preparation } from '../server/preparation.ts'
import type { ServerEngine } from '../server/server-engine.ts'
import { EventTables } from '../tables/event-tables.ts'
import { waitForInserts } from '../tables/stored-requests.ts'
import type { UpkeepParts, UpkeepTasks } from '../upkeep/upkeep.ts'
import type { Damage, Store } from './store.ts'

export abstract class RemoteStore extends EventTables implements Store {
  readonly repairs = []
  readonly othersEveryMs = 1_000
  readonly mayBeAway = true
  protected readonly urls: readonly URL[]
  readonly #preparation: Preparation

  protected constructor(urls: readonly URL[], { engine, preparation }: ServerEngine, names: TableNames) {
    super(engine, names)
    this.urls = urls
    this.#preparation = preparation
  }

  /** Prepares the tables of an earlier version. */
  protected async prepared(): Promise<this> {
    await this.prepare(async () => void (await this.addRest()))
    return this
  }

  prepare(task: () => Promise<void>): Promise<void> {
    return this.#preparation.add(task)
  }

  endInserts(table: string): Promise<void> {
    return waitForInserts(this.engine, table, this.names)
  }

  abstract openReader(limits: ReadLimits): Reader
  abstract openUpkeep(parts: UpkeepParts): Promise<UpkeepTasks>

  async findDamage(): Promise<Damage> {
    return { missing: new Map(), lost: new Map(), rowsMissing: () => 0 }
  }

  async endLeases(): Promise<void> {}

  async cleanUp(): Promise<void> {}

  async endWrites(): Promise<void> {}

  close(): Promise<void> {
    return this.engine.close()
  }
}
