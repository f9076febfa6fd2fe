/**
 * Everything about events that is kept, put together: datasets, their tables, the writer, ingest keys and row ids.
 */
import { join } from 'node:path'
import type { Engine } from '../store/engine.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { createDatasetTable } from './dataset-table.ts'
import { type Datasets, openDatasets } from './datasets.ts'
import { createEventWriter, type EventWriter } from './event-writer.ts'
import { createIngestKeys, type IngestKeys } from './ingest-keys.ts'
import { createRowIds, NODE_MAX, type RowIds } from './row-ids.ts'
import { createStagingRoom, type StagingRoom } from './staging.ts'

export interface EventStore {
  datasets: Datasets
  writer: EventWriter
  keys: IngestKeys
  rowIds: RowIds
  staging: StagingRoom
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

/** Inserts under way at a time. The engine uses all cores for one; more only pays with idle ones. */
const WRITERS = 1

export async function openEventStore(engine: Engine, options: EventStoreOptions): Promise<EventStore> {
  const { node, cluster, clock = Date.now } = options
  if (!Number.isInteger(node) || node < 0 || node > NODE_MAX)
    throw new Error(`the node must be a number from 0 to ${NODE_MAX}, got ${node}`)
  const table = createDatasetTable(engine, cluster)
  const datasets = await openDatasets(table, { fieldsMax: options.fieldsMax, clock })
  if (options.isAlone) await table.dropStrays(datasets.list())
  const keys = createIngestKeys(engine, clock)
  if (options.isAlone) await keys.settle(datasets.list())
  const writer = createEventWriter(engine, table, WRITERS)
  return {
    datasets,
    writer,
    keys,
    rowIds: createRowIds(join(options.dataDir, 'row-id-mark'), node, clock),
    staging: createStagingRoom(engine, writer, cluster),
    async close() {
      await writer.drained()
      await keys.close()
    },
  }
}
