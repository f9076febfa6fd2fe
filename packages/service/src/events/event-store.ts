/**
 * Everything about events that is kept, put together: datasets, their tables, the writer, ingest keys and row ids.
 */
import { join } from 'node:path'
import { addFields, listTables } from '../records/dataset-records.ts'
import type { Records } from '../records/records.ts'
import type { Engine } from '../store/engine.ts'
import { createEventTables } from '../store/event-tables.ts'
import { createIngestKeyTable } from '../store/ingest-key-table.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { claimEvents } from './claim.ts'
import { Datasets } from './datasets/datasets.ts'
import { createRowIds, NODE_MAX, type RowIds } from './rows/row-ids.ts'
import { dropStrays } from './upkeep.ts'
import { EventWriter } from './write/event-writer.ts'
import { IngestKeys } from './write/ingest-keys.ts'
import { StagingTables } from './write/staging.ts'

export interface EventStore {
  datasets: Datasets
  writer: EventWriter
  keys: IngestKeys
  rowIds: RowIds
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

export async function openEventStore(engine: Engine, records: Records, options: EventStoreOptions): Promise<EventStore> {
  const { node, cluster, fieldsMax, clock = Date.now } = options
  if (!Number.isInteger(node) || node < 0 || node > NODE_MAX)
    throw new Error(`the node must be a number from 0 to ${NODE_MAX}, got ${node}`)
  const tables = createEventTables(engine, cluster)
  const datasets = new Datasets({ records, tables, fieldsMax, clock })
  const keys = new IngestKeys(createIngestKeyTable(engine), clock)
  await claimEvents({ engine, records, tables, cluster })
  await tables.upgrade()
  if (options.isAlone) {
    await dropStrays(tables, records)
    await keys.settle(tables, new Set(await listTables(records.read)))
  }
  const writer = new EventWriter({
    tables,
    keys,
    saveFields: (table, fields) => records.transaction((db) => addFields(db, table, fields)),
  })
  return {
    datasets,
    writer,
    keys,
    rowIds: createRowIds(join(options.dataDir, 'row-id-mark'), node, clock),
    staging: new StagingTables({ tables, writer }),
    async close() {
      await writer.idle()
      await keys.close()
    },
  }
}
