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

/** @returns the bytes on disk of each dataset, by its table; on a cluster those of one replica of each shard */
export async function measureDatasets({ engine, names }: { engine: Engine; names: TableNames }): Promise<Map<string, number>> {
  const sums = await engine.select<{ name: string; bytes: string }>(
    `SELECT table AS name, toString(sum(bytes_on_disk)) AS bytes FROM ${names.system('parts')}
      WHERE active AND database = currentDatabase() AND startsWith(table, 'events_') GROUP BY table`,
  )
  return new Map(sums.map(({ name, bytes }) => [name.replace(/_local$/, ''), Number(bytes)]))
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
