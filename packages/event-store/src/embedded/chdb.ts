/**
 * Loads the package of the embedded engine, chDB, and opens connections to it. The package is optional and loaded on demand, because it
 * is half a gigabyte that a service on a ClickHouse server does not need.
 */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { STATEMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import type { BoundValues } from '../engine/engine.ts'
import { describeFailure, type StatementKind } from '../engine/engine-failures.ts'
import { memoryArguments } from '../engine/engine-memory.ts'

type Chdb = Pick<typeof import('chdb'), 'Session'>

type Session = InstanceType<Chdb['Session']>

const require = createRequire(import.meta.url)

/** @throws Error that says what to install if the package or its binary for this machine is missing */
export function loadChdb(): Chdb {
  try {
    return require('chdb')
  } catch (cause) {
    const reason = isNotThere(cause) ? 'is not installed' : `cannot be loaded (${firstLine(cause)})`
    throw new Error(
      `the embedded engine, the package chdb, ${reason}: npm install chdb, or use a ClickHouse server with --clickhouse`,
      { cause },
    )
  }
}

/**
 * By default the engine runs twice as many merges at once as there are processors. One more than there are processors is as quick, and
 * takes 40 MB less at the peak of an ingest: while one merge of large parts takes minutes, small parts can still be merged.
 */
const MERGES_AT_ONCE = [
  `--background_pool_size=${availableParallelism() + 1}`,
  '--background_merges_mutations_concurrency_ratio=1',
]

/**
 * Opens a session on a directory; the first one opens the engine. @throws as {@link loadChdb}, and if the engine cannot open the
 * directory
 */
export function openSession(directory: string): Session {
  return new (loadChdb().Session)(directory, { connectionArgs: [...memoryArguments(), ...MERGES_AT_ONCE] })
}

function isNotThere(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' && firstLine(cause).includes("'chdb'")
}

const firstLine = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''

/** Sessions of the engine, one for each statement that may run at a time; the others wait. */
export class Sessions {
  readonly #open: () => Session
  readonly #sessions: (Session | undefined)[] = []
  readonly #statements: Gate

  /** @param open opens a session, which takes some milliseconds; called at the first statement that needs it */
  constructor(open: () => Session, slots = 1) {
    this.#open = open
    this.#statements = new Gate({ ...STATEMENTS, slots })
  }

  /** Opens a session before the first statement, to find out whether it can be opened. */
  ensureOpen(): void {
    this.#sessions[0] ??= this.#open()
  }

  /**
   * Runs a task when it is its turn. @param task is given a session, and its number
   * @throws ServiceError; whatever the task rejects with, translated
   */
  async run<T>(kind: StatementKind, task: (session: Session, index: number) => Promise<T>): Promise<T> {
    using permit = await this.#statements.acquire()
    const { index } = permit
    try {
      this.#sessions[index] ??= this.#open()
      return await task(this.#sessions[index], index)
    } catch (cause) {
      if (kind === 'read') this.#close(index)
      throw describeFailure(cause, { kind, name: 'the store' })
    }
  }

  /** @returns the rows of a SELECT */
  async select<T>(sql: string, values?: BoundValues): Promise<T[]> {
    const text = await this.run('read', async (session) => (await query(session, sql, values)).text())
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
  }

  async change(sql: string, values?: BoundValues): Promise<void> {
    await this.run('change', (session) => query(session, sql, values))
  }

  async close(): Promise<void> {
    await this.#statements.idle()
    for (const index of this.#sessions.keys()) this.#close(index)
  }

  #close(index: number): void {
    this.#sessions[index]?.close()
    this.#sessions[index] = undefined
  }
}

/** Without values a statement does not wait for those of other sessions that have some, see embedded-engine.ts. */
function query(session: Session, sql: string, values: BoundValues | undefined) {
  const options = { format: 'JSONEachRow' }
  return values ? session.queryBindAsync(sql, values, options) : session.queryAsync(sql, options)
}
