/**
 * The tables in which earlier versions kept what the records keep now. Deliberately not here: what is in them.
 */
import type { Engine } from '../store/engine.ts'

const TABLES = ['annotations', 'datasets', 'dataset_fields', 'ingest_keys', 'monitors', 'deployments'] as const

/** @returns which of them are there: each version had more than the one before, and one that was killed at its first start fewer */
export async function listEarlierTables(engine: Engine): Promise<ReadonlySet<string>> {
  const rows = await engine.select<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN {tables:Array(String)}',
    { tables: TABLES },
  )
  return new Set(rows.map(({ name }) => name))
}

/** May be repeated. */
export async function dropEarlierTables(engine: Engine): Promise<void> {
  for (const table of TABLES) await engine.run(`DROP TABLE IF EXISTS ${table} SYNC`)
}
