/**
 * The limit of time of a statement, where the engine does not hold it by itself.
 * Deliberately not here: the setting by which it mostly does; see `readSettings`.
 */
import { tooLong } from './engine-errors.ts'
import type { Attempt, Query, QueryGates } from './query-gates.ts'
import { attemptRead, type ReadLimits, type ReadResult } from './reader.ts'

/** How long after the limit of time the engine may still end a statement by itself. */
const OVERDUE_MS = 1_000

/**
 * Runs a statement in its turn. Its limit of time holds also where the engine does not hold it: that looks at its clock between blocks,
 * and one call of a function can outlive the limit by minutes. The caller is then answered; the statement keeps its slot until the engine
 * has ended it, so that no more run at a time. A statement that runs a second time, with less memory, has the time that is left of it.
 * @throws ServiceError `query_timeout`; as {@link QueryGates.run}
 */
export async function readWithin(
  { msMax }: ReadLimits,
  gates: QueryGates,
  query: Query,
  read: (attempt: Attempt) => Promise<ReadResult>,
): Promise<ReadResult> {
  const overdue = new AbortController()
  const isOverdue = new Promise<never>((_, reject) => {
    overdue.signal.addEventListener('abort', () => reject(overdue.signal.reason), { once: true })
  })
  const signal = AbortSignal.any([query.signal, overdue.signal])
  let leftMs = msMax + OVERDUE_MS
  const reading = gates.run({ ...query, signal }, async (attempt) => {
    const startMs = performance.now()
    const timer = setTimeout(() => overdue.abort(tooLong(msMax)), leftMs)
    return await attemptRead(attempt, () => read(attempt)).finally(() => {
      clearTimeout(timer)
      leftMs -= performance.now() - startMs
    })
  })
  try {
    return await Promise.race([reading, isOverdue])
  } catch (error) {
    void reading.then(
      (late) => late[Symbol.asyncDispose](),
      () => undefined,
    )
    throw error
  }
}
