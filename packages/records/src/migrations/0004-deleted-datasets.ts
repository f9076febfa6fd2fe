/**
 * Takes the names of datasets that were deleted from the annotations of their time, as a deletion does since this version: another
 * dataset may have the name by now. What was made or ends after the deletion stays as it is.
 */
import type { Kysely } from 'kysely'
import { detachAnnotations } from '../annotations/detached-annotations.ts'
import type { Tables } from '../schema/tables.ts'

export async function up(db: Kysely<Tables>): Promise<void> {
  const deleted = await db
    .selectFrom('dropped_tables')
    .select((of) => ['name', of.fn.max('dropped_at_ms').as('at_ms')])
    .groupBy('name')
    .execute()
  for (const { name, at_ms } of deleted) await detachAnnotations(db, name, at_ms)
}
