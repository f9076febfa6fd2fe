/**
 * What of the events is not there though it was acknowledged, as far as it can be seen when the store opens: tables that the
 * engine does not have, and parts of tables that it found broken and detached.
 * Deliberately not here: parts that the engine drops without a word.
 */
import type { Engine } from '../engine/engine.ts'

/** A table whose events are missing, all of them or some. */
export interface DamagedTable {
  table: string
  dataset: string
  /** Where the files are that cannot be used. */
  path: string
  /** Whether nothing of the dataset can be read or written. */
  isMissing: boolean
}

/** The engine's words for parts with damage; the others are left-overs of work that was done again. */
const DAMAGE = `('broken', 'broken-on-start', 'unexpected')`

/** @returns where a broken part is, by the table that it belongs to */
export async function findDetachedParts(engine: Engine): Promise<Map<string, string>> {
  const rows = await engine.select<{ name: string; path: string }>(
    `SELECT table AS name, min(path) AS path FROM system.detached_parts WHERE database = currentDatabase() AND reason IN ${DAMAGE} GROUP BY table`,
  )
  return new Map(rows.map(({ name, path }) => [name, path]))
}
