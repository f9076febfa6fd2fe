/**
 * The classes of how long spans are, by which an index has them. A query that uses the index says them with the same words, so that these
 * never change.
 */
import { sql } from 'kysely'

/** Spans up to this long, in seconds, are a class each, and those that are longer another one: a minute, an hour, a day, 30 days. */
export const DURATION_CLASSES_S = [60, 3_600, 86_400, 2_592_000] as const

// The difference of two times in nanoseconds may need more than 64 bits.
const SECONDS = 'until_ns / 1000000000 - time_ns / 1000000000'
const cases = DURATION_CLASSES_S.map((seconds, i) => `when ${SECONDS} <= ${seconds} then ${i + 1}`)

/** The class of an annotation's duration: 0 for a point. A query that uses the index says it with the same words. */
export const DURATION_CLASS = sql.raw<number>(
  `(case when until_ns = time_ns then 0 ${cases.join(' ')} else ${DURATION_CLASSES_S.length + 1} end)`,
)
