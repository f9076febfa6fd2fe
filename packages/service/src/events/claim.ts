/**
 * Makes sure that the events and the records belong together before either is touched.
 */
import { randomBytes } from 'node:crypto'
import { listTables } from '../records/dataset-records.ts'
import type { Records } from '../records/records.ts'
import { ensureSetting } from '../records/settings-records.ts'
import type { Engine } from '../store/engine.ts'
import type { EventTables } from '../store/event-tables.ts'
import { readOwners, writeOwner } from '../store/owner.ts'
import type { Cluster } from '../store/schema/event-table.ts'

interface Claim {
  engine: Engine
  records: Records
  tables: EventTables
  cluster?: Cluster | undefined
}

/** @returns what names these records, made where there is none yet */
export function ensureRecordsId(records: Records): Promise<string> {
  return records.transaction((db) => ensureSetting(db, 'id', randomBytes(8).toString('hex')))
}

/** @throws Error when other records know about these events */
export async function claimEvents({ engine, records, tables, cluster }: Claim): Promise<void> {
  const id = await ensureRecordsId(records)
  const owners = await readOwners(engine)
  if (owners.includes(id)) return
  const known = new Set(await listTables(records.read))
  const strange = (await tables.list()).filter((table) => table.startsWith('events_') && !known.has(table))
  if (owners.length > 0 || strange.length > 0) {
    throw new Error(
      `the events there belong to other records than these (${strange.length} tables of events are not known here): give the records that they were made with, with --data or --records, or another database with --clickhouse`,
    )
  }
  await writeOwner(engine, id, cluster)
}
