/**
 * A connection to the embedded engine, which carries out one statement at a time. One that saw a read fail is closed, and the next
 * statement gets another: what a statement wrote before it failed is what the next answer would begin with (seen in version 26.7).
 */
import { STATEMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { describeFailure, type StatementKind } from '../engine/engine-failures.ts'

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
