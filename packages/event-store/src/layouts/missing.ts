/**
 * Before anything is asked at a start: what the records say of tables that do not have it, because the events come from another backup
 * than the records for example, is forgotten. Queries would name columns that are not there.
 */
import { readLayoutChanges, setLayouts } from '@deployment-annotations/records/layout-records'
import type { Records } from '@deployment-annotations/records/records'
import { enginePath } from '../fields/field.ts'
import { type LayoutKind, layoutName } from '../schema/field-layout.ts'
import type { EventLayouts } from '../tables/event-layouts.ts'

export async function forgetMissing(records: Records, layouts: EventLayouts): Promise<void> {
  const recorded = (await readLayoutChanges(records.read, -1n)).filter(({ kind }) => kind !== '')
  if (recorded.length === 0) return
  const there = await layouts.list()
  const missing = recorded.filter(
    ({ table, field, kind }) => !there.get(table)?.includes(layoutName({ path: enginePath(field), kind: kind as LayoutKind })),
  )
  for (const { table, field } of missing) await records.transaction((db) => setLayouts(db, table, [{ field, kind: '' }]))
}
