/**
 * Indexes for lists of a span of time, see annotation-lists.ts: spans by how long they are, and what goes on. They are of expressions,
 * so that the version before this one keeps them right too.
 */
import { type Kysely, sql } from 'kysely'

/** Spans up to this long, in seconds, are a class each, and those that are longer another one: a minute, an hour, a day, 30 days. */
export const DURATION_CLASSES_S = [60, 3_600, 86_400, 2_592_000] as const

// The difference of two times in nanoseconds may need more than 64 bits.
const SECONDS = 'until_ns / 1000000000 - time_ns / 1000000000'
const cases = DURATION_CLASSES_S.map((seconds, i) => `when ${SECONDS} <= ${seconds} then ${i + 1}`)

/** The class of an annotation's duration: 0 for a point. A query that uses the index says it with the same words. */
export const DURATION_CLASS = sql.raw<number>(
  `(case when until_ns = time_ns then 0 ${cases.join(' ')} else ${DURATION_CLASSES_S.length + 1} end)`,
)

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index annotations_by_duration on annotations (${DURATION_CLASS}, time_ns, id)`.execute(db)
  await sql`create index annotations_open on annotations (time_ns, id) where is_open = 1`.execute(db)
}
