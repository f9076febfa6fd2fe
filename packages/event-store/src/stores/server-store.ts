/**
 * The store on one ClickHouse server, which other services may share.
 * - Every insert goes to the server at once, as texts. The server remembers tokens of inserts, so rows may be sent again.
 * - An insert may continue after its sender is gone, so rows are counted only after the inserts under way on the server have ended.
 * - A large request is staged in a table of its own and joined in one step.
 * - Other services may be at work at any time: upkeep cleans up instead of the start, and events of other services are only found by
 *   polling.
 * - There are columns and indexes for fields.
 */
import { EventLayouts } from '../layouts/event-layouts.ts'
import { openIndexes } from '../layouts/keep-indexes.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import { openServerReader } from '../reading/server-reader.ts'
import { tableState } from '../reading/table-spans.ts'
import { createEventTable, ON_ONE_HOST, REMEMBERS_TOKENS } from '../schema/event-table.ts'
import type { Preparation } from '../server/preparation.ts'
import { openServerEngine, type ServerEngine } from '../server/server-engine.ts'
import { EventTables } from '../tables/event-tables.ts'
import { waitForInserts } from '../tables/stored-requests.ts'
import { measureTables, type StoredSize } from '../tables/stored-size.ts'
import { createMergeTask } from '../upkeep/merge-small-parts.ts'
import type { UpkeepTasks } from '../upkeep/upkeep.ts'
import type { Damage, Store, UpkeepParts } from './store.ts'

export class ServerStore extends EventTables implements Store {
  readonly repairs = []
  readonly othersEveryMs = 1_000
  readonly mayBeAway = true
  readonly #urls: readonly URL[]
  readonly #preparation: Preparation

  private constructor(urls: readonly URL[], { engine, preparation }: ServerEngine) {
    super(engine, ON_ONE_HOST)
    this.#urls = urls
    this.#preparation = preparation
  }

  /**
   * @param urls addresses of the same data; the first one that works is used
   * @throws Error if one answers that cannot be used
   */
  static async open(urls: readonly URL[]): Promise<ServerStore> {
    return new ServerStore(urls, await openServerEngine(urls))
  }

  prepare(task: () => Promise<void>): Promise<void> {
    return this.#preparation.add(task)
  }

  async create(table: string, comment?: string): Promise<void> {
    await this.engine.run(createEventTable(table, [REMEMBERS_TOKENS], comment))
  }

  endInserts(table: string): Promise<void> {
    return waitForInserts(this.engine, table, this.names)
  }

  check(): Promise<void> {
    return this.engine.probe('SELECT 1')
  }

  openReader(limits: ReadLimits): Reader {
    return openServerReader(this.#urls, { limits, settings: {}, stateOf: tableState })
  }

  measure(): Promise<StoredSize | undefined> {
    return measureTables(this.engine).catch(() => undefined)
  }

  async openUpkeep({ records, datasets, indexes }: UpkeepParts): Promise<UpkeepTasks> {
    const layouts = new EventLayouts(this.engine)
    return {
      'merge small parts': createMergeTask({ engine: this.engine }),
      ...(await openIndexes({
        records,
        datasets,
        isOn: indexes,
        tables: this,
        layouts,
        prepare: (task) => this.prepare(task),
      })),
    }
  }

  /** The files of a server are not visible from here. */
  async findDamage(): Promise<Damage> {
    return { missing: new Map(), detached: new Map() }
  }

  async endLeases(): Promise<void> {}

  async cleanUp(): Promise<void> {}

  async endWrites(): Promise<void> {}

  close(): Promise<void> {
    return this.engine.close()
  }
}
