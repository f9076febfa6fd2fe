/**
 * The catalog as records: datasets and their fields. Every change raises the version of the catalog, so that each service reads
 * only the changes since its last read. Deliberately not here: the tables of events, and datasets in memory.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { sql } from 'kysely'
import { detachAnnotations } from '../annotations/detached-annotations.ts'
import { inStatements } from '../database/bulk.ts'
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { DATASET_CODEC, type DatasetSettings, SETTINGS_CODEC, type StoredDataset, type TableLayout } from '../schema/datasets.ts'
import { retireDataset } from '../tokens/token-records.ts'
import { readLayoutChanges } from './layout-records.ts'
import { retireReach } from './retired-reach.ts'

export type { DatasetSettings, StoredDataset, StoredVirtualField } from '../schema/datasets.ts'

const { fromRow, toRow } = DATASET_CODEC

/** The types of each field of a dataset, as bits, by the field's name. */
export type StoredFields = ReadonlyMap<string, number>

export interface NewFields {
  table: string
  fields: StoredFields
}

export interface CatalogChanges {
  /** Datasets that are new or changed. */
  datasets: StoredDataset[]
  /** Each row names the table of its dataset. */
  fields: { table: string; name: string; types: number }[]
  layouts: TableLayout[]
  /** The tables of removed datasets. */
  dropped: string[]
}

/** The settings of a dataset that was created without any. */
export const NEW_SETTINGS: Omit<DatasetSettings, 'description' | 'retentionDays'> = {
  kind: 'axiom:events:v1',
  edgeDeployment: '',
  mapFields: [],
  virtualFields: [],
  indexedFields: [],
  strictTime: false,
}

/** Computes the change from the stored dataset. If it throws, nothing is changed. */
export type DatasetChangeOf = (before: StoredDataset) => Partial<DatasetSettings>

/** Reads every change after the version `known`; -1 reads the whole catalog. */
export async function readCatalogChanges(db: RecordsDatabase, known: bigint): Promise<CatalogChanges> {
  // This order matters: a dataset that is removed and created again meanwhile is seen as removed first.
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
 * Reserves a name for a dataset whose table is not created yet.
 * @returns the dataset that has the name now, and whether its table exists
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
 * Records that the table of a dataset exists.
 * @param settings those of the service that created the table, which need not be the one that reserved the name
 * @returns whether this call opened the dataset; of two services that create the same one, only one gets true
 */
export async function openDataset(db: RecordsDatabase, table: string, settings: DatasetSettings): Promise<boolean> {
  const version = await raiseVersion(db, 'catalogue')
  const opened = await db
    .updateTable('datasets')
    .set({ ...SETTINGS_CODEC.toRow(settings), state: 'live', version })
    .where(({ and }) => and({ table_name: table, state: 'new' }))
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
  const after = toRow({ ...before, ...changeOf(before), updatedAtMs: Math.max(nowMs, before.updatedAtMs) })
  const changed = { ...after, version }
  await db.updateTable('datasets').set(changed).where('table_name', '=', table).execute()
}

/**
 * Removes a dataset and its fields, takes its name from annotations, tokens and what such tokens made, and records that its table is to
 * be dropped.
 * @returns whether there was such a dataset
 */
export async function removeDataset(db: RecordsDatabase, table: string, nowMs: number): Promise<boolean> {
  const version = await raiseVersion(db, 'catalogue')
  const gone = await db.deleteFrom('datasets').where('table_name', '=', table).returning('name').executeTakeFirst()
  if (!gone) return false
  await db
    .insertInto('dropped_tables')
    .values({ table_name: table, name: gone.name, dropped_at_ms: BigInt(nowMs), version })
    .execute()
  await db.deleteFrom('seen_versions').where('table_name', '=', table).execute()
  await retireDataset(db, gone.name)
  await retireReach(db, gone.name)
  await detachAnnotations(db, gone.name)
  return true
}

/**
 * Adds types to fields of datasets, which their tables identify. What several services learn at one moment is new for the first of them:
 * the others then neither wait for the one lock of the catalog nor have every service read it again.
 * @returns the tables whose datasets are there; the others were removed, and get no fields
 */
export async function addFields(db: RecordsDatabase, added: readonly NewFields[]): Promise<ReadonlySet<string>> {
  const tables = [...new Set(added.map(({ table }) => table))]
  const there = new Set(await findTables(db, 'datasets', tables))
  const present = added.filter(({ table }) => there.has(table))
  const missing = await findMissing(db, present)
  if (missing.length === 0) return there
  // A dataset that is removed from here on ends the transaction, which is then made again.
  const version = await raiseVersion(db, 'catalogue')
  await inStatements(missing, (some) =>
    db
      .insertInto('dataset_fields')
      .values(some.map((row) => ({ ...row, version })))
      .onConflict((conflict) =>
        conflict
          .columns(['table_name', 'name'])
          .doUpdateSet({ types: sql<bigint>`dataset_fields.types | excluded.types`, version }),
      )
      .execute(),
  )
  return there
}

/** Removes fields, for which the dataset has a place again. Their rows stay, so that every service learns of it. */
export async function removeFields(db: RecordsDatabase, table: string, names: readonly string[]): Promise<void> {
  const version = await raiseVersion(db, 'catalogue')
  await inStatements(names, async (some) => {
    const removed = db.updateTable('dataset_fields').set({ types: 0n, version })
    await removed.where('table_name', '=', table).where('name', 'in', some).execute()
    return []
  })
}

/** @returns what the records lack of it, each field once, because a statement may not change one row twice */
async function findMissing(db: RecordsDatabase, added: readonly NewFields[]) {
  const wanted = new Map<string, { table_name: string; name: string; types: bigint }>()
  for (const { table, fields } of added) {
    for (const [name, bits] of fields) {
      const types = BigInt(bits) | (wanted.get(`${table}/${name}`)?.types ?? 0n)
      wanted.set(`${table}/${name}`, { table_name: table, name, types })
    }
  }
  const known = await inStatements([...wanted.values()], (some) =>
    db
      .selectFrom('dataset_fields')
      .select(['table_name', 'name', 'types'])
      .where('table_name', 'in', [...new Set(some.map(({ table_name }) => table_name))])
      .where('name', 'in', [...new Set(some.map(({ name }) => name))])
      .execute(),
  )
  for (const { table_name, name, types } of known) {
    const key = `${table_name}/${name}`
    if (((wanted.get(key)?.types ?? 0n) & ~types) === 0n) wanted.delete(key)
  }
  return [...wanted.values()]
}

/** Lists the tables of all datasets, including those whose table is still being created. */
export async function listTables(db: RecordsDatabase): Promise<string[]> {
  return (await db.selectFrom('datasets').select('table_name').execute()).map(({ table_name }) => table_name)
}

/** @returns those of the tables that belong to datasets, or did to datasets which somebody removed */
export async function findTables(
  db: RecordsDatabase,
  of: 'datasets' | 'dropped_tables',
  tables: readonly string[],
): Promise<string[]> {
  const found = await inStatements(tables, (some) =>
    db.selectFrom(of).select('table_name').where('table_name', 'in', some).execute(),
  )
  return found.map(({ table_name }) => table_name)
}
