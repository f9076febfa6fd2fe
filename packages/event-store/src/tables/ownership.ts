/**
 * Records the owner of the tables of events, and the version of the program that wrote them.
 * - A table without rows has the id of the owning records in its name. Two sets of records over the same events would each drop the
 *   other's tables as strays, so a service refuses to start that way.
 * - The table `schema_versions` has the version of the tables. A program that knows only earlier versions refuses to open them.
 * Deliberately not here: the version of the records, which have migrations of their own.
 */
import { randomBytes } from 'node:crypto'
import type { Records, RecordsDatabase } from '@deployment-annotations/records/database/records'
import { ensureSetting, readSetting } from '@deployment-annotations/records/database/settings-records'
import { listTables } from '@deployment-annotations/records/datasets/dataset-records'
import type { Engine } from '../engine/engine.ts'
import type { EventTables } from './event-tables.ts'

export const DATA_VERSION = 1

/**
 * Checks that the events and the records belong together before either is changed.
 * @throws Error if the events belong to other records, or some of them are not here
 */
export async function claimEvents(records: Records, tables: EventTables): Promise<void> {
  if ((await readSetting(records.read, 'importing')) !== undefined) {
    throw new Error('an import into these records is not done: run annotation-service import again, with the same --from')
  }
  await requireKnownVersion(tables.engine)
  const id = await records.transaction(ensureRecordsId)
  const owners = await readOwners(tables.engine)
  if (owners.includes(id)) return
  const known = new Set(await listTables(records.read))
  const strange = (await tables.list()).filter((table) => table.startsWith('events_') && !known.has(table))
  if (owners.length > 0 || strange.length > 0) {
    throw new Error(
      `the events there belong to other records than these (${strange.length} tables of events are not known here): give the records that they were made with, with --data or --postgres, or another database with --clickhouse; if they were lost or damaged, restore them from a backup, or run annotation-service fsck --rebuild-catalog`,
    )
  }
  await writeOwner(tables, id)
}

/** @returns the id of the records, which is created if there is none yet */
export function ensureRecordsId(db: RecordsDatabase): Promise<string> {
  return ensureSetting(db, 'id', randomBytes(8).toString('hex'))
}

/** @returns the ids of all records that own these events: none, or one */
export async function readOwners(engine: Engine): Promise<string[]> {
  const tables = await engine.select<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^records_[0-9a-f]{16}$') ORDER BY name`,
  )
  return tables.map(({ name }) => name.slice('records_'.length))
}

/** Writes the owner and the version. May be repeated. @param id 16 hexadecimal digits */
export async function writeOwner({ engine, names }: EventTables, id: string): Promise<void> {
  if (!/^[0-9a-f]{16}$/.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of records`)
  if ((await readVersion(engine)) !== DATA_VERSION) {
    await engine.run(CREATE_VERSIONS)
    await engine.run(`INSERT INTO schema_versions (version) VALUES (${DATA_VERSION})`)
  }
  await engine.run(`CREATE TABLE IF NOT EXISTS records_${id}${names.everywhere} (id UInt8) ENGINE = MergeTree ORDER BY id`)
}

/** @throws Error that names both versions if a newer program wrote the data */
async function requireKnownVersion(engine: Engine): Promise<void> {
  const version = await readVersion(engine)
  if (version <= DATA_VERSION) return
  throw new Error(
    `the data has version ${version}, but this program only knows versions up to ${DATA_VERSION}: a newer version wrote it; use that one, or another data directory`,
  )
}

const CREATE_VERSIONS = `
CREATE TABLE IF NOT EXISTS schema_versions (
  version UInt32,
  applied_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY version
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`

/** @returns 0 if no version was written yet */
async function readVersion(engine: Engine): Promise<number> {
  const tables = await engine.select(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_versions'",
  )
  if (tables.length === 0) return 0
  const [row] = await engine.select<{ version: number }>('SELECT max(version) AS version FROM schema_versions')
  return row?.version ?? 0
}
