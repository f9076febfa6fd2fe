/**
 * The event store: it composes datasets, their tables, the writer, idempotency keys, and the sources of row ids and request times.
 */

import { setMaxListeners } from 'node:events'
import { type Records, readNow } from '@deployment-annotations/records/database/records'
import { readCatalogChanges } from '@deployment-annotations/records/datasets/dataset-records'
import { endLeases } from '@deployment-annotations/records/leases/leases'
import { NodeLease } from '@deployment-annotations/records/leases/node-lease'
import type { Log } from '@deployment-annotations/runtime/log'
import { DamagedTables } from './damaged-tables.ts'
import { Datasets } from './datasets/datasets.ts'
import { type SizeLimits, SizeWatch } from './datasets/size-limits.ts'
import { forgetLost } from './layouts/layout-keeper.ts'
import { READ_LIMITS, type Reader, type ReadLimits } from './reading/reader.ts'
import { createRequestTimes, createRowIds } from './rows/row-ids.ts'
import type { Store } from './stores/store.ts'
import { createEventChunks } from './tables/event-chunks.ts'
import { claimEvents } from './tables/ownership.ts'
import { measureDatasets } from './tables/stored-size.ts'
import {
  createCommentTask,
  createFieldsTask,
  createReclaim,
  type KindOfField,
  StrayTables,
  type UpkeepTasks,
} from './upkeep/upkeep.ts'
import { EventWriter } from './write/event-writer.ts'
import { IngestRequests } from './write/ingest-requests.ts'
import { createFieldSaver } from './write/save-fields.ts'
import { StagingTables } from './write/staging.ts'

export interface EventStoreOptions {
  fieldsMax: number
  readLimits?: ReadLimits
  sizeLimits?: SizeLimits
  /** By what they are fields get columns and indexes, if the store supports it; without it, none do. */
  kindOfField?: KindOfField | undefined
  clock?: () => number
}

/** The events of a service. */
export type EventStore = Awaited<ReturnType<typeof openEventStore>>

/** @param tables the store, which is closed with the events, but not if they cannot be opened */
export async function openEventStore(tables: Store, records: Records, options: EventStoreOptions) {
  const { sizeLimits: limits = {}, kindOfField, readLimits = READ_LIMITS } = options
  const { datasets, lease, requests, strays, damaged } = await recover(tables, records, options)
  const writer = new EventWriter({ tables, saveFields: createFieldSaver(records) })
  const staging = new StagingTables(tables, writer)
  const stored = new EventTarget()
  setMaxListeners(0, stored)
  const tasks: UpkeepTasks = {
    'settle requests': () => requests.upkeep(),
    'drop strays': () => strays.drop(),
    'find missing tables': (log) => damaged.find(log),
    'describe tables': createCommentTask(datasets, tables),
    'look at fields': createFieldsTask(datasets),
    'free the disk': createReclaim({ datasets, tables, readNow: () => readNow(records, options.clock) }),
    ...(await tables.openUpkeep({ records, datasets, kindOfField })),
  }
  const reader = tables.openReader(readLimits)
  return {
    datasets,
    writer,
    requests,
    tables,
    /** Tasks to repeat at intervals, by one of the services that share the events. They often come upon damage before anybody else. */
    upkeep: mapTasks(tasks, (task) => damaged.explaining(task)),
    /** Await this before making ids or times. @throws ServiceError `unavailable` */
    ensureHeld: () => lease.ensureHeld(),
    rowIds: createRowIds(lease, records.now),
    requestTimes: createRequestTimes(lease, records.now),
    staging,
    sizes: new SizeWatch({ limits, measure: () => measureDatasets(tables), datasets }),
    /** Has an event of the name of a dataset after this process stored events in it. Those of other services can only be polled for. */
    stored,
    strays,
    damaged,
    reader: namingDamage(reader, damaged),
    chunks: createEventChunks(tables),
    /** @returns the load of each queue by its name */
    load: () => ({ events: writer.load(), ...staging.load() }),
    /**
     * Resolves when everything that was acknowledged for these datasets, by default all, is in their tables for a reader.
     * @throws ServiceError `unavailable` if it cannot be stored there now; a damaged file that is the reason is noted
     */
    settle: (names?: readonly string[]) =>
      tables.flush(names?.flatMap((name) => datasets.find(name)?.table ?? [])).catch(async (error: Error) => {
        await damaged.explain(error.cause)
        throw error
      }),
    /** Waits for work under way and closes the store. Nothing may be called afterwards. */
    async close() {
      await writer.idle()
      await tables.endWrites()
      await lease[Symbol.asyncDispose]()
      await reader.close()
      await tables.close()
    },
  }
}

/** Opens what has to be in order before there are requests, and cleans up after a crash if no other process can be at work. */
async function recover(tables: Store, records: Records, { fieldsMax, clock = records.now }: EventStoreOptions) {
  const acknowledged = (await readCatalogChanges(records.read, -1n)).datasets
  const damage = await tables.findDamage(acknowledged.map(({ table }) => table))
  const datasets = new Datasets({ records, tables, missing: damage.missing, fieldsMax, clock })
  await tables.engine.prepare(() => claimEvents(records, tables).then(() => forgetLost(records, tables)))
  if (!tables.isShared) await records.transaction(endLeases)
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
  await tables.engine.prepare(() => strays.find())
  if (!tables.isShared) {
    // Requests that cannot be settled now, for example on a full disk, are left to upkeep.
    await requests.upkeep().catch(() => undefined)
    await strays.drop(0)
  }
  return { datasets, lease, requests, strays, damaged: new DamagedTables(tables, datasets, damage) }
}

function mapTasks(tasks: UpkeepTasks, run: (task: Promise<void>) => Promise<void>): UpkeepTasks {
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, (log: Log) => run(task(log))]))
}

/** Names the dataset whose files it cannot read. */
function namingDamage(reader: Reader, damaged: DamagedTables): Reader {
  return { ...reader, read: (...query) => damaged.explaining(reader.read(...query), query[0].sql) }
}
