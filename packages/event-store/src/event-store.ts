/**
 * The event store: it composes datasets, their tables, the writer, idempotency keys, and the sources of row ids and request times.
 */

import { type Records, readNow } from '@deployment-annotations/records/database/records'
import { readCatalogChanges } from '@deployment-annotations/records/datasets/dataset-records'
import { NodeLease } from '@deployment-annotations/records/leases/node-lease'
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import type { Log } from '@deployment-annotations/runtime/log'
import { DamagedTables } from './damaged-tables.ts'
import { claimEvents } from './datasets/claim.ts'
import { Datasets } from './datasets/datasets.ts'
import { type SizeLimits, SizeWatch } from './datasets/size-limits.ts'
import { EventNotifier } from './event-notifier.ts'
import { forgetLost } from './layouts/layout-keeper.ts'
import type { Reader } from './reading/reader.ts'
import type { Rollups } from './reading/rollups.ts'
import { createRequestTimes, createRowIds, type RequestTimes, type RowIds } from './rows/row-ids.ts'
import type { Store } from './stores/store.ts'
import { measureDatasets } from './tables/stored-size.ts'
import {
  createCommentTask,
  createFieldsTask,
  createReclaim,
  StrayTables,
  type UpkeepTasks,
  type UsualNames,
} from './upkeep/upkeep.ts'
import { EventWriter } from './write/event-writer.ts'
import { IngestRequests } from './write/ingest-requests.ts'
import { createFieldSaver } from './write/save-fields.ts'
import { StagingTables } from './write/staging.ts'

export interface EventStore {
  datasets: Datasets
  writer: EventWriter
  requests: IngestRequests
  tables: Store
  /** Tasks to repeat at intervals, by one of the services that share the events. */
  upkeep: UpkeepTasks
  /** Await this before making ids or times. @throws ServiceError `unavailable` */
  ensureHeld(): Promise<void>
  rowIds: RowIds
  requestTimes: RequestTimes
  staging: StagingTables
  sizes: SizeWatch
  notifier: EventNotifier
  /** What is held of whole parts, if the store knows its parts. */
  rollups: Rollups | undefined
  /** @returns the load of each queue by its name */
  load(): Record<string, GateLoad>
  /**
   * Resolves when everything that was acknowledged for these datasets, by default all, is in their tables for a reader.
   * @throws ServiceError `unavailable` if it cannot be stored there now
   */
  settle(datasets?: readonly string[]): Promise<void>
  /** The tables of events that no record names, and that nobody asked to drop. */
  readonly unknownTables: readonly string[]
  /** Call this after the records were found to be others than before. It looks for unknown tables. */
  findUnknown(): Promise<unknown>
  /** The tables of which some or all events are missing. */
  damaged: DamagedTables
  /** Waits for work under way. The engine stays open. */
  close(): Promise<void>
}

export interface EventStoreOptions {
  fieldsMax: number
  sizeLimits?: SizeLimits
  /** By these names fields get columns and indexes, if the store supports it; without them, none do. */
  usualNames?: UsualNames | undefined
  clock?: () => number
}

/** @param tables the store, which the caller closes after the events */
export async function openEventStore(tables: Store, records: Records, options: EventStoreOptions): Promise<EventStore> {
  const { fieldsMax, usualNames, clock = records.now } = options
  const acknowledged = (await readCatalogChanges(records.read, -1n)).datasets
  const damage = await tables.findDamage(acknowledged.map(({ table }) => table))
  const datasets = new Datasets({ records, tables, missing: damage.missing, fieldsMax, clock })
  await tables.prepare(() => claimEvents({ records, tables }).then(() => forgetLost(records, tables)))
  const storeTasks = await tables.openUpkeep({ records, datasets, usualNames })
  await tables.endLeases(records)
  const lease = await NodeLease.acquire({ records })
  const requests = new IngestRequests({
    records,
    tables,
    explain: (error) => datasets.explain(error),
    holder: () => lease.holder,
    isExpected: ({ table, firstTimeNs }) => datasets.keepsAll(table, BigInt(firstTimeNs)),
    clock,
  })
  const strays = new StrayTables({ tables, records })
  const damaged = new DamagedTables(tables, datasets, damage)
  await tables.prepare(() => strays.find())
  await tables.cleanUp({ settleRequests: () => requests.upkeep(), dropStrays: () => strays.drop(0) })
  const writer = new EventWriter({ tables, saveFields: createFieldSaver(records) })
  const staging = new StagingTables({ tables, writer })
  return {
    datasets,
    writer,
    requests,
    tables,
    upkeep: namingDamageIn(damaged, {
      'settle requests': () => requests.upkeep(),
      'drop strays': () => strays.drop(),
      'find missing tables': (log) => damaged.find(log),
      'describe tables': createCommentTask(datasets, tables),
      'look at fields': createFieldsTask(datasets),
      'free the disk': createReclaim({ datasets, tables, readNow: () => readNow(records, options.clock) }),
      ...storeTasks,
    }),
    ensureHeld: () => lease.ensureHeld(),
    rowIds: createRowIds(lease, records.now),
    requestTimes: createRequestTimes(lease, records.now),
    staging,
    sizes: new SizeWatch({ limits: options.sizeLimits ?? {}, measure: () => measureDatasets(tables), datasets }),
    notifier: new EventNotifier(tables.othersEveryMs),
    rollups: tables.rollups,
    load: () => ({ events: writer.load(), ...staging.load() }),
    settle: (names) => settle(names, { tables, datasets, damaged }),
    get unknownTables() {
      return strays.unknown
    },
    findUnknown: () => strays.find(),
    damaged,
    async close() {
      await writer.idle()
      await tables.endWrites()
      await lease[Symbol.asyncDispose]()
    },
  }
}

/** Notes a damaged file that keeps acknowledged rows out of their table. */
async function settle(
  names: readonly string[] | undefined,
  { tables, datasets, damaged }: Pick<EventStore, 'tables' | 'datasets' | 'damaged'>,
): Promise<void> {
  try {
    await tables.flush(names?.flatMap((name) => datasets.find(name)?.table ?? []))
  } catch (error) {
    await damaged.explain((error as Error).cause)
    throw error
  }
}

/** @returns the reader, which names the dataset whose files it cannot read */
export function namingDamage(reader: Reader, { damaged }: EventStore): Reader {
  return { ...reader, read: (...query) => damaged.explaining(reader.read(...query)) }
}

/** @returns the tasks, which note the damaged files that they come upon, often before anybody asks for the events */
function namingDamageIn(damaged: DamagedTables, tasks: UpkeepTasks): UpkeepTasks {
  const naming = (run: UpkeepTasks[string]) => (log: Log) => damaged.explaining(run(log))
  return Object.fromEntries(Object.entries(tasks).map(([task, run]) => [task, naming(run)]))
}
