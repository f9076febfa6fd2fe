/**
 * What the tables of events take up in the engine, for figures and limits.
 */
import type { Engine } from './engine.ts'

export interface StoredSize {
  parts: number
  rows: number
  /** On disk. */
  bytes: number
}

/** @returns the sum over all tables, staging tables among them */
export async function measureTables(engine: Engine): Promise<StoredSize> {
  const [sums] = await engine.select<Record<keyof StoredSize, string>>(
    `SELECT count() AS parts, sum(rows) AS rows, sum(bytes_on_disk) AS bytes
      FROM system.parts WHERE active AND database = currentDatabase() AND match(table, '^(events|staging)_[a-z0-9]+$')`,
  )
  return { parts: Number(sums?.parts ?? 0), rows: Number(sums?.rows ?? 0), bytes: Number(sums?.bytes ?? 0) }
}
