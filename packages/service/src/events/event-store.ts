/**
 * Everything about events that is kept, put together: datasets, their tables, the writer, ingest keys, and what makes ids
 * of rows and times of requests.
 */
import { join } from 'node:path'
import { createDatasetTable } from '../store/dataset-table.ts'
import type { Engine } from '../store/engine.ts'
import { createEventTables, type EventTables } from '../store/event-tables.ts'
import { createIngestKeyTable } from '../store/ingest-key-table.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { Datasets } from './datasets/datasets.ts'
import { createRequestTimes, type RequestTimes } from './rows/request-times.ts'
import { NODE_MAX, openRowIdFile } from './rows/row-id-file.ts'
import { createRowIds, type RowIds } from './rows/row-ids.ts'
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
  /** Where the mark of row ids is kept. */
  dataDir: string
  /** This service node among those that share the tables, 0 to 1023. */
  node: number
  fieldsMax: number
  /** Nobody else writes to these tables, so what a crash left behind may be removed. */
  isAlone: boolean
  cluster?: Cluster
  clock?: () => number
}

export async function openEventStore(engine: Engine, options: EventStoreOptions): Promise<EventStore> {
  const { node, cluster, fieldsMax, clock = Date.now } = options
  if (!Number.isInteger(node) || node < 0 || node > NODE_MAX)
    throw new Error(`the node must be a number from 0 to ${NODE_MAX}, got ${node}`)
  const store = createDatasetTable(engine)
  const tables = createEventTables(engine, cluster)
  const datasets = await Datasets.open({ store, tables, fieldsMax, clock })
  const keys = new IngestKeys(createIngestKeyTable(engine), clock)
  if (options.isAlone) {
    const known = new Set(datasets.list().map(({ table }) => table))
    await dropStrays(tables, known)
    await keys.settle(tables, known)
  }
  const writer = new EventWriter({ tables, datasets: store, keys })
  const lease = openRowIdFile(join(options.dataDir, 'row-id-mark'), node)
  return {
    datasets,
    writer,
    keys,
    // By the real clock, which is the one that the lease goes by.
    rowIds: createRowIds(lease),
    requestTimes: createRequestTimes(lease),
    staging: new StagingTables({ tables, writer }),
    async close() {
      await writer.idle()
      await keys.close()
      lease[Symbol.dispose]()
    },
  }
}

/** Drops tables that belong to no dataset: what a crash between two statements left. */
async function dropStrays(tables: EventTables, known: ReadonlySet<string>): Promise<void> {
  for (const table of await tables.list()) if (!known.has(table)) await tables.drop(table)
}
