/**
 * Loads the package of the embedded engine, chDB, and opens connections to it. The package is optional and loaded on demand, because it
 * is half a gigabyte that a service on a ClickHouse server does not need.
 */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { STATEMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { describeFailure, type StatementKind } from '../engine/engine-failures.ts'
import { memoryArguments } from '../engine/engine-memory.ts'

type Chdb = Pick<typeof import('chdb'), 'Session'> & Pick<typeof import('chdb/connection'), 'createChdbConnection'>

export type Session = InstanceType<Chdb['Session']>

const require = createRequire(import.meta.url)

/** @throws Error that says what to install if the package or its binary for this machine is missing */
export function loadChdb(): Chdb {
  try {
    return { Session: require('chdb').Session, createChdbConnection: require('chdb/connection').createChdbConnection }
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

/** @returns the rows of a SELECT */
export async function selectRows<T>(session: Session, sql: string): Promise<T[]> {
  const text = (await session.queryAsync(sql, { format: 'JSONEachRow' })).text()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
}

function isNotThere(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' && firstLine(cause).includes("'chdb'")
}

const firstLine = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''

interface Closable {
  close(): unknown
}

export class EmbeddedConnection<Client extends Closable> {
  readonly #open: () => Client
  readonly #statements = new Gate({ ...STATEMENTS, slots: 1 })
  #client: Client | undefined

  /** @param open opens the client, which takes some milliseconds; called at the first task */
  constructor(open: () => Client) {
    this.#open = open
  }

  /** Opens the client before the first task, to find out whether it can be opened. */
  ensureOpen(): this {
    this.#client ??= this.#open()
    return this
  }

  /** Runs a task when it is its turn. @throws ServiceError; whatever the task rejects with, translated */
  async run<T>(kind: StatementKind, task: (client: Client) => Promise<T>): Promise<T> {
    using _permit = await this.#statements.acquire()
    try {
      this.#client ??= this.#open()
      return await task(this.#client)
    } catch (cause) {
      if (kind === 'read') await this.#closeClient()
      throw describeFailure(cause, { kind, name: 'the store' })
    }
  }

  async close(): Promise<void> {
    await this.#statements.idle()
    await this.#closeClient()
  }

  async #closeClient(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.close()
  }
}
