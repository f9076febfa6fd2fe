/**
 * Brings the store's tables to the version this program knows, one numbered step after the other.
 * A step may be run again after a crash halfway through, so its statements are idempotent. Steps are only ever added.
 */
import type { Engine } from './engine.ts'
import { ANNOTATIONS_1 } from './schema/0001-annotations.ts'
import { DATASETS_2 } from './schema/0002-datasets.ts'
import { MONITORS_3 } from './schema/0003-monitors.ts'
import { DEPLOYMENTS_4 } from './schema/0004-deployments.ts'

/** The statements that lead from version `index` to `index + 1`. */
const STEPS: readonly (readonly string[])[] = [ANNOTATIONS_1, DATASETS_2, MONITORS_3, DEPLOYMENTS_4]

export const SCHEMA_VERSION = STEPS.length

const CREATE_VERSIONS = `
CREATE TABLE IF NOT EXISTS schema_versions (
  version UInt32,
  applied_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY version
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`

/** @throws Error when a newer program wrote the data, naming both versions */
export async function migrate(engine: Engine): Promise<void> {
  await engine.run(CREATE_VERSIONS)
  const rows = await engine.select<{ version: number }>('SELECT max(version) AS version FROM schema_versions')
  const stored = rows[0]?.version ?? 0
  if (stored > SCHEMA_VERSION) {
    throw new Error(
      `the data has version ${stored}, but this program only knows versions up to ${SCHEMA_VERSION}: a newer version wrote it; use that one, or another data directory`,
    )
  }
  for (let version = stored + 1; version <= SCHEMA_VERSION; version++) {
    for (const statement of STEPS[version - 1] ?? []) await engine.run(statement)
    await engine.insert('schema_versions', [{ version }])
  }
}
