/**
 * Everything about events that is kept, put together: datasets, their tables, the writer, ingest keys, and what makes ids
 * of rows and times of requests.
 */
import { addFields } from '../records/dataset-records.ts'
import { endLeases } from '../records/leases.ts'
import { NodeLease } from '../records/node-lease.ts'
import type { Records } from '../records/records.ts'
import type { Engine } from '../store/engine.ts'
import { createEventTables, type EventTables } from '../store/event-tables.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { claimEvents } from './claim.ts'
import { Datasets } from './datasets/datasets.ts'
import { createRequestTimes, type RequestTimes } from './rows/request-times.ts'
import { createRowIds, type RowIds } from './rows/row-ids.ts'
import { dropStrays } from './upkeep.ts'
import { EventWriter } from './write/event-writer.ts'
import { IngestRequests } from './write/ingest-requests.ts'
import { StagingTables } from './write/staging.ts'

export interface EventStore {
  datasets: Datasets
  writer: EventWriter
  requests: IngestRequests
  tables: EventTables
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
  await claimEvents({ engine, records, tables, cluster })
  await tables.upgrade()
  if (options.isAlone) await records.transaction(endLeases)
  // By the real clock, as all leases: tests drive the other one.
  const lease = await NodeLease.acquire({ records, clock: Date.now })
  const requests = new IngestRequests({ records, tables, holder: () => lease.holder, clock })
  if (options.isAlone) {
    await requests.upkeep()
    await dropStrays(tables, records)
  }
  const writer = new EventWriter({
    tables,
    saveFields: (table, fields) => records.transaction((db) => addFields(db, table, fields)),
  })
  return {
    datasets,
    writer,
    requests,
    tables,
    rowIds: createRowIds(lease),
    requestTimes: createRequestTimes(lease),
    staging: new StagingTables({ tables, writer }),
    async close() {
      await writer.idle()
      await lease[Symbol.asyncDispose]()
    },
  }
}
