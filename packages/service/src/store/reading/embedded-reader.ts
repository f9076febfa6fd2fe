/**
 * Queries on the engine inside this process: a pool of read-only sessions beside the one that writes.
 *
 * What the engine asks for, each seen in version 26.7:
 * - One statement runs at a time per session, so a session is lent to one statement.
 * - Settings stay in a session; they are set once, `readonly` last, after which the session cannot write, change a setting,
 *   or reach files and addresses.
 * - Giving up a call does not stop the engine. `KILL QUERY … ASYNC` does; `SYNC` waits forever.
 * - An answer in memory is there several times over while it is handed to Node (59 MiB took 340 MiB more); one that the engine
 *   writes to a file takes none, and `readonly` allows it. The engine does not hold its bounds of an answer against such a file.
 */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Statement } from '@deployment-annotations/apl/plan'
import type { Session } from 'chdb'
import { QUERIES } from '../../concurrency/queue-bounds.ts'
import { Semaphore } from '../../concurrency/semaphore.ts'
import { loadChdb } from '../chdb.ts'
import { quotedText } from '../embedded-inserts.ts'
import { withConstants } from './constants.ts'
import { describeEngineError } from './engine-errors.ts'
import { onAbort } from './on-abort.ts'
import { setParameters } from './parameters.ts'
import { READERS, type Reader, type ReadLimits, type ReadResult, readSettings } from './reader.ts'
import { ResultFiles } from './result-files.ts'
import { RESULT_FORMAT } from './result-rows.ts'

/** Opens sessions on the directory that this process has open already; answers go to the directory beside it. */
export function openEmbeddedReader(directory: string, limits: ReadLimits): Reader {
  const files = new ResultFiles(join(dirname(directory), 'answers'), limits.resultBytesMax)
  const sessions = Array.from({ length: READERS }, () => openSession(directory, limits))
  const control = new (loadChdb().Session)(directory)
  // A permit stands for the session of its number.
  const readers = new Semaphore(sessions.length, QUERIES)

  async function read(session: Session, statement: Statement, signal: AbortSignal): Promise<ReadResult> {
    const mark = randomBytes(12).toString('hex')
    const set = setParameters(statement.params)
    if (set) await session.queryAsync(set)
    signal.throwIfAborted()
    return await files.fill(async (path, isTooLarge) => {
      const stopKilling = onAbort(AbortSignal.any([signal, isTooLarge]), () => kill(mark))
      try {
        const sql = withConstants(statement, [`'${mark}' AS statement_mark`])
        await session.queryAsync(`${sql} INTO OUTFILE ${quotedText(path)} FORMAT ${RESULT_FORMAT}`)
      } finally {
        stopKilling()
      }
    })
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
      files.close()
    },
  }
}

function openSession(directory: string, limits: ReadLimits): Session {
  const session = new (loadChdb().Session)(directory)
  for (const [name, value] of Object.entries(readSettings(limits))) session.query(`SET ${name} = '${value}'`)
  return session
}
