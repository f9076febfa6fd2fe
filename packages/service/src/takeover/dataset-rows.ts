/**
 * Datasets and their fields as earlier versions kept them, in the events' database. Only read: they are taken over into the
 * records. The events themselves stay where they are.
 */
import { NEW_SETTINGS, type StoredDataset } from '../records/dataset-records.ts'
import type { Engine } from '../store/engine.ts'

interface DatasetRow {
  name: string
  table_name: string
  description: string
  created_at: string
  updated_at: string
  created_by: string
  retention_days: number
}

export async function readDatasetRows(engine: Engine): Promise<StoredDataset[]> {
  const rows = await engine.select<DatasetRow>(
    `SELECT name, table_name, description, toString(created_at_ms) AS created_at, toString(updated_at_ms) AS updated_at,
created_by, retention_days
FROM datasets ORDER BY created_at_ms, name, table_name`,
  )
  return rows.map((row) => ({
    name: row.name,
    table: row.table_name,
    description: row.description,
    createdAtMs: Number(row.created_at),
    updatedAtMs: Number(row.updated_at),
    createdBy: row.created_by,
    retentionDays: row.retention_days,
    ...NEW_SETTINGS,
  }))
}

/** @returns the types of each field of the table of a dataset, as bits */
export async function readFieldRows(engine: Engine, table: string): Promise<Map<string, number>> {
  const rows = await engine.select<{ name: string; types: number }>(
    'SELECT name, groupBitOr(types) AS types FROM dataset_fields WHERE table_name = {table:String} GROUP BY name ORDER BY name',
    { table },
  )
  return new Map(rows.map(({ name, types }) => [name, types]))
}
