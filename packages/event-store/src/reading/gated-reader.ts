/**
 * The part that all readers have in common: a statement waits at the gates for its turn, ends with its limit of time also where the
 * engine does not hold it by itself, and its errors are those for the caller.
 * Deliberately not here: running it (embedded-reader.ts, server-reader.ts), and the setting by which the engine mostly holds the limit
 * (`readSettings`).
 */
import type { Statement } from '@deployment-annotations/apl/sql/plan'
import { describeEngineError, tooLong } from './engine-errors.ts'
import { type Attempt, type Query, QueryGates } from './query-gates.ts'
import { attemptRead, NOBODY, type Reader, type ReadLimits, type ReadResult, waitOf } from './reader.ts'

interface GatedReaderParts extends Pick<Reader, 'stateOf'> {
  /** The name of the engine, for messages. */
  name: string
  limits: ReadLimits
  /** @param caller the id of the caller, whose share of the files it takes */
  read(statement: Statement, caller: string, attempt: Attempt): Promise<ReadResult>
  /** Called when no statement is under way. */
  close(): Promise<void>
}

export function createGatedReader({ name, limits, stateOf, read, close }: GatedReaderParts): Reader {
  const gates = new QueryGates()
  return {
    load: () => gates.load(),
    whileWaiting: (task, signal, asker) => gates.whileWaiting(waitOf(asker, signal), task),
    async read(statement, signal, asker = NOBODY) {
      try {
        return await readWithin(limits, gates, { ...waitOf(asker, signal), shape: statement.sql }, (attempt) =>
          read(statement, asker.id, attempt),
        )
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw describeEngineError(error, limits, name)
      }
    },
    stateOf,
    async close() {
      await gates.idle()
      await close()
    },
  }
}

/** How long after the limit of time the engine may still end a statement by itself. */
const OVERDUE_MS = 1_000

/**
 * Runs a statement in its turn. Its limit of time holds also where the engine does not hold it: that looks at its clock between blocks,
 * and one call of a function can outlive the limit by minutes. The caller is then answered; the statement keeps its slot until the engine
 * has ended it, so that no more run at a time. A statement that runs a second time, with less memory, has the time that is left of it.
 * @throws ServiceError `query_timeout`; as {@link QueryGates.run}
 */
async function readWithin(
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
