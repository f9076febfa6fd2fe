/**
 * Opens the upkeep task that maintains columns and indexes.
 */

import type { Records } from '@deployment-annotations/records/database/records'
import { readLayoutChanges, setLayouts } from '@deployment-annotations/records/datasets/layout-records'
import type { EventTables } from '../tables/event-tables.ts'
import type { UpkeepParts, UpkeepTasks } from '../upkeep/upkeep.ts'
import type { EventLayouts } from './event-layouts.ts'
import { LayoutKeeper, TASK } from './layout-keeper.ts'

interface IndexedTables extends EventTables {
  /** As that of a store. */
  prepare(task: () => Promise<void>): Promise<void>
}

/** Call this before the first query, because queries must not name missing columns. */
export async function openIndexes(
  tables: IndexedTables,
  layouts: EventLayouts,
  { records, datasets, indexes }: UpkeepParts,
): Promise<UpkeepTasks> {
  await tables.prepare(() => forgetMissing(records, layouts))
  const keeper = new LayoutKeeper({ layouts, tables, datasets, isOn: indexes })
  return { [TASK]: (log) => keeper.upkeep(log) }
}

/**
 * Removes columns and indexes from the records that the tables lack, for example after the events were restored from another backup.
 */
async function forgetMissing(records: Records, layouts: EventLayouts): Promise<void> {
  for (const { table, field } of await layouts.findLost(await readLayoutChanges(records.read, -1n)))
    await records.transaction((db) => setLayouts(db, table, [{ field, kind: '' }]))
}
