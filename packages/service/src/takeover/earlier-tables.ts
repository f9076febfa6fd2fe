/**
 * The tables in which earlier versions kept what the records keep now. Deliberately not here: what is in them.
 */
import type { Engine } from '../store/engine.ts'

const TAKEN_OVER = ['annotations', 'datasets', 'dataset_fields', 'monitors', 'deployments'] as const
/** Read, and still in use: the keys of new requests are kept there too. */
const IN_USE = 'ingest_keys'

/** @returns which of them are there: each version had more than the one before, and one that was killed at its first start fewer */
export async function listEarlierTables(engine: Engine): Promise<ReadonlySet<string>> {
  const rows = await engine.select<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN {tables:Array(String)}',
    { tables: [...TAKEN_OVER, IN_USE] },
  )
  return new Set(rows.map(({ name }) => name))
}

/** Whether any of them is there that nothing but an earlier version makes. */
export function hasEarlierTables(tables: ReadonlySet<string>): boolean {
  return TAKEN_OVER.some((table) => tables.has(table))
}

/** May be repeated. */
export async function dropEarlierTables(engine: Engine): Promise<void> {
  for (const table of TAKEN_OVER) await engine.run(`DROP TABLE IF EXISTS ${table} SYNC`)
}
