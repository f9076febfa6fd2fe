/**
 * The engine on ClickHouse servers, over HTTP, by any of their addresses. The server does not queue an insert (`async_insert`, which
 * newer versions do by default), because the insert would share its outcome with others.
 * Deliberately not here: the additional needs of a cluster (cluster-engine.ts).
 */
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import type { ClickHouseSettings } from '@clickhouse/client'
import { STATEMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { BoundValues, Bulk, Engine, InsertOptions } from '../engine/engine.ts'
import { describeFailure, type StatementKind } from '../engine/engine-failures.ts'
import { INDEXES_LATER } from '../schema/event-table.ts'
import { Preparation } from './preparation.ts'
import { ServerAddresses, type ServerTask } from './server-addresses.ts'

/** The most statements that a ClickHouse server gets from this process at once. */
const SERVER_STATEMENTS_MAX = 8
const SERVER_REQUEST_MS_MAX = 30_000
/** The server gives up before the client does, so that the outcome of a statement is known. */
export const SERVER_SECONDS_MAX = 15

/** The settings of statements that read, of those that change something, and of inserts. */
type ServerSettings = Record<'reads' | 'changes' | 'inserts', ClickHouseSettings>

export class ServerEngine implements Engine, Bulk {
  readonly bulk: Bulk = this
  /** Whether a statement may take effect on one host and not on another. */
  protected readonly reachesManyHosts: boolean = false
  readonly #settings: ServerSettings
  readonly #addresses: ServerAddresses
  readonly #preparation = new Preparation()
  readonly #statements = new Gate({ ...STATEMENTS, slots: SERVER_STATEMENTS_MAX })
  /** Newer versions have a setting that overrides the older one, and is on by default. */
  #deduplication: 'deduplicate_insert' | 'insert_deduplicate' = 'insert_deduplicate'

  /** @param urls for example `http://user:password@host:8123/database`; the first one that works is used */
  constructor(urls: readonly URL[], settings: ServerSettings = { reads: {}, changes: {}, inserts: {} }) {
    this.#settings = settings
    this.#addresses = new ServerAddresses(urls, {
      application: 'annotation-service',
      connections: SERVER_STATEMENTS_MAX,
      requestMsMax: SERVER_REQUEST_MS_MAX,
    })
  }

  /**
   * Call this first. While all servers are away, every statement fails until one is back.
   * @throws Error if a server answers that cannot be used
   */
  async open(): Promise<this> {
    try {
      await this.prepare(() => this.examine())
      return this
    } catch (cause) {
      await this.#addresses.close()
      const reason = String((cause as Error).message)
      throw new Error(cause instanceof ServiceError ? reason : `${this.#addresses.name} cannot be used: ${reason}`, { cause })
    }
  }

  /** @throws Error with the reason if the server cannot be used */
  protected async examine(): Promise<void> {
    const [newer] = await this.select("SELECT name FROM system.settings WHERE name = 'deduplicate_insert'")
    if (newer) this.#deduplication = 'deduplicate_insert'
  }

  prepare(task: () => Promise<unknown>): Promise<void> {
    return this.#preparation.add(task)
  }

  select<T>(query: string, query_params: BoundValues = {}): Promise<T[]> {
    const settings = { clickhouse_settings: this.#settings.reads }
    return this.#send('read', async (client, _, abort_signal) =>
      (await client.query({ query, query_params, format: 'JSONEachRow', ...settings, abort_signal })).json<T>(),
    )
  }

  async run(query: string, query_params: BoundValues = {}): Promise<void> {
    const settings = { clickhouse_settings: this.#settings.changes }
    await this.#send('change', (client, _, abort_signal) => client.command({ query, query_params, ...settings, abort_signal }))
  }

  async probe(query: string): Promise<void> {
    await this.select(query)
  }

  insertBlocks(
    table: string,
    columns: readonly string[],
    blocks: readonly Uint8Array[],
    { token }: InsertOptions = {},
  ): Promise<void> {
    return this.#insert(table, columns, () => Readable.from(blocks, { objectMode: false }), {
      ...INDEXES_LATER,
      ...this.#once(token),
    })
  }

  insertNative(table: string, columns: readonly string[], file: string): Promise<void> {
    const values = () => pipeline(createReadStream(file), createZstdDecompress(), () => undefined)
    return this.#insert(table, columns, values, this.#once())
  }

  readNative(query: string): Promise<Uint8Array> {
    return this.#send('read', async (client) => {
      const native = { query: `${query} FORMAT Native`, clickhouse_settings: this.#settings.reads }
      return buffer((await client.exec(native)).stream)
    })
  }

  async close(): Promise<void> {
    await this.#statements.idle()
    await this.#addresses.close()
  }

  async #send<T>(kind: StatementKind, task: ServerTask<T>, mayRepeat?: boolean): Promise<T> {
    await this.#preparation.done()
    using _permit = await this.#statements.acquire()
    try {
      return await this.#addresses.run(kind, task, mayRepeat)
    } catch (cause) {
      throw describeFailure(cause, { kind, name: this.#addresses.name, reachesManyHosts: this.reachesManyHosts })
    }
  }

  /** The client's own insert() takes rows and would print them again. The names of tables and columns come from this program. */
  #insert(table: string, columns: readonly string[], values: () => Readable, more: ClickHouseSettings): Promise<void> {
    const query = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT Native`
    const clickhouse_settings = { async_insert: 0, ...this.#settings.inserts, ...more } as const
    const send: ServerTask<void> = async (client, _, abort_signal) => {
      const { stream } = await client.exec({ query, values: values(), clickhouse_settings, abort_signal })
      await finished(stream.resume())
    }
    return this.#send('insert', send, more.insert_deduplication_token !== undefined)
  }

  /** Without a token nothing counts as a repeat, because two requests may well send the same rows. */
  #once(token?: string): ClickHouseSettings {
    const isOn = token !== undefined
    const value = this.#deduplication === 'insert_deduplicate' ? Number(isOn) : isOn ? 'enable' : 'disable'
    return { [this.#deduplication]: value, ...(isOn && { insert_deduplication_token: token }) }
  }
}
