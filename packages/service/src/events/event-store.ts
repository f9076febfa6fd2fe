/**
 * Everything about events that is kept, put together: datasets, their tables, the writer, ingest keys, and what makes ids
 * of rows and times of requests.
 */
import { addFields, listTables } from '../records/dataset-records.ts'
import { endLeases } from '../records/leases.ts'
import { NodeLease } from '../records/node-lease.ts'
import type { Records } from '../records/records.ts'
import type { Engine } from '../store/engine.ts'
import { createEventTables } from '../store/event-tables.ts'
import { createIngestKeyTable } from '../store/ingest-key-table.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { claimEvents } from './claim.ts'
import { Datasets } from './datasets/datasets.ts'
import { createRequestTimes, type RequestTimes } from './rows/request-times.ts'
import { createRowIds, type RowIds } from './rows/row-ids.ts'
import { dropStrays } from './upkeep.ts'
import { EventWriter } from './write/event-writer.ts'
import { IngestKeys } from './write/ingest-keys.ts'
import { StagingTables } from './write/staging.ts'

export interface EventStore {
  datasets: Datasets
  writer: EventWriter
  keys: IngestKeys
  rowIds: RowIds
  requestTimes: RequestTimes
  staging: StagingTables
  /** Waits for what is under way; the engine stays open. */
  close(): Promise<void>
}

export interface EventStoreOptions {
  fieldsMax: number
  /** Nobody else writes to these tables, so what a crash left behind may be removed. */
  isAlone: boolean
  cluster?: Cluster
  clock?: () => number
}

export async function openEventStore(engine: Engine, records: Records, options: EventStoreOptions): Promise<EventStore> {
  const { cluster, fieldsMax, clock = Date.now } = options
  const tables = createEventTables(engine, cluster)
  const datasets = new Datasets({ records, tables, fieldsMax, clock })
  const keys = new IngestKeys(createIngestKeyTable(engine), clock)
  await claimEvents({ engine, records, tables, cluster })
  await tables.upgrade()
  if (options.isAlone) {
    await records.transaction(endLeases)
    await dropStrays(tables, records)
    await keys.settle(tables, new Set(await listTables(records.read)))
  }
  const writer = new EventWriter({
    tables,
    keys,
    saveFields: (table, fields) => records.transaction((db) => addFields(db, table, fields)),
  })
  // By the real clock, as all leases: tests drive the other one.
  const lease = await NodeLease.acquire({ records, clock: Date.now })
  return {
    datasets,
    writer,
    keys,
    rowIds: createRowIds(lease),
    requestTimes: createRequestTimes(lease),
    staging: new StagingTables({ tables, writer }),
    async close() {
      await writer.idle()
      await keys.close()
      await lease[Symbol.asyncDispose]()
    },
  }
}
