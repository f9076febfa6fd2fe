/**
 * Everything that an earlier version kept, written into the records: the inside of one transaction. It reads page by page while it
 * writes, because not all of it fits into memory; what it reads does not change, so the transaction may be run again.
 */
import { insertAnnotations } from '../records/annotation-records.ts'
import { inStatements } from '../records/bulk.ts'
import { addFields, openDataset, reserveDataset } from '../records/dataset-records.ts'
import { insertDeployments } from '../records/deployment-records.ts'
import { insertIntegration, lockIntegrations } from '../records/integration-records.ts'
import { insertMonitor } from '../records/monitor-records.ts'
import { setMark } from '../records/node-lease.ts'
import type { RecordsDatabase } from '../records/records.ts'
import { insertToken, lockTokens } from '../records/token-records.ts'
import type { Engine } from '../store/engine.ts'
import type { EventTables } from '../store/event-tables.ts'
import { readAnnotationRows } from './annotation-rows.ts'
import { readDatasetRows, readFieldRows } from './dataset-rows.ts'
import { readDeploymentRows } from './deployment-rows.ts'
import type { EarlierFiles } from './earlier-files.ts'
import { emptyOutbox, finishDeployment } from './half-done.ts'
import { type EarlierIngestRequest, readIngestKeyRows } from './ingest-key-rows.ts'
import type { EarlierIntegration } from './integration-file.ts'
import { readMonitorRows } from './monitor-rows.ts'

/** What an earlier version left. */
interface EarlierData {
  engine: Engine
  events: Pick<EventTables, 'list'>
  /** Which of its tables are there. */
  tables: ReadonlySet<string>
  files: EarlierFiles
}

/** How many there were of each kind, for the log. */
type Counts = Record<'annotations' | 'datasets' | 'monitors' | 'deployments' | 'tokens' | 'integrations', number>

/** Part of a transaction. */
export async function writeRecords(db: RecordsDatabase, { engine, events, tables, files }: EarlierData): Promise<Counts> {
  const { tokens, integrations } = files
  await writeFiles(db, files)
  const datasets = tables.has('datasets') ? await writeDatasets(db, engine) : 0
  if (tables.has('ingest_keys')) {
    for await (const page of readIngestKeyRows(engine, await events.list())) await writeIngestRequests(db, page)
  }
  let annotations = 0
  if (tables.has('annotations')) {
    for await (const page of readAnnotationRows(engine)) {
      await insertAnnotations(db, page)
      annotations += page.length
    }
  }
  // After the annotations, which they may change.
  const monitors = tables.has('monitors') ? await writeMonitors(db, engine) : 0
  const deployments = tables.has('deployments') ? await writeDeployments(db, engine, integrations) : 0
  return { annotations, datasets, monitors, deployments, tokens: tokens.length, integrations: integrations.length }
}

/** The number of a service that was alone is the first; where several shared a server, the others begin above the clock. */
const FIRST_NODE = 0

async function writeFiles(db: RecordsDatabase, { tokens, integrations, markMs }: EarlierFiles): Promise<void> {
  await lockTokens(db)
  for (const token of tokens) await insertToken(db, token)
  await lockIntegrations(db)
  for (const integration of integrations) await insertIntegration(db, integration)
  if (markMs !== undefined) await setMark(db, FIRST_NODE, markMs)
}

/** @throws Error where two have one name: services that shared a server without knowing of each other could make such */
async function writeDatasets(db: RecordsDatabase, engine: Engine): Promise<number> {
  const datasets = await readDatasetRows(engine)
  for (const dataset of datasets) {
    const { name, table } = dataset
    const reserved = await reserveDataset(db, dataset)
    if (reserved.dataset.table !== table) {
      throw new Error(
        `there are two datasets ${JSON.stringify(name)}, in the tables ${reserved.dataset.table} and ${table}: rename one of them in the table datasets, then start again`,
      )
    }
    await openDataset(db, table, dataset)
    const fields = await readFieldRows(engine, table)
    if (fields.size > 0) await addFields(db, table, fields)
  }
  return datasets.length
}

/** As they were, requests of an earlier version cannot be found by a time that only they have; they need not be: they are done. */
async function writeIngestRequests(db: RecordsDatabase, requests: readonly EarlierIngestRequest[]): Promise<void> {
  const rows = requests.map(({ key, payload, table, first, result, createdAtMs }) => ({
    id: key,
    key,
    payload,
    state: 'done',
    table_name: table,
    sys_time_ns: 0n,
    first_time_ns: BigInt(first?.timeNs ?? 0),
    last_time_ns: BigInt(first?.timeNs ?? 0),
    rows: 0n,
    result,
    holder: '',
    created_at_ms: BigInt(createdAtMs),
  }))
  for (const some of inStatements(rows)) await db.insertInto('ingest_requests').values(some).execute()
}

async function writeMonitors(db: RecordsDatabase, engine: Engine): Promise<number> {
  const monitors = await readMonitorRows(engine)
  for (const earlier of monitors) {
    await emptyOutbox(db, earlier)
    if (!earlier.removed) await insertMonitor(db, earlier.monitor)
  }
  return monitors.filter(({ removed }) => !removed).length
}

async function writeDeployments(
  db: RecordsDatabase,
  engine: Engine,
  integrations: readonly EarlierIntegration[],
): Promise<number> {
  const byId = new Map(integrations.map((integration) => [integration.id, integration]))
  const deployments = []
  for (const earlier of await readDeploymentRows(engine)) {
    deployments.push({ ...earlier, state: await finishDeployment(db, earlier, byId.get(earlier.integration)) })
  }
  await insertDeployments(db, deployments)
  return deployments.length
}
