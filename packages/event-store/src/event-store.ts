/**
 * The event store: it composes datasets, their tables, the writer, idempotency keys, and the sources of row ids and request times.
 */

import { type Records, readNow } from '@deployment-annotations/records/database/records'
import { readCatalogChanges } from '@deployment-annotations/records/datasets/dataset-records'
import { NodeLease } from '@deployment-annotations/records/leases/node-lease'
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { Log } from '@deployment-annotations/runtime/log'
import { claimEvents } from './datasets/claim.ts'
import { Datasets } from './datasets/datasets.ts'
import { type SizeLimits, SizeWatch } from './datasets/size-limits.ts'
import type { DamagedTable } from './disk/data-disk.ts'
import type { Engine } from './engine/engine.ts'
import { MissingTableError } from './engine/engine-failures.ts'
import { EventNotifier } from './event-notifier.ts'
import { DamagedTableError, findDamage } from './reading/engine-errors.ts'
import type { Reader } from './reading/reader.ts'
import type { Rollups } from './reading/rollups.ts'
import { createRequestTimes, createRowIds, type RequestTimes, type RowIds } from './rows/row-ids.ts'
import type { Damage, Store } from './stores/store.ts'
import { measureDatasets } from './tables/stored-size.ts'
import { MissingTables } from './upkeep/missing-tables.ts'
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
  /** @returns the error for a caller that came upon a damaged file or a missing table, which is noted; other errors as they are */
  explain(error: unknown): Promise<unknown>
  /** @returns the tables of existing datasets of which some or all events are missing */
  damagedTables(): readonly DamagedTable[]
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
  await tables.prepare(() => claimEvents({ records, tables }))
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
  const missingTables = new MissingTables(tables, datasets)
  const known: KnownDamage = { datasets, tables, missingTables, ...damage, broken: new Map() }
  await tables.prepare(() => strays.find())
  await tables.cleanUp({ settleRequests: () => requests.upkeep(), dropStrays: () => strays.drop(0) })
  const writer = new EventWriter({ tables, saveFields: createFieldSaver(records) })
  const staging = new StagingTables({ tables, writer })
  return {
    datasets,
    writer,
    requests,
    tables,
    upkeep: namingDamageIn(known, {
      'settle requests': () => requests.upkeep(),
      'drop strays': () => strays.drop(),
      'find missing tables': (log) => missingTables.find(log),
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
    settle: (names) => settle(names, known),
    get unknownTables() {
      return strays.unknown
    },
    findUnknown: () => strays.find(),
    explain: (error) => explain(error, known),
    damagedTables: () => listDamaged(known),
    async close() {
      await writer.idle()
      await tables.endWrites()
      await lease[Symbol.asyncDispose]()
    },
  }
}

/** @returns the reader, which names the dataset whose files it cannot read */
export function namingDamage(reader: Reader, events: EventStore): Reader {
  return {
    ...reader,
    read: (...query) =>
      reader.read(...query).catch(async (error: unknown) => {
        throw await events.explain(error)
      }),
  }
}

/** Paths are by table. */
interface KnownDamage extends Damage {
  datasets: Datasets
  tables: Store
  /** Where the unreadable files of tables are. */
  broken: Map<string, string>
  missingTables: MissingTables
}

/** Notes a damaged file that keeps acknowledged rows out of their table. */
async function settle(names: readonly string[] | undefined, known: KnownDamage): Promise<void> {
  try {
    await known.tables.flush(names?.flatMap((name) => known.datasets.find(name)?.table ?? []))
  } catch (error) {
    await explain(findDamage((error as Error).cause), known)
    throw error
  }
}

/** @returns the tasks, which note the damaged files that they come upon, often before anybody asks for the events */
function namingDamageIn(known: KnownDamage, tasks: UpkeepTasks): UpkeepTasks {
  const naming = (run: UpkeepTasks[string]) => (log: Log) =>
    run(log).catch(async (error: unknown) => {
      throw await explain(findDamage(error) ?? error, known)
    })
  return Object.fromEntries(Object.entries(tasks).map(([task, run]) => [task, naming(run)]))
}

async function explain(error: unknown, { datasets, tables, broken, missingTables }: KnownDamage): Promise<unknown> {
  if (error instanceof MissingTableError) {
    missingTables.note(error.missing.table, error.missing.place)
    return datasets.explain(error)
  }
  if (!(error instanceof DamagedTableError)) return error
  const table = error.table ?? (await findTable(tables.engine, error.path).catch(() => undefined))
  if (table === undefined) return error
  broken.set(table, error.path)
  return describeDamage(datasets.list().find((one) => one.table === table)?.name, error)
}

function describeDamage(dataset: string | undefined, cause: unknown): ServiceError {
  const of = dataset === undefined ? 'a dataset' : `the dataset ${quoted(dataset)}`
  const message = `the events of ${of} are damaged: a file of theirs cannot be read; the operator of the service has to look at them`
  return new ServiceError('internal', message, { cause })
}

/** @returns the table whose directory is named in a path */
async function findTable(engine: Engine, path: string): Promise<string | undefined> {
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(path)?.[0]
  if (uuid === undefined) return undefined
  // The embedded engine does not tell the UUIDs of tables, but their directories, which are named by them.
  const [row] = await engine.select<{ name: string }>(
    'SELECT name FROM system.tables WHERE arrayExists(place -> position(place, {uuid:String}) > 0, data_paths)',
    { uuid },
  )
  return row?.name.replace(/_local$/, '')
}

function listDamaged({ datasets, missing, missingTables, lost, broken, rowsMissing }: KnownDamage): DamagedTable[] {
  const gone = new Map([...missingTables.places, ...missing])
  const damaged = new Map([...broken, ...lost])
  return datasets.list().flatMap(({ name, table }) => {
    const path = gone.get(table) ?? damaged.get(table)
    const isMissing = gone.has(table)
    return path === undefined ? [] : [{ table, dataset: name, path, isMissing, rows: rowsMissing(table, isMissing) }]
  })
}
