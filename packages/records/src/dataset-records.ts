/**
 * The catalogue as records: datasets and their fields. Every change of it has a version, so that each service reads only what
 * changed since it last looked. Deliberately not here: the tables that hold events, and what a dataset is in memory.
 */
import type { DatasetKind } from '@deployment-annotations/contract/dataset'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { sql } from 'kysely'
import { inStatements } from './bulk.ts'
import { readLayoutChanges, type StoredLayout } from './layout-records.ts'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'
import { raiseVersion } from './versions.ts'

export interface StoredDataset {
  name: string
  /** Table of its events. */
  table: string
  description: string
  createdAtMs: number
  updatedAtMs: number
  /** Id of the token that made it. */
  createdBy: string
  /** 0: forever. */
  retentionDays: number
  kind: DatasetKind
  /** As it was given; empty where none was. */
  edgeDeployment: string
  /** Names of fields whose objects are kept as one field each. */
  mapFields: readonly string[]
  virtualFields: readonly StoredVirtualField[]
}

/** A field that is computed when it is asked for. */
export interface StoredVirtualField {
  id: string
  name: string
  /** In the query language. */
  expression: string
  /** These three are only kept and shown; empty where they were not given. */
  description: string
  type: string
  unit: string
}

/** The types of each field of a dataset, as bits, by the field's name. */
export type StoredFields = ReadonlyMap<string, number>

/** What changed in the catalogue. */
interface CatalogueChanges {
  /** Datasets that are there, new or changed. */
  datasets: StoredDataset[]
  /** By table. */
  fields: { table: string; name: string; types: number }[]
  /** By table, as fields are. */
  layouts: (StoredLayout & { table: string })[]
  /** Tables of datasets that are gone. */
  dropped: string[]
}

/** What a person sets of a dataset. */
export type DatasetSettings = Pick<
  StoredDataset,
  'description' | 'retentionDays' | 'kind' | 'edgeDeployment' | 'mapFields' | 'virtualFields'
>

/** Of a dataset that nobody has said anything about. */
export const NEW_SETTINGS: Pick<DatasetSettings, 'kind' | 'edgeDeployment' | 'mapFields' | 'virtualFields'> = {
  kind: 'axiom:events:v1',
  edgeDeployment: '',
  mapFields: [],
  virtualFields: [],
}

/** @returns what to change, given what is there; may throw, and then nothing is changed */
export type DatasetChangeOf = (before: StoredDataset) => Partial<DatasetSettings>

/** Everything that changed in versions after `known`; all there is for -1. */
export async function readCatalogueChanges(db: RecordsDatabase, known: bigint): Promise<CatalogueChanges> {
  // In this order: a dataset that is removed and made again meanwhile is then seen as removed first.
  const dropped = await db.selectFrom('dropped_tables').select('table_name').where('version', '>', known).execute()
  const datasets = await db.selectFrom('datasets').selectAll().where('version', '>', known).where('state', '=', 'live').execute()
  const fields = await db
    .selectFrom('dataset_fields')
    .select(['table_name', 'name', 'types'])
    .where('version', '>', known)
    .execute()
  return {
    dropped: dropped.map(({ table_name }) => table_name),
    datasets: datasets.map(fromRow),
    fields: fields.map(({ table_name, name, types }) => ({ table: table_name, name, types: Number(types) })),
    layouts: await readLayoutChanges(db, known),
  }
}

/**
 * Takes a name for a dataset whose table is to be made.
 * @returns who has the name now, and whether it is made already
 */
export async function reserveDataset(
  db: RecordsDatabase,
  dataset: StoredDataset,
): Promise<{ dataset: StoredDataset; isLive: boolean }> {
  const version = await raiseVersion(db, 'catalogue')
  await db
    .insertInto('datasets')
    .values({ ...toRow(dataset), state: 'new', version })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await db.selectFrom('datasets').selectAll().where('name', '=', dataset.name).executeTakeFirstOrThrow()
  return { dataset: fromRow(row), isLive: row.state === 'live' }
}

/**
 * Says that the table of a dataset is there.
 * @param settings of the service that makes it, which may be another than who took the name
 * @returns whether this was what made it: of two who make the same one, one is told so
 */
export async function openDataset(db: RecordsDatabase, table: string, settings: DatasetSettings): Promise<boolean> {
  const version = await raiseVersion(db, 'catalogue')
  const opened = await db
    .updateTable('datasets')
    .set({ ...toSettings(settings), state: 'live', version })
    .where('table_name', '=', table)
    .where('state', '=', 'new')
    .returning('table_name')
    .executeTakeFirst()
  return opened !== undefined
}

/** @throws ServiceError `not_found` */
export async function changeDataset(db: RecordsDatabase, table: string, changeOf: DatasetChangeOf, nowMs: number): Promise<void> {
  const version = await raiseVersion(db, 'catalogue')
  const row = await db.selectFrom('datasets').selectAll().where('table_name', '=', table).forUpdate().executeTakeFirst()
  if (!row) throw new ServiceError('not_found', 'the dataset was not found: it was deleted')
  const before = fromRow(row)
  const after = { ...before, ...changeOf(before), updatedAtMs: Math.max(nowMs, before.updatedAtMs) }
  await db
    .updateTable('datasets')
    .set({ ...toRow(after), version })
    .where('table_name', '=', table)
    .execute()
}

/** Removes a dataset and its fields; its table is noted as one to be dropped. @returns whether it was there */
export async function removeDataset(db: RecordsDatabase, table: string, nowMs: number): Promise<boolean> {
  const version = await raiseVersion(db, 'catalogue')
  const gone = await db.deleteFrom('datasets').where('table_name', '=', table).returning('name').executeTakeFirst()
  if (!gone) return false
  await db
    .insertInto('dropped_tables')
    .values({ table_name: table, name: gone.name, dropped_at_ms: BigInt(nowMs), version })
    .execute()
  return true
}

/** Adds types to fields. @throws ServiceError `not_found` where the dataset is gone */
export async function addFields(db: RecordsDatabase, table: string, fields: StoredFields): Promise<void> {
  const version = await raiseVersion(db, 'catalogue')
  const dataset = await db.selectFrom('datasets').select('name').where('table_name', '=', table).executeTakeFirst()
  if (!dataset) throw new ServiceError('not_found', 'the dataset was not found: it was deleted')
  const rows = [...fields].map(([name, types]) => ({ table_name: table, name, types: BigInt(types), version }))
  for (const some of inStatements(rows)) {
    await db
      .insertInto('dataset_fields')
      .values(some)
      .onConflict((conflict) =>
        conflict
          .columns(['table_name', 'name'])
          .doUpdateSet({ types: sql<bigint>`dataset_fields.types | excluded.types`, version }),
      )
      .execute()
  }
}

/** Names and tables that somebody began to make, or that are there. */
export async function listTables(db: RecordsDatabase): Promise<string[]> {
  return (await db.selectFrom('datasets').select('table_name').execute()).map(({ table_name }) => table_name)
}

function toRow(dataset: StoredDataset) {
  return {
    table_name: dataset.table,
    name: dataset.name,
    created_at_ms: BigInt(dataset.createdAtMs),
    updated_at_ms: BigInt(dataset.updatedAtMs),
    created_by: dataset.createdBy,
    ...toSettings(dataset),
  }
}

function toSettings({ description, retentionDays, kind, edgeDeployment, mapFields, virtualFields }: DatasetSettings) {
  return {
    description,
    retention_days: BigInt(retentionDays),
    kind,
    edge_deployment: edgeDeployment,
    map_fields: JSON.stringify(mapFields),
    virtual_fields: JSON.stringify(virtualFields),
  }
}

function fromRow(row: Tables['datasets']): StoredDataset {
  return {
    name: row.name,
    table: row.table_name,
    description: row.description,
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
    createdBy: row.created_by,
    retentionDays: Number(row.retention_days),
    kind: row.kind as DatasetKind,
    edgeDeployment: row.edge_deployment,
    mapFields: JSON.parse(row.map_fields) as string[],
    virtualFields: JSON.parse(row.virtual_fields) as StoredVirtualField[],
  }
}
