/**
 * The version of the data beside the engine's tables, in the table `schema_versions`. Up to version 4 everything was kept there;
 * since then only events are, and the version does nothing but stop earlier programs: they would find none of their tables, make
 * empty ones, and answer that there is nothing. Deliberately not here: the records, which have migrations of their own.
 */
import type { Engine } from './engine.ts'

export const DATA_VERSION = 5

const CREATE_VERSIONS = `
CREATE TABLE IF NOT EXISTS schema_versions (
  version UInt32,
  applied_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY version
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`

/**
 * @returns the version; 0 where none is known
 * @throws Error when a newer program wrote the data, naming both versions
 */
export async function readDataVersion(engine: Engine): Promise<number> {
  const tables = await engine.select(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_versions'",
  )
  if (tables.length === 0) return 0
  const [row] = await engine.select<{ version: number }>('SELECT max(version) AS version FROM schema_versions')
  const version = row?.version ?? 0
  if (version <= DATA_VERSION) return version
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
