/**
 * The catalogue of datasets over the tables `datasets` and `dataset_fields`. Statements are fixed texts; what varies is bound.
 */
import type { DatasetStore, StoredDataset } from './dataset-store.ts'
import type { Engine, Row } from './engine.ts'

interface DatasetRow {
  name: string
  table_name: string
  description: string
  created_at: string
  updated_at: string
  created_by: string
  retention_days: number
}

const AS_PATCH = `SETTINGS lightweight_delete_mode = 'lightweight_update'`

export function createDatasetTable(engine: Engine): DatasetStore {
  return {
    async load() {
      const rows = await engine.select<DatasetRow>(
        `SELECT name, table_name, description, toString(created_at_ms) AS created_at, toString(updated_at_ms) AS updated_at, created_by, retention_days
FROM datasets ORDER BY name`,
      )
      const found = new Map(rows.map((row) => [row.table_name, { dataset: fromRow(row), fields: new Map<string, number>() }]))
      const fields = await engine.select<{ table_name: string; name: string; types: number }>(
        'SELECT table_name, name, groupBitOr(types) AS types FROM dataset_fields GROUP BY table_name, name',
      )
      for (const { table_name, name, types } of fields) found.get(table_name)?.fields.set(name, types)
      return [...found.values()]
    },

    create: (dataset) => engine.insert('datasets', [toRow(dataset)]),

    change: ({ table, description, retentionDays, updatedAtMs }) =>
      engine.run(
        `UPDATE datasets SET description = {description:String}, retention_days = {retention:UInt32}, updated_at_ms = {updated:Int64} WHERE table_name = {table:String}`,
        { description, retention: retentionDays, updated: String(updatedAtMs), table },
      ),

    async remove(table) {
      await engine.run(`DELETE FROM datasets WHERE table_name = {table:String} ${AS_PATCH}`, { table })
      await engine.run(`DELETE FROM dataset_fields WHERE table_name = {table:String} ${AS_PATCH}`, { table })
    },

    async addFields(table, fields) {
      const rows = [...fields].map(([name, types]) => ({ table_name: table, name, types }))
      await engine.insert('dataset_fields', rows)
    },
  }
}

function toRow(dataset: StoredDataset): Row {
  return {
    name: dataset.name,
    table_name: dataset.table,
    description: dataset.description,
    created_at_ms: String(dataset.createdAtMs),
    updated_at_ms: String(dataset.updatedAtMs),
    created_by: dataset.createdBy,
    retention_days: dataset.retentionDays,
  }
}

function fromRow(row: DatasetRow): StoredDataset {
  return {
    name: row.name,
    table: row.table_name,
    description: row.description,
    createdAtMs: Number(row.created_at),
    updatedAtMs: Number(row.updated_at),
    createdBy: row.created_by,
    retentionDays: row.retention_days,
  }
}
