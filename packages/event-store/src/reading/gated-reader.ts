/**
 * The part that all readers have in common: a statement waits at the gates for its turn, ends with its limit of time also where the
 * engine does not hold it by itself, and its errors are those for the caller.
 * Deliberately not here: running it (embedded-reader.ts, server-reader.ts), and the setting by which the engine mostly holds the limit
 * (`readSettings`).
 */
import { once } from 'node:events'
import type { Statement } from '@deployment-annotations/apl/sql/plan'
import { QUERY_REQUESTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { engineCode } from '../engine/engine-failures.ts'
import { describeEngineError, tooLong } from './engine-errors.ts'
import { type Attempt, QueryGates, RunAgain } from './query-gates.ts'
import type { Reader, ReadLimits, ReadResult } from './reader.ts'

interface GatedReaderParts extends Pick<Reader, 'stateOf'> {
  /** The name of the engine, for messages. */
  name: string
  limits: ReadLimits
  /** @param caller the id of the caller, whose share of the files it takes */
  read(statement: Statement, caller: string, attempt: Attempt): Promise<ReadResult>
  /** Called when no statement is under way. */
  close(): Promise<void>
}

/** How long after the limit of time the engine may still end a statement by itself. */
const OVERDUE_MS = 1_000

const MEMORY_LIMIT_EXCEEDED = '241'

/**
 * The limit of time holds also where the engine does not hold it: that looks at its clock between blocks, and one call of a function can
 * outlive the limit by minutes. The caller is then answered; the statement keeps its slot until the engine has ended it, so that no more
 * run at a time. A statement that runs a second time, with less memory, has the time that is left of it.
 */
export function createGatedReader({ name, limits, stateOf, read, close }: GatedReaderParts): Reader {
  const requests = new Gate(QUERY_REQUESTS)
  const gates = new QueryGates()

  return {
    load: () => ({ queries: requests.load(), ...gates.load() }),
    async admit(prepare, signal, { id: caller, sinceMs }) {
      const failed = new AbortController()
      const admitted = requests.acquire({ caller, sinceMs, signal: AbortSignal.any([signal, failed.signal]) })
      try {
        const [permit, prepared] = await Promise.all([admitted, prepare()])
        return { permit, prepared }
      } catch (error) {
        failed.abort()
        void admitted.then(({ release }) => release()).catch(() => undefined)
        throw error
      }
    },
    async read(statement, given, asker = { id: '' }) {
      const overdue = new AbortController()
      const signal = AbortSignal.any([given, overdue.signal])
      let leftMs = limits.msMax + OVERDUE_MS
      const query = { caller: asker.id, waitMsMax: asker.waitMsMax, shape: statement.sql, signal }
      const reading = gates.run(query, async (attempt) => {
        const fromMs = performance.now()
        const timer = setTimeout(() => overdue.abort(tooLong(limits.msMax)), leftMs)
        try {
          return await read(statement, asker.id, attempt)
        } catch (error) {
          if (attempt.signal.aborted) throw attempt.signal.reason
          const mayRunAgain = attempt.mode !== 'spilling' && engineCode(error) === MEMORY_LIMIT_EXCEEDED
          throw mayRunAgain ? new RunAgain('spilling', { cause: error }) : error
        } finally {
          clearTimeout(timer)
          leftMs -= performance.now() - fromMs
        }
      })
      const isOverdue = once(overdue.signal, 'abort').then(() => Promise.reject(overdue.signal.reason))
      try {
        return await Promise.race([reading, isOverdue])
      } catch (error) {
        // It may end all the same, with an answer for nobody.
        void reading.then((late) => late[Symbol.asyncDispose]()).catch(() => undefined)
        if (given.aborted) throw given.reason
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
