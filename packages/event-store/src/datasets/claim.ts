/**
 * Checks that the events and the records belong together before either is changed, and that an import changes no existing data.
 */
import { randomBytes } from 'node:crypto'
import { listFilled } from '@deployment-annotations/records/database/all-records'
import type { Records } from '@deployment-annotations/records/database/records'
import { ensureSetting, readSetting } from '@deployment-annotations/records/database/settings-records'
import { listTables } from '@deployment-annotations/records/datasets/dataset-records'
import type { EventTables } from '../tables/event-tables.ts'
import { readOwners, requireKnownVersion, writeOwner } from '../tables/ownership.ts'

interface Claim {
  records: Records
  tables: EventTables
}

/** @returns the id of these records, which is created if there is none yet */
function ensureRecordsId(records: Records): Promise<string> {
  return records.transaction((db) => ensureSetting(db, 'id', randomBytes(8).toString('hex')))
}

/** @throws Error if the events belong to other records, or some of them are not here */
export async function claimEvents({ records, tables }: Claim): Promise<void> {
  if ((await readSetting(records.read, 'importing')) !== undefined) {
    throw new Error('an import into these records is not done: run annotation-service import again, with the same --from')
  }
  await requireKnownVersion(tables.engine)
  const id = await ensureRecordsId(records)
  const owners = await readOwners(tables.engine)
  if (owners.includes(id)) return
  const known = new Set(await listTables(records.read))
  const strange = (await tables.list()).filter((table) => table.startsWith('events_') && !known.has(table))
  if (owners.length > 0 || strange.length > 0) {
    throw new Error(
      `the events there belong to other records than these (${strange.length} tables of events are not known here): give the records that they were made with, with --data or --postgres, or another database with --clickhouse; if they were lost or damaged, restore them from a backup, or run annotation-service fsck --rebuild-catalog`,
    )
  }
  await writeOwner(tables.engine, tables.names, id)
}

/**
 * Does the same for an import, whose place must be empty or already claimed by the same import.
 * @param from the id of the export
 * @returns whether the import was finished before
 * @throws Error if there is any other data
 */
export async function claimForImport({ records, tables }: Claim, from: string): Promise<'finished' | 'claimed'> {
  const imported = await readSetting(records.read, 'imported')
  const importing = await readSetting(records.read, 'importing')
  if (imported === from && importing === undefined) return 'finished'
  if (importing !== from) await requireEmpty({ records, tables }, importing)
  const taken = await records.transaction((db) => ensureSetting(db, 'importing', from))
  if (taken !== from) throw new Error('another import into these records has begun at this moment')
  const id = await ensureRecordsId(records)
  await writeOwner(tables.engine, tables.names, id)
  return 'claimed'
}

async function requireEmpty({ records, tables }: Claim, importing: string | undefined): Promise<void> {
  if (importing !== undefined) {
    throw new Error('an import of another export into these records is not done: finish that one, or begin with an empty place')
  }
  const filled = await listFilled(records)
  const eventTables = (await tables.list()).length
  const found = [
    ...(filled.length > 0 ? [`records (${filled.join(', ')})`] : []),
    ...(eventTables > 0 ? [`${eventTables} tables of events`] : []),
    ...((await readOwners(tables.engine)).length > 0 ? ['events of other records'] : []),
  ]
  if (found.length > 0)
    throw new Error(`an import needs an empty place, and there are ${found.join(' and ')}; nothing was changed there`)
}
