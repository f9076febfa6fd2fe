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
import { onAbort, type Reader, type ReadLimits, type ReadResult, readSettings, withConstants } from './reader.ts'
import { ResultFiles } from './result-files.ts'
import { RESULT_FORMAT, ResultRows } from './result-rows.ts'
import { tableState } from './table-spans.ts'

/** Opens sessions on the directory that this process has open already; answers go to a directory beside it. */
export function openEmbeddedReader(directory: string, limits: ReadLimits): Reader {
  const files = new ResultFiles(join(dirname(directory), 'answers'), limits.resultBytesMax)
  const sessions = new SessionPool((mode) => openReadOnly(directory, limits, mode))
  const control = openSession(directory)

  async function read(
    session: Session,
    statement: Statement,
    { signal, caller }: { signal: AbortSignal; caller: string },
  ): Promise<ReadResult> {
    const mark = randomBytes(12).toString('hex')
    const sql = withConstants({ ...statement, sql: withValues(statement) }, [`'${mark}' AS statement_mark`])
    const run = async (end: AbortSignal, where = '') => {
      lowerQueryThreads()
      const stopKilling = onAbort(end, () => kill(control, mark))
      try {
        return await session.queryAsync(`${sql}${where} FORMAT ${RESULT_FORMAT}`)
      } finally {
        stopKilling()
      }
    }
    // On a full disk the answer is read in memory, so that a query can still find out what fills the disk.
    if (!files.hasRoom) return await ResultRows.of(Buffer.from((await run(signal)).text()))
    return await files
      .fill(caller, (path, isTooLarge) => run(AbortSignal.any([signal, isTooLarge]), ` INTO OUTFILE ${quoteText(path)}`))
      .catch((error: unknown) => avoidFailed(files, error))
  }

  return createGatedReader({
    name: 'the store',
    limits,
    stateOf: tableState,
    read: (statement, caller, { signal, mode }) => sessions.lend(mode, (session) => read(session, statement, { signal, caller })),
    async close() {
      sessions.close()
      control.close()
      files.close()
    },
  })
}

/** If the disk has failed, the query runs again with its answer in memory. */
function avoidFailed(files: ResultFiles, error: unknown): never {
  if (!isDiskFailure(error)) throw error
  files.avoid()
  throw new RunAgain('background', { cause: error })
}

/** Stops the statement with this mark, a name that nothing else uses, if it is running. */
async function kill(control: Session, mark: string): Promise<void> {
  await control
    .queryAsync(`KILL QUERY WHERE startsWith(query, 'WITH') AND position(query, '${mark}') > 0 ASYNC`)
    .catch(() => undefined)
}

/** Sessions for each mode, opened on demand; the queues bound their number. */
class SessionPool {
  readonly #open: (mode: RunMode) => Session
  readonly #free = new Map<RunMode, Session[]>()

  constructor(open: (mode: RunMode) => Session) {
    this.#open = open
  }

  async lend<T>(mode: RunMode, task: (session: Session) => Promise<T>): Promise<T> {
    const free = this.#free.get(mode) ?? []
    this.#free.set(mode, free)
    const session = free.pop() ?? this.#open(mode)
    try {
      const result = await task(session)
      free.push(session)
      return result
    } catch (error) {
      session.close()
      throw error
    }
  }

  /** Call this when no session is lent. */
  close(): void {
    for (const session of [...this.#free.values()].flat()) session.close()
  }
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
