/**
 * Queries on the engine inside this process: a pool of read-only sessions beside the one that writes.
 *
 * What the engine asks for, each seen in version 26.7:
 * - One statement runs at a time per session, so a session is lent to one statement.
 * - Settings stay in a session; they are set once, `readonly` last, after which the session cannot write, change a setting,
 *   or reach files and addresses.
 * - Giving up a call does not stop the engine. `KILL QUERY … ASYNC` does; `SYNC` waits forever.
 */
import { randomBytes } from 'node:crypto'
import type { Statement } from '@deployment-annotations/apl/plan'
import type { Session } from 'chdb'
import { QUERIES } from '../../concurrency/queue-bounds.ts'
import { Semaphore } from '../../concurrency/semaphore.ts'
import { loadChdb } from '../chdb.ts'
import { withConstants } from './constants.ts'
import { describeEngineError } from './engine-errors.ts'
import { onAbort } from './on-abort.ts'
import { setParameters } from './parameters.ts'
import { READERS, type Reader, type ReadLimits, type ReadResult, readSettings } from './reader.ts'
import { openResult, RESULT_FORMAT } from './result-text.ts'

/** Opens sessions on the directory that this process has open already. */
export function openEmbeddedReader(directory: string, limits: ReadLimits): Reader {
  const sessions = Array.from({ length: READERS }, () => openSession(directory, limits))
  const control = new (loadChdb().Session)(directory)
  // A permit stands for the session of its number.
  const readers = new Semaphore(sessions.length, QUERIES)

  async function read(session: Session, statement: Statement, signal: AbortSignal): Promise<ReadResult> {
    const mark = randomBytes(12).toString('hex')
    const set = setParameters(statement.params)
    if (set) await session.queryAsync(set)
    signal.throwIfAborted()
    const stopKilling = onAbort(signal, () => kill(mark))
    try {
      const text = withConstants(statement, [`'${mark}' AS statement_mark`])
      return openResult((await session.queryAsync(text, { format: RESULT_FORMAT })).text())
    } finally {
      stopKilling()
    }
  }

  /**
   * Finds the statement by its mark, and does nothing if it is not running. The mark is a name that nothing uses, because the
   * engine lists a statement with parameters as it understood it: a comment would be gone.
   */
  async function kill(mark: string): Promise<void> {
    await control
      .queryAsync(`KILL QUERY WHERE startsWith(query, 'WITH') AND position(query, '${mark}') > 0 ASYNC`)
      .catch(() => undefined)
  }

  return {
    async read(statement, signal) {
      try {
        using permit = await readers.acquire(signal)
        return await read(sessions[permit.index] as Session, statement, signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw describeEngineError(error, limits, 'the store')
      }
    },
    async close() {
      await readers.idle()
      for (const session of [...sessions, control]) session.close()
    },
  }
}

function openSession(directory: string, limits: ReadLimits): Session {
  const session = new (loadChdb().Session)(directory)
  for (const [name, value] of Object.entries(readSettings(limits))) session.query(`SET ${name} = '${value}'`)
  return session
}
