/**
 * Everything about events that is kept, put together: datasets, their tables, the writer, ingest keys and row ids.
 */
import { join } from 'node:path'
import { createDatasetTable } from '../store/dataset-table.ts'
import { type DamagedTable, findDetachedParts, findMissingTables } from '../store/disk/damage.ts'
import type { DataDisk } from '../store/disk/data-disk.ts'
import type { Engine } from '../store/engine.ts'
import { createEventTables, type EventTables } from '../store/event-tables.ts'
import { createIngestKeyTable } from '../store/ingest-key-table.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { Datasets } from './datasets/datasets.ts'
import { createRowIds, NODE_MAX, type RowIds } from './rows/row-ids.ts'
import { EventWriter } from './write/event-writer.ts'
import { IngestKeys } from './write/ingest-keys.ts'
import { StagingTables } from './write/staging.ts'

export interface EventStore {
  datasets: Datasets
  writer: EventWriter
  keys: IngestKeys
  rowIds: RowIds
  staging: StagingTables
  /** Tables of datasets that there are, whose events are missing, all or some. */
  damagedTables(): readonly DamagedTable[]
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
  /** Of the embedded engine. */
  disk?: DataDisk | undefined
  cluster?: Cluster
  clock?: () => number
}

export async function openEventStore(engine: Engine, options: EventStoreOptions): Promise<EventStore> {
  const { node, cluster, fieldsMax, clock = Date.now } = options
  if (!Number.isInteger(node) || node < 0 || node > NODE_MAX)
    throw new Error(`the node must be a number from 0 to ${NODE_MAX}, got ${node}`)
  const store = createDatasetTable(engine)
  const { disk } = options
  const tables = disk ? disk.guard(createEventTables(engine), engine) : createEventTables(engine, cluster)
  const datasets = await Datasets.open({ store, tables, fieldsMax, clock })
  const keys = new IngestKeys(createIngestKeyTable(engine), clock)
  const damaged = disk ? await findDamage(engine, { datasets, tables, disk }) : []
  if (options.isAlone) {
    const missing = new Set(damaged.flatMap(({ table, isMissing }) => (isMissing ? table : [])))
    const known = new Set(datasets.list().flatMap(({ table }) => (missing.has(table) ? [] : table)))
    await dropStrays(tables, known)
    await keys.settle(tables, known)
  }
  disk?.keepDefinitions()
  const writer = new EventWriter({ tables, datasets: store, keys })
  return {
    datasets,
    writer,
    keys,
    rowIds: createRowIds(join(options.dataDir, 'row-id-mark'), node, clock),
    staging: new StagingTables({ tables, writer }),
    damagedTables: () => damaged.filter(({ dataset, table }) => datasets.find(dataset)?.table === table),
    async close() {
      await writer.idle()
      await keys.close()
    },
  }
}

/** Finds what is missing, and marks the datasets that have nothing left. */
async function findDamage(
  engine: Engine,
  { datasets, tables, disk }: { datasets: Datasets; tables: EventTables; disk: DataDisk },
): Promise<DamagedTable[]> {
  const known = datasets.list()
  const missing = findMissingTables(known, new Set(await tables.list()), (table) => disk.placeOf(table))
  for (const { dataset, path } of missing) datasets.get(dataset).damagedAt = path
  return [...missing, ...(await findDetachedParts(engine, known))]
}

/** Drops tables that belong to no dataset: what a crash between two statements left. */
async function dropStrays(tables: EventTables, known: ReadonlySet<string>): Promise<void> {
  for (const table of await tables.list()) if (!known.has(table)) await tables.drop(table)
}
