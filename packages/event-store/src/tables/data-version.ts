/**
 * The version of the tables of events, in the table `schema_versions` beside them. A program that knows only earlier versions refuses
 * to open them. Deliberately not here: the version of the records, which have migrations of their own.
 */
import type { Engine } from '../engine/engine.ts'

export const DATA_VERSION = 1

const CREATE_VERSIONS = `
CREATE TABLE IF NOT EXISTS schema_versions (
  version UInt32,
  applied_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY version
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`

/** @throws Error when a newer program wrote the data, naming both versions */
export async function requireKnownVersion(engine: Engine): Promise<void> {
  const version = await readDataVersion(engine)
  if (version <= DATA_VERSION) return
  throw new Error(
    `the data has version ${version}, but this program only knows versions up to ${DATA_VERSION}: a newer version wrote it; use that one, or another data directory`,
  )
}

/** May be repeated. */
export async function writeDataVersion(engine: Engine): Promise<void> {
  if ((await readDataVersion(engine)) === DATA_VERSION) return
  await engine.run(CREATE_VERSIONS)
  await engine.insert('schema_versions', [{ version: DATA_VERSION }])
}

/** @returns 0 where no version was written yet */
async function readDataVersion(engine: Engine): Promise<number> {
  const tables = await engine.select(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_versions'",
  )
  if (tables.length === 0) return 0
  const [row] = await engine.select<{ version: number }>('SELECT max(version) AS version FROM schema_versions')
  return row?.version ?? 0
}
