/**
 * Everything about events that is kept, put together: datasets, their tables, the writer, ingest keys, and what makes ids
 * of rows and times of requests.
 */

import { addFields, readCatalogueChanges } from '@deployment-annotations/records/dataset-records'
import { endLeases } from '@deployment-annotations/records/leases'
import { NodeLease } from '@deployment-annotations/records/node-lease'
import type { Records } from '@deployment-annotations/records/records'
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import { Arrivals } from './arrivals.ts'
import { claimEvents } from './datasets/claim.ts'
import { Datasets } from './datasets/datasets.ts'
import { type SizeLimits, SizeWatch } from './datasets/size-limits.ts'
import { type DamagedTable, findDetachedParts } from './disk/damage.ts'
import type { DataDisk } from './disk/data-disk.ts'
import type { Engine } from './engine/engine.ts'
import { openIndexes } from './layouts/keep-indexes.ts'
import { createRequestTimes, createRowIds, type RequestTimes, type RowIds } from './rows/row-ids.ts'
import type { Cluster } from './schema/event-table.ts'
import { createEventTables, type EventTables } from './tables/event-tables.ts'
import { measureDatasets } from './tables/stored-size.ts'
import { createReclaim } from './upkeep/reclaim.ts'
import { StrayTables, type UpkeepTasks } from './upkeep/upkeep.ts'
import { EventWriter } from './write/event-writer.ts'
import { IngestRequests } from './write/ingest-requests.ts'
import { StagingTables } from './write/staging.ts'
import { WriteAheadLog } from './write/write-ahead-log.ts'

export interface EventStore {
  datasets: Datasets
  writer: EventWriter
  requests: IngestRequests
  tables: EventTables
  /** What one of the services that share the events has to do from time to time. */
  upkeep: UpkeepTasks
  /** To be awaited before ids or times are made. @throws ServiceError `unavailable` */
  ensureHeld(): Promise<void>
  rowIds: RowIds
  requestTimes: RequestTimes
  staging: StagingTables
  sizes: SizeWatch
  arrivals: Arrivals
  /** Whether nobody else stores events in these tables. */
  isAlone: boolean
  /** How many wait, by what for. */
  load(): Record<string, GateLoad>
  /**
   * Resolves when everything that was acknowledged is in the tables of these datasets, by default all, for a reader.
   * @throws ServiceError `unavailable` where it cannot be stored there now
   */
  settle(datasets?: readonly string[]): Promise<void>
  /** Tables of datasets that there are, whose events are missing, all or some. */
  damagedTables(): readonly DamagedTable[]
  /** Waits for what is under way; the engine stays open. */
  close(): Promise<void>
}

export interface EventStoreOptions {
  fieldsMax: number
  /** Nobody else writes to these tables, so what a crash left behind may be removed. */
  isAlone: boolean
  /** Of the embedded engine. */
  disk?: DataDisk | undefined
  cluster?: Cluster
  sizeLimits?: SizeLimits
  /** Whether tables keep columns and indexes beside the events; by default they do. Those of a cluster never do. */
  indexes?: boolean
  clock?: () => number
}

export async function openEventStore(engine: Engine, records: Records, options: EventStoreOptions): Promise<EventStore> {
  const { cluster, fieldsMax, disk, indexes = true, clock = Date.now } = options
  const direct = disk?.openTables(engine) ?? createEventTables(engine, cluster)
  const log = options.isAlone && disk ? await openLog(records, direct, disk.logDirectory) : undefined
  const tables = log?.guard(direct) ?? direct
  const missing = disk ? await findMissing(records, tables, disk) : new Map<string, string>()
  const detached = disk ? await findDetachedParts(engine) : new Map<string, string>()
  const datasets = new Datasets({ records, tables, missing, fieldsMax, clock })
  await claimEvents({ engine, records, tables, cluster })
  await tables.upgrade()
  const keepsIndexes = cluster ? {} : await openIndexes({ engine, records, disk, datasets, isOn: indexes })
  if (options.isAlone) await records.transaction(endLeases)
  // By the real clock, as all leases: tests drive the other one.
  const lease = await NodeLease.acquire({ records, clock: Date.now })
  const requests = new IngestRequests({ records, tables, missing, holder: () => lease.holder, clock })
  const strays = new StrayTables({ tables, records })
  if (options.isAlone) {
    // What cannot be settled now, on a full disk for example, is left to later upkeep.
    await requests.upkeep().catch(() => undefined)
    await strays.dropAll()
  }
  disk?.keepDefinitions()
  const writer = new EventWriter({
    tables,
    log,
    saveFields: (table, fields) => records.transaction((db) => addFields(db, table, fields)),
  })
  const staging = new StagingTables({ tables, writer })
  const sizes = new SizeWatch({ limits: options.sizeLimits ?? {}, measure: () => measureDatasets(engine, cluster), datasets })
  return {
    datasets,
    writer,
    requests,
    tables,
    upkeep: {
      'settle requests': () => requests.upkeep(),
      'drop strays': () => strays.dropOld(),
      'free the disk': createReclaim({ datasets, tables, clock }),
      ...(log && { 'insert what waits': () => log.flush() }),
      ...keepsIndexes,
    },
    ensureHeld: () => lease.ensureHeld(),
    rowIds: createRowIds(lease),
    requestTimes: createRequestTimes(lease),
    staging,
    sizes,
    arrivals: new Arrivals(),
    isAlone: options.isAlone,
    load: () => ({ events: writer.load(), ...staging.load() }),
    settle: async (names) => (names ? log?.settle(names.flatMap((name) => datasets.find(name)?.table ?? [])) : log?.flush()),
    damagedTables: () => listDamaged(datasets, missing, detached),
    async close() {
      await writer.idle()
      await log?.close()
      await lease[Symbol.asyncDispose]()
    },
  }
}

type Paths = ReadonlyMap<string, string>

/** @param missing where the files of a table are that is not there. @param detached where broken parts of a table are */
function listDamaged(datasets: Datasets, missing: Paths, detached: Paths): DamagedTable[] {
  return datasets.list().flatMap(({ name, table }) => {
    const path = missing.get(table) ?? detached.get(table)
    return path === undefined ? [] : [{ table, dataset: name, path, isMissing: missing.has(table) }]
  })
}

/** Only where nobody else inserts into the same tables: they could not see what waits here. */
async function openLog(records: Records, tables: EventTables, directory: string): Promise<WriteAheadLog | undefined> {
  const { tryRows, requireRoom } = tables
  return tryRows && WriteAheadLog.open({ directory, records, tables, tryRows, ...(requireRoom && { requireRoom }) })
}

/** @returns where the files are of tables that the engine does not have, by the table */
async function findMissing(records: Records, tables: EventTables, disk: DataDisk): Promise<Map<string, string>> {
  const there = new Set(await tables.list())
  // Only of datasets that were acknowledged: the name of a table is kept before it is made.
  const { datasets } = await readCatalogueChanges(records.read, -1n)
  return new Map(datasets.flatMap(({ table }) => (there.has(table) ? [] : [[table, disk.placeOf(table)] as const])))
}
