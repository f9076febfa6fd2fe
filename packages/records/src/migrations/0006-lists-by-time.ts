/**
 * Indexes for lists of a span of time, see annotation-lists.ts: spans by how long they are, and what goes on. They are of expressions,
 * so that the version before this one keeps them right too.
 */
import { type Kysely, sql } from 'kysely'
import { DURATION_CLASS } from '../schema/duration-classes.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index annotations_by_duration on annotations (${DURATION_CLASS}, time_ns, id)`.execute(db)
  await sql`create index annotations_open on annotations (time_ns, id) where is_open = 1`.execute(db)
}
