/**
 * Whose events these are: a table without rows, whose name has the id of the records that know about the tables of events. Two
 * records over the same events would each take the other's tables for strays, so a service refuses to begin that way.
 */
import type { Engine } from '../engine/engine.ts'
import { type Cluster, onCluster } from '../schema/event-table.ts'

/** @returns the ids of all records that own these events: none, or one */
export async function readOwners(engine: Engine): Promise<string[]> {
  const tables = await engine.select<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^records_[0-9a-f]{16}$') ORDER BY name`,
  )
  return tables.map(({ name }) => name.slice('records_'.length))
}

/** @param id 16 hexadecimal digits */
export async function writeOwner(engine: Engine, id: string, cluster?: Cluster): Promise<void> {
  if (!/^[0-9a-f]{16}$/.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of records`)
  await engine.run(`CREATE TABLE IF NOT EXISTS records_${id} ${onCluster(cluster)} (id UInt8) ENGINE = MergeTree ORDER BY id`)
}
