/**
 * The store in this process: embedded ClickHouse (chDB), with its files in the data directory, which no other process may have open.
 * It is one file, because each statement of the store has its own care for the disk here.
 * - Small requests go to a write-ahead log first and are inserted many at a time. Before rows are counted, removed or read, the waiting
 *   rows of the table are inserted, so nobody can tell the difference.
 * - An insert ends with its process at the latest, so there are no tokens, and nothing to wait for.
 * - The engine does not notice a full disk. So room is checked before a statement, the definition that it wrote is checked after it,
 *   and definitions are copied before anything is acknowledged (disk/).
 * - No other process writes: the remains of a crash are cleaned up at start, and facts about a table stay valid until it is written to.
 */
import type { Records } from '@deployment-annotations/records/database/records'
import { DataDisk } from '../disk/data-disk.ts'
import { createDeletes, type DeleteRows, killMutations, RECLAIMING, requireRoom } from '../disk/deletes.ts'
import { isStagingTable, retentionDaysOf } from '../disk/engine-files.ts'
import { GROWTH_RESERVE_BYTES, keepReserve, requireSpace, SHRINK_RESERVE_BYTES } from '../disk/free-space.ts'
import type { Repair } from '../disk/repair.ts'
import { type EmbeddedEngine, openEmbeddedEngine, requireUnused } from '../embedded/embedded-engine.ts'
import type { BoundValues, InsertOptions } from '../engine/engine.ts'
import { openIndexes } from '../layouts/layout-keeper.ts'
import { openEmbeddedReader } from '../reading/embedded-reader.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import { forgetRollups, ROLLUP_TASK, Rollups } from '../reading/rollups.ts'
import { createEventTable, deleteRows, EVENT_COLUMNS, ON_ONE_HOST, TEXTS_WITH_LENGTHS } from '../schema/event-table.ts'
import type { SmallRequest } from '../tables/event-tables.ts'
import { TableWrites } from '../tables/table-writes.ts'
import { createMergeTask } from '../upkeep/merge-small-parts.ts'
import type { UpkeepParts, UpkeepTasks } from '../upkeep/upkeep.ts'
import { findFullDisk, WriteAheadLog } from '../write/write-ahead-log.ts'
import { type Damage, Store } from './store.ts'

export class EmbeddedStore extends Store {
  override readonly writes = new TableWrites()
  readonly isShared = false
  override readonly repairs: readonly Repair[]
  declare log: WriteAheadLog
  declare readonly engine: EmbeddedEngine
  readonly #disk: DataDisk
  readonly #deleteRows: DeleteRows
  override readonly rollups: Rollups

  private constructor(disk: DataDisk, engine: EmbeddedEngine) {
    super(engine, ON_ONE_HOST)
    const directory = disk.files.root
    this.#disk = disk
    this.repairs = disk.repairs
    this.#deleteRows = createDeletes(engine, directory)
    this.rollups = new Rollups(engine, () => this.#requireSpace(GROWTH_RESERVE_BYTES))
  }

  /**
   * @param directory of the engine, in the data directory; created if it is missing
   * @param openEngine opens the engine on the directory
   * @throws ServiceError `storage_full` if a new directory has no room; Error if another process has it open, the engine is not installed,
   *   or the directory cannot be read or repaired
   */
  static async open(directory: string, records: Records, openEngine = openEmbeddedEngine): Promise<EmbeddedStore> {
    requireUnused(directory)
    forgetRollups(directory)
    const disk = new DataDisk(directory)
    const engine = openEngine(directory)
    try {
      const store = new EmbeddedStore(disk, engine)
      for (const table of await store.addRest()) if (!isStagingTable(table)) await disk.files.copyDefinition(table)
      await store.#openLog(records)
      return store
    } catch (error) {
      await engine.close()
      throw error
    }
  }

  /** Gives the log inserts, counts and removals that do not wait for the log itself. */
  async #openLog(records: Records): Promise<void> {
    this.log = await WriteAheadLog.open({
      dataDir: this.#disk.files.dataDir,
      isExpected: this.#disk.wasUsed,
      records,
      tables: {
        // Rows are acknowledged, so they may use the reserve on the disk.
        insert: async (table, blocks) => {
          this.#requireSpace(SHRINK_RESERVE_BYTES)
          await super.insert(table, blocks)
        },
        insertTexts: (table, texts) => this.insertTexts(table, texts),
        countEach: (table, requests) => this.countEach(table, requests),
        removeRequest: (table, request) => this.removeRows(table, request),
      },
    })
  }

  async create(table: string, comment?: string): Promise<void> {
    this.#requireSpace(GROWTH_RESERVE_BYTES)
    await this.engine.run(createEventTable(table, [TEXTS_WITH_LENGTHS], comment))
    try {
      if (isStagingTable(table)) this.#disk.files.requireDefinition(table)
      else await this.#disk.files.copyDefinition(table)
    } catch (error) {
      await this.drop(table).catch(() => undefined)
      throw error
    }
  }

  override async alter(table: string, statement: string, reserveBytes = GROWTH_RESERVE_BYTES): Promise<void> {
    this.#requireSpace(reserveBytes)
    await super.alter(table, statement)
    await this.#disk.files.copyDefinition(table)
  }

  override async drop(table: string): Promise<void> {
    if (isStagingTable(table)) return super.drop(table)
    this.#disk.files.removeCopy(table)
    await this.#disk.manifest.whileRemoving(table, () => super.drop(table))
  }

  override async setRetention(table: string, days: number): Promise<void> {
    const { files } = this.#disk
    this.#requireSpace(SHRINK_RESERVE_BYTES)
    await this.#removing(table, () => super.setRetention(table, days))
    try {
      await files.copyDefinition(table)
    } catch (error) {
      // The engine already uses the new retention. The old one is restored, because the catalog has it and the next start must find
      // it.
      await super.setRetention(table, retentionDaysOf(files.copies.read(table))).catch(() => undefined)
      await killMutations(this.engine, table, '(MATERIALIZE TTL')
      files.restoreDefinition(table)
      throw error
    }
  }

  override async insert(table: string, blocks: readonly Uint8Array[], options?: InsertOptions): Promise<void> {
    this.#requireSpace(GROWTH_RESERVE_BYTES)
    await super.insert(table, blocks, options)
  }

  /** Inserts rows that an earlier version acknowledged, as {@link EmbeddedEngine.insertTexts} takes them. */
  async insertTexts(table: string, texts: Buffer): Promise<void> {
    this.#requireSpace(SHRINK_RESERVE_BYTES)
    await this.writes.during(table, () => this.engine.insertTexts(table, EVENT_COLUMNS, texts))
  }

  protected override async join(staging: string, table: string): Promise<void> {
    this.#requireSpace(GROWTH_RESERVE_BYTES)
    await super.join(staging, table)
    await this.#disk.files.syncParts(table)
  }

  override async writeAhead({ table, span, rows, prepare, take }: SmallRequest): Promise<boolean> {
    await prepare()
    this.#requireSpace(GROWTH_RESERVE_BYTES)
    return this.log.add({ table, ...span, rows, body: Buffer.alloc(0), ...take() })
  }

  override async flush(tables?: readonly string[]): Promise<void> {
    await (tables ? this.log.settle(tables) : this.log.flush())
  }

  override async trim(table: string, beforeNs: bigint): Promise<void> {
    await this.settleInserts(table)
    await super.trim(table, beforeNs)
  }

  /** @throws ServiceError `storage_full` if that is the reason why rows cannot be inserted now */
  async settleInserts(table: string): Promise<void> {
    try {
      await this.flush([table])
    } catch (error) {
      throw findFullDisk(error) ?? error
    }
  }

  override async deleteWhere(table: string, condition: string, values: BoundValues = {}): Promise<void> {
    const statement = deleteRows(table, condition, this.names, 0)
    await this.#removing(table, () => this.#deleteRows(table, statement, values))
  }

  protected override async dropParts(table: string, parts: readonly string[]): Promise<void> {
    await this.#removing(table, () => super.dropParts(table, parts))
  }

  async #removing(table: string, remove: () => Promise<void>): Promise<void> {
    const { manifest } = this.#disk
    await manifest.whileRemoving(table, remove)
    await manifest.note(this.engine).catch(() => undefined)
  }

  override async reclaim(table: string): Promise<void> {
    try {
      await requireRoom(this.engine, table, this.#disk.files.root)
    } catch (error) {
      // A rewrite that began while there was room would wait for it, with every delete after it.
      await killMutations(this.engine, table, RECLAIMING)
      throw error
    }
    await super.reclaim(table)
  }

  openReader(limits: ReadLimits): Reader {
    return openEmbeddedReader(this.#disk.files.root, limits)
  }

  override async findDamage(known: readonly string[]): Promise<Damage> {
    const { manifest } = this.#disk
    const lost = await manifest.findLost(this.engine)
    const there = new Set(await this.list())
    const missing = known.flatMap((table) => (there.has(table) ? [] : [[table, this.#disk.placeOf(table)] as const]))
    return { missing: new Map(missing), lost, rowsMissing: (...of) => manifest.rowsMissing(...of) }
  }

  async openUpkeep(parts: UpkeepParts): Promise<UpkeepTasks> {
    await this.#disk.keepDefinitions()
    return {
      'insert what waits': () => this.flush(),
      'note the parts': () => this.#disk.manifest.note(this.engine),
      'keep disk space for a start': () => keepReserve(this.#disk.files.dataDir),
      'merge small parts': createMergeTask({ engine: this.engine, requireRoom: () => this.#requireSpace(GROWTH_RESERVE_BYTES) }),
      [ROLLUP_TASK]: (log) => this.rollups.upkeep(log),
      ...openIndexes(this, parts),
    }
  }

  override async endWrites(): Promise<void> {
    await this.log.close()
    await this.#disk.manifest.note(this.engine, 0).catch(() => undefined)
  }

  #requireSpace(reserveBytes: number): void {
    requireSpace(this.#disk.files.root, reserveBytes)
  }
}
