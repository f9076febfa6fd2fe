/**
 * Runs queries on the engine in this process: a pool of read-only sessions beside the one that writes. The engine's peculiarities, each
 * seen in version 26.7:
 * - One statement runs at a time per session, so a session is lent to one statement.
 * - Settings stay in a session; they are set once, `readonly` last, after which the session cannot write, change a setting, or reach
 *   files and addresses.
 * - The output of a statement before its failure begins the session's next answer, so a session in which one failed is closed.
 * - Abandoning a call does not stop the engine. `KILL QUERY … ASYNC` does; `SYNC` waits forever.
 * - An answer in memory exists several times while it is passed to Node (59 MiB took 340 MiB more). An answer that the engine writes to
 *   a file does not, and `readonly` allows it; but the engine does not apply its limits of an answer to such a file.
 */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import type { Statement } from '@deployment-annotations/apl/sql/plan'
import { type ParameterValue, quoteText } from '@deployment-annotations/apl/sql/quoting'
import type { Session } from 'chdb'
import { openSession } from '../embedded/chdb.ts'
import { lowerQueryThreads } from '../embedded/engine-threads.ts'
import { isDiskFailure } from '../engine/engine-failures.ts'
import { createGatedReader } from './gated-reader.ts'
import { RunAgain, type RunMode } from './query-gates.ts'
import { onAbort, type Reader, type ReadLimits, readSettings, withConstants } from './reader.ts'
import { ResultFiles } from './result-files.ts'
import { RESULT_FORMAT, ResultRows } from './result-rows.ts'
import { tableState } from './table-spans.ts'

/** Opens sessions on the directory that this process has open already; answers go to a directory beside it. */
export function openEmbeddedReader(directory: string, limits: ReadLimits): Reader {
  const files = new ResultFiles(join(dirname(directory), 'answers'), limits.resultBytesMax)
  /** Opened on demand; the gates bound their number. */
  const sessions: Record<RunMode, Session[]> = { foreground: [], background: [], spilling: [] }
  const control = openSession(directory)

  /** @returns a function that runs the statement, and ends it when the signal aborts */
  function createRun(session: Session, statement: Statement) {
    const mark = randomBytes(12).toString('hex')
    const sql = withConstants({ ...statement, sql: withValues(statement) }, [`'${mark}' AS statement_mark`])
    const kill = `KILL QUERY WHERE startsWith(query, 'WITH') AND position(query, '${mark}') > 0 ASYNC`
    return async (end: AbortSignal, where = '') => {
      lowerQueryThreads()
      const stopKilling = onAbort(end, () => control.queryAsync(kill).catch(() => undefined))
      try {
        return await session.queryAsync(`${sql}${where} FORMAT ${RESULT_FORMAT}`)
      } finally {
        stopKilling()
      }
    }
  }

  async function readRows(run: ReturnType<typeof createRun>, signal: AbortSignal, caller: string): Promise<ResultRows> {
    // On a full disk the answer is read in memory, so that a query can still find out what fills the disk.
    if (!files.hasRoom) return await ResultRows.of(Buffer.from((await run(signal)).text()))
    try {
      const toFile = (path: string, end: AbortSignal) => run(AbortSignal.any([signal, end]), ` INTO OUTFILE ${quoteText(path)}`)
      return await files.fill(caller, toFile)
    } catch (error) {
      if (!isDiskFailure(error)) throw error
      // It runs again, with its answer in memory.
      files.avoid()
      throw new RunAgain('background', { cause: error })
    }
  }

  return createGatedReader({
    name: 'the store',
    limits,
    stateOf: tableState,
    async read(statement, caller, { signal, mode }) {
      const session = sessions[mode].pop() ?? openReadOnly(directory, limits, mode)
      try {
        const rows = await readRows(createRun(session, statement), signal, caller)
        sessions[mode].push(session)
        return rows
      } catch (error) {
        session.close()
        throw error
      }
    },
    async close() {
      for (const session of [...Object.values(sessions).flat(), control]) session.close()
      files.close()
    },
  })
}

/** In the background, a query uses half of the processors, rounded up. */
const BACKGROUND_THREADS = Math.ceil(availableParallelism() / 2)

/**
 * The files are on the local disk, where the heads of a JSON column's files are read faster one after the other than by many threads.
 */
const LOCAL_SETTINGS = { merge_tree_use_prefixes_deserialization_thread_pool: '0' }

function openReadOnly(directory: string, limits: ReadLimits, mode: RunMode): Session {
  const session = openSession(directory)
  const threads = mode === 'foreground' ? {} : { max_threads: String(BACKGROUND_THREADS) }
  const all = { ...threads, ...LOCAL_SETTINGS, ...readSettings(limits, mode) }
  const settings = Object.entries(all).map(([name, value]) => `${name} = '${value}'`)
  session.query(`SET ${settings.join(', ')}`)
  return session
}

/** Names and texts in quotes, which may look like a parameter, and parameters. */
const QUOTED_OR_PARAMETER = /`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*'|\{([a-z0-9]{1,16}):([A-Za-z0-9]+(?:\([A-Za-z0-9,']+\))?)\}/gs

/**
 * Writes the values of a statement in the places of its parameters, as the engine itself would. A session would have to be given them by a
 * statement before each, which takes longer than a short answer.
 * @returns its text
 */
export function withValues({ sql, params }: Pick<Statement, 'sql' | 'params'>): string {
  return sql.replace(QUOTED_OR_PARAMETER, (text, name: string | undefined, type: string) => {
    const value = name === undefined ? undefined : params[name]
    if (value === undefined) return text
    if (type === 'String' && typeof value === 'string') return quoteText(value)
    return `_CAST(${quoteText(parameterText(value))}, ${quoteText(type)})`
  })
}

/** Prints a value in the engine's text form, which it parses by the type of the parameter. */
function parameterText(value: ParameterValue): string {
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : `[${value.map(quoteText).join(',')}]`
}
