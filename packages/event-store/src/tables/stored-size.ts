/**
 * Measures the room that the tables of events take up in the engine, for metrics and limits.
 */
import type { Statement } from '@deployment-annotations/apl/sql/plan'
import type { Engine } from '../engine/engine.ts'
import type { TableNames } from '../schema/event-table.ts'

export interface StoredSize {
  parts: number
  rows: number
  /** The bytes on disk. */
  bytes: number
}

/** What the engine knows of the parts of a table. */
export interface TableSize extends StoredSize {
  /** Rows in parts that have no index yet. */
  rowsUnindexed: number
  /** How long ago its parts last changed. */
  quietSeconds: number
  /** Whether removed rows still take up room. */
  hasDeleted: boolean
  /** Whether columns or indexes are being built, or rows deleted. */
  isBusy: boolean
}

interface MeasuredTables {
  engine: Engine
  names: TableNames
}

/** @returns the size of each table that has parts, also of staging tables; on a cluster that of one replica of each shard */
export async function measureTables({ engine, names }: MeasuredTables): Promise<Map<string, TableSize>> {
  const found = await engine.select<TableSize & { name: string }>(
    `SELECT table AS name, toFloat64(count()) AS parts, toFloat64(sum(part.rows)) AS rows, toFloat64(sum(bytes_on_disk)) AS bytes,
  toFloat64(sumIf(part.rows, secondary_indices_compressed_bytes = 0)) AS rowsUnindexed,
  toInt32(now() - max(modification_time)) AS quietSeconds, max(has_lightweight_delete) AS hasDeleted,
  max(table IN (SELECT table FROM system.mutations WHERE database = currentDatabase() AND NOT is_done)) AS isBusy
FROM ${names.system('parts')} AS part
WHERE active AND database = currentDatabase() AND match(table, '^(events|staging)_[a-z0-9]+(_local)?$') GROUP BY table`,
  )
  return new Map(found.map(({ name, ...size }) => [name.replace(/_local$/, ''), size]))
}

/** @returns the bytes on disk of each dataset, by its table */
export async function measureDatasets(tables: MeasuredTables): Promise<Map<string, number>> {
  const sizes = [...(await measureTables(tables))].filter(([table]) => table.startsWith('events_'))
  return new Map(sizes.map(([table, { bytes }]) => [table, bytes]))
}

/**
 * @returns a statement of one row: the number of rows of a table, the oldest and the newest time, the bytes before and after
 *   compression
 */
export function sizeOf(table: string): Statement {
  // These are the parts on this server; the distributed table of a cluster has none.
  const bytes = (column: string) =>
    `(SELECT sum(${column}) FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String})`
  return {
    sql: `SELECT count(), min(_time), max(_time), ${bytes('data_uncompressed_bytes')}, ${bytes('bytes_on_disk')} FROM ${table}`,
    params: { table },
  }
}
