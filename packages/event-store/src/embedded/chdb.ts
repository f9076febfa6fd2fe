/**
 * The embedded engine's package, chDB, and connections to it. The package is loaded when it is first asked for: it is optional, because
 * it is
 * half a gigabyte that a service on a ClickHouse server does not need.
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

/** @throws Error with what to install, where the package or its binary for this machine is not there */
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
 * By itself the engine merges twice as many times at once as there are processors. One more than there are is as quick, and takes 40 MB
 * less at the peak of an ingest: one merge of large parts, which takes minutes, leaves room for the small parts that come meanwhile.
 */
const MERGES_AT_ONCE = [
  `--background_pool_size=${availableParallelism() + 1}`,
  '--background_merges_mutations_concurrency_ratio=1',
]

/** Opens a session on a directory; the first one opens the engine. @throws as {@link loadChdb}, and where the engine cannot open it */
export function openSession(directory: string): Session {
  return new (loadChdb().Session)(directory, { connectionArgs: [...memoryArguments(), ...MERGES_AT_ONCE] })
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

  /** @param open opens it, which takes some milliseconds; called when there is something to do */
  constructor(open: () => Client) {
    this.#open = open
  }

  /** Opens it before there is something to do, to see whether it can be. */
  ensureOpen(): this {
    this.#client ??= this.#open()
    return this
  }

  /** Waits for its turn. @throws ServiceError; what the task rejects with, described */
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

  /** Waits for what is under way. */
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
