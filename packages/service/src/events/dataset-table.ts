/**
 * Datasets and their fields on disk: the tables `datasets` and `dataset_fields`, and the table of events of each dataset.
 * Statements are fixed texts; what varies is bound.
 */
import type { Engine } from '../store/engine.ts'
import { type Cluster, createEventTable, dropEventTable, setRetention } from '../store/schema/event-table.ts'
import type { Dataset } from './dataset.ts'
import { FieldTree } from './field-tree.ts'

export interface DatasetTable {
  /** All datasets with their fields. */
  load(fieldsMax: number): Promise<Dataset[]>
  create(dataset: Dataset): Promise<void>
  /** Writes description and retention as they are now. */
  change(dataset: Dataset, retentionChanged: boolean): Promise<void>
  remove(dataset: Dataset): Promise<void>
  saveFields(table: string, fields: ReadonlyMap<string, number>): Promise<void>
  /** Removes events older than `beforeNs`. */
  trim(table: string, beforeNs: bigint): Promise<void>
  /** Drops event tables that belong to no dataset: what a crash between two statements left. */
  dropStrays(datasets: readonly Dataset[]): Promise<void>
}

interface DatasetRow {
  name: string
  table_name: string
  description: string
  created_at: string
  updated_at: string
  created_by: string
  retention_days: number
}

export function createDatasetTable(engine: Engine, cluster?: Cluster): DatasetTable {
  const runAll = async (statements: readonly string[]) => {
    for (const statement of statements) await engine.run(statement)
  }
  const patch = `SETTINGS lightweight_delete_mode = 'lightweight_update'`
  return {
    async load(fieldsMax) {
      const rows = await engine.select<DatasetRow>(
        `SELECT name, table_name, description, toString(created_at_ms) AS created_at, toString(updated_at_ms) AS updated_at, created_by, retention_days
FROM datasets ORDER BY name`,
      )
      const datasets = new Map(rows.map((row) => [row.table_name, fromRow(row, fieldsMax)]))
      const fields = await engine.select<{ table_name: string; name: string; types: number }>(
        'SELECT table_name, name, groupBitOr(types) AS types FROM dataset_fields GROUP BY table_name, name',
      )
      for (const { table_name, name, types } of fields) datasets.get(table_name)?.fields.load(name, types)
      return [...datasets.values()]
    },

    async create(dataset) {
      await runAll(createEventTable(dataset.table, cluster))
      if (dataset.retentionDays > 0) await engine.run(setRetention(dataset.table, dataset.retentionDays, cluster))
      await engine.insert('datasets', [
        {
          name: dataset.name,
          table_name: dataset.table,
          description: dataset.description,
          created_at_ms: String(dataset.createdAtMs),
          updated_at_ms: String(dataset.updatedAtMs),
          created_by: dataset.createdBy,
          retention_days: dataset.retentionDays,
        },
      ])
    },

    async change(dataset, retentionChanged) {
      if (retentionChanged) await engine.run(setRetention(dataset.table, dataset.retentionDays, cluster))
      await engine.run(
        `UPDATE datasets SET description = {description:String}, retention_days = {retention:UInt32}, updated_at_ms = {updated:Int64} WHERE table_name = {table:String}`,
        {
          description: dataset.description,
          retention: dataset.retentionDays,
          updated: String(dataset.updatedAtMs),
          table: dataset.table,
        },
      )
    },

    async remove(dataset) {
      // Once the row is gone, so is the dataset; a crash after it leaves a stray table for the next start.
      await engine.run(`DELETE FROM datasets WHERE table_name = {table:String} ${patch}`, { table: dataset.table })
      await engine.run(`DELETE FROM dataset_fields WHERE table_name = {table:String} ${patch}`, { table: dataset.table })
      await runAll(dropEventTable(dataset.table, cluster))
    },

    async saveFields(table, fields) {
      const rows = [...fields].map(([name, types]) => ({ table_name: table, name, types }))
      await engine.insert('dataset_fields', rows)
    },

    trim: (table, beforeNs) =>
      engine.run(`DELETE FROM {table:Identifier} WHERE _time < fromUnixTimestamp64Nano({before:Int64}, 'UTC')`, {
        table,
        before: String(beforeNs),
      }),

    async dropStrays(datasets) {
      const known = new Set(datasets.map(({ table }) => table))
      const tables = await engine.select<{ name: string }>(
        `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^(events|staging)_[a-z0-9]+$')`,
      )
      for (const { name } of tables) if (!known.has(name)) await runAll(dropEventTable(name, cluster))
    },
  }
}

function fromRow(row: DatasetRow, fieldsMax: number): Dataset {
  return {
    name: row.name,
    table: row.table_name,
    description: row.description,
    createdAtMs: Number(row.created_at),
    updatedAtMs: Number(row.updated_at),
    createdBy: row.created_by,
    retentionDays: row.retention_days,
    fields: new FieldTree(fieldsMax),
    unsaved: new Map(),
    state: 'live',
  }
}
