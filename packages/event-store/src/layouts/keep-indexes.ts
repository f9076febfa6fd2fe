/**
 * Opens the upkeep task that maintains columns and indexes.
 */
import { readLayoutChanges, setLayouts } from '@deployment-annotations/records/layout-records'
import type { Records } from '@deployment-annotations/records/records'
import type { Datasets } from '../datasets/datasets.ts'
import { enginePath } from '../fields/field.ts'
import { type LayoutKind, layoutName } from '../schema/field-layout.ts'
import type { EventTables } from '../tables/event-tables.ts'
import type { UpkeepTasks } from '../upkeep/upkeep.ts'
import type { EventLayouts } from './event-layouts.ts'
import { LayoutKeeper, TASK } from './layout-keeper.ts'
import { openLayoutTrial } from './layout-trial.ts'

interface IndexesParts {
  records: Records
  tables: EventTables
  layouts: EventLayouts
  /** Of the store. */
  prepare(task: () => Promise<void>): Promise<void>
  datasets: Datasets
  /** Whether there are any columns and indexes at all. */
  isOn: boolean
}

/** Call this before the first query, because queries must not name missing columns. */
export async function openIndexes({ prepare, ...parts }: IndexesParts): Promise<UpkeepTasks> {
  const { records, tables, layouts, datasets, isOn } = parts
  await prepare(() => forgetMissing(records, layouts))
  const openTrial = (table: string, rows: number) => openLayoutTrial(tables, table, rows)
  const keeper = new LayoutKeeper({ layouts, openTrial, datasets, isOn })
  return { [TASK]: (log) => keeper.upkeep(log) }
}

/**
 * Removes columns and indexes from the records that the tables lack, for example after the events were restored from another backup.
 */
async function forgetMissing(records: Records, layouts: EventLayouts): Promise<void> {
  const recorded = (await readLayoutChanges(records.read, -1n)).filter(({ kind }) => kind !== '')
  if (recorded.length === 0) return
  const there = await layouts.list()
  const missing = recorded.filter(
    ({ table, field, kind }) => !there.get(table)?.includes(layoutName({ path: enginePath(field), kind: kind as LayoutKind })),
  )
  for (const { table, field } of missing) await records.transaction((db) => setLayouts(db, table, [{ field, kind: '' }]))
}
