/**
 * Merges the small parts that inserts leave in a dataset at rest. The engine merges ten parts of a size at a time, so the last ones wait
 * for others that do not come. They are "compact": all fields in one file, of which none can be read alone. Of 2 million events 17 % were
 * in such parts after an ingest, and one merge of 0.8 s took a count of distinct users from 90 to 35 ms.
 * Merged parts have no indexes; layouts/layout-keeper.ts has them made when the dataset has been at rest again.
 */
import { ignoreFullDisk } from '../disk/free-space.ts'
import type { Engine } from '../engine/engine.ts'

/**
 * Fewer are left alone. The engine weighs what a merge takes against how many parts it saves, and would add large parts to two small
 * ones; to three small ones it adds at most some 200 MB.
 */
const SMALL_PARTS_MIN = 3
/** A table without new rows or merges for this long is at rest. */
export const QUIET_SECONDS = 45
/** Merging takes at most one part in this many of the time. */
const PAUSE_FACTOR = 20

interface MergeParts {
  engine: Engine
  /** @throws ServiceError `storage_full` if the disk has no room for a merge; it is tried again later */
  requireRoom?(): void
  /** Replaced in tests. */
  quietSeconds?: number
  /** In milliseconds; replaced in tests. */
  clock?: () => number
}

/** @returns the upkeep task; each time it merges one set of parts of each table at rest */
export function createMergeTask(parts: MergeParts): () => Promise<void> {
  const { engine, requireRoom, quietSeconds = QUIET_SECONDS, clock = () => performance.now() } = parts
  let notBeforeMs = 0
  /** How many small parts a merge left, by table: it would leave them again. */
  const left = new Map<string, number>()
  const merge = async (table: string) => {
    requireRoom?.()
    const beganMs = clock()
    await engine.bulk.run(`OPTIMIZE TABLE ${table}`)
    const endedMs = clock()
    notBeforeMs = endedMs + (endedMs - beganMs) * PAUSE_FACTOR
    left.set(table, (await listSmall(engine, 0)).get(table) ?? 0)
  }
  return async () => {
    const found = await listSmall(engine, quietSeconds)
    for (const table of left.keys()) if (!found.has(table)) left.delete(table)
    for (const [table, small] of found)
      if (left.get(table) !== small && clock() >= notBeforeMs) await merge(table).catch(ignoreFullDisk)
  }
}

/** @returns how many small parts each table at rest has, where those are enough to be merged */
async function listSmall(engine: Engine, quietSeconds: number): Promise<Map<string, number>> {
  const busy = (of: string) => `SELECT table FROM system.${of} WHERE database = currentDatabase()`
  const rows = await engine.select<{ table: string; small: number }>(
    `SELECT table, toUInt32(countIf(part_type = 'Compact')) AS small FROM system.parts
      WHERE active AND database = currentDatabase() AND match(table, '^events_[a-z0-9]+$')
        AND table NOT IN (${busy('merges')}) AND table NOT IN (${busy('mutations')} AND NOT is_done)
      GROUP BY table HAVING small >= ${SMALL_PARTS_MIN} AND now() - max(modification_time) >= ${quietSeconds}`,
  )
  return new Map(rows.map(({ table, small }) => [table, small]))
}
