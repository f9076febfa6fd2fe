/**
 * Opens the task of upkeep that keeps columns and indexes beside the events.
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
  datasets: Datasets
  /** Whether anything is kept at all. */
  isOn: boolean
}

/** To be called before there are queries: they must not name columns that are not there. */
export async function openIndexes({ records, tables, layouts, datasets, isOn }: IndexesParts): Promise<UpkeepTasks> {
  await forgetMissing(records, layouts)
  const openTrial = (table: string, rows: number) => openLayoutTrial(tables, table, rows)
  const keeper = new LayoutKeeper({ layouts, openTrial, datasets, isOn })
  return { [TASK]: (log) => keeper.upkeep(log) }
}

/** The records name columns and indexes that the tables do not have where the events come from another backup, for example. */
async function forgetMissing(records: Records, layouts: EventLayouts): Promise<void> {
  const recorded = (await readLayoutChanges(records.read, -1n)).filter(({ kind }) => kind !== '')
  if (recorded.length === 0) return
  const there = await layouts.list()
  const missing = recorded.filter(
    ({ table, field, kind }) => !there.get(table)?.includes(layoutName({ path: enginePath(field), kind: kind as LayoutKind })),
  )
  for (const { table, field } of missing) await records.transaction((db) => setLayouts(db, table, [{ field, kind: '' }]))
}
