/**
 * The engine on ClickHouse servers, over HTTP, by any of their addresses. The server does not queue an insert (`async_insert`, which
 * newer versions do by default), because the insert would share its outcome with others.
 * Deliberately not here: the additional needs of a cluster (stores/cluster-store.ts).
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
import type { BoundValues, Engine } from '../engine/engine.ts'
import { describeFailure, type StatementKind } from '../engine/engine-failures.ts'
import { INDEXES_LATER } from '../schema/event-table.ts'
import { Preparation } from './preparation.ts'
import { ServerAddresses, type ServerTask } from './server-addresses.ts'

/** The most statements that a ClickHouse server gets from this process at once. */
const SERVER_STATEMENTS_MAX = 8
const SERVER_REQUEST_MS_MAX = 30_000
/** The server gives up before the client does, so that the outcome of a statement is known. */
export const SERVER_SECONDS_MAX = 15

/** What a cluster has beyond one server. */
interface ServerProfile {
  /** The settings of statements that read, of those that change something, and of inserts. */
  reads: ClickHouseSettings
  writes: ClickHouseSettings
  inserts: ClickHouseSettings
  /** Whether a statement may take effect on one host and not on another. */
  reachesManyHosts: boolean
  /** Called once, before the engine is used for anything else. @throws Error with the reason if it cannot be used */
  prepare(engine: Engine): Promise<void>
}

export interface ServerEngine {
  engine: Engine
  /** What is done before the first statement. */
  preparation: Preparation
}

/**
 * Opens the engine, also while all of its servers are away; every statement then fails until one is back.
 * @param urls for example `http://user:password@host:8123/database`; the first one that works is used
 * @throws Error if a server answers that cannot be used
 */
export async function openServerEngine(urls: readonly URL[], profile: Partial<ServerProfile> = {}): Promise<ServerEngine> {
  const addresses = new ServerAddresses(urls, {
    application: 'annotation-service',
    connections: SERVER_STATEMENTS_MAX,
    requestMsMax: SERVER_REQUEST_MS_MAX,
  })
  const preparation = new Preparation()
  const parts: ServerParts = { addresses, preparation, deduplication: 'insert_deduplicate', profile }
  const engine = createServerEngine(parts)
  try {
    await preparation.add(async () => {
      // Newer versions have a setting that overrides the older one, and is on by default.
      const [newer] = await engine.select("SELECT name FROM system.settings WHERE name = 'deduplicate_insert'")
      if (newer) parts.deduplication = 'deduplicate_insert'
      await profile.prepare?.(engine)
    })
    return { engine, preparation }
  } catch (cause) {
    await addresses.close()
    const reason = String((cause as Error).message)
    throw new Error(cause instanceof ServiceError ? reason : `${addresses.name} cannot be used: ${reason}`, { cause })
  }
}

interface ServerParts {
  addresses: ServerAddresses
  preparation: Preparation
  /** Found out by the preparation. */
  deduplication: 'deduplicate_insert' | 'insert_deduplicate'
  profile: Partial<ServerProfile>
}

function createServerEngine(parts: ServerParts): Engine {
  const { addresses, preparation, profile } = parts
  const statements = new Gate({ ...STATEMENTS, slots: SERVER_STATEMENTS_MAX })
  const run = async <T>(kind: StatementKind, task: ServerTask<T>, mayRepeat?: boolean) => {
    await preparation.done()
    using _permit = await statements.acquire()
    try {
      return await addresses.run(kind, task, mayRepeat)
    } catch (cause) {
      throw describeFailure(cause, { kind, name: addresses.name, reachesManyHosts })
    }
  }
  const { reads = {}, writes = {}, reachesManyHosts = false } = profile
  const select = <T>(query: string, query_params: BoundValues = {}) =>
    run('read', async (client, _, abort_signal) =>
      (await client.query({ query, query_params, format: 'JSONEachRow', clickhouse_settings: reads, abort_signal })).json<T>(),
    )
  const change = (query: string, query_params: BoundValues = {}) =>
    run('change', async (client, _, abort_signal) => {
      await client.command({ query, query_params, clickhouse_settings: writes, abort_signal })
    })
  /** The client's own insert() takes rows and would print them again. The names of tables and columns come from this program. */
  const insert = (into: string, values: () => Readable, token?: string, more: ClickHouseSettings = {}) => {
    const settings = { async_insert: 0, ...profile.inserts, ...more, ...deduplicated(parts.deduplication, token) } as const
    const send: ServerTask<void> = async (client, _, abort_signal) => {
      const query = `INSERT INTO ${into}`
      const { stream } = await client.exec({ query, values: values(), clickhouse_settings: settings, abort_signal })
      await finished(stream.resume())
    }
    return run('insert', send, token !== undefined)
  }
  const readNative = (query: string) =>
    run('read', async (client) => {
      const { stream } = await client.exec({ query: `${query} FORMAT Native`, clickhouse_settings: reads })
      return buffer(stream)
    })
  return {
    select,
    run: change,
    probe: async (query) => void (await select(query)),
    insertBlocks: (table, columns, blocks, { token } = {}) => {
      const values = () => Readable.from(blocks, { objectMode: false })
      return insert(`${table} (${columns.join(', ')}) FORMAT Native`, values, token, INDEXES_LATER)
    },
    bulk: {
      select,
      run: change,
      readNative,
      insertNative: (table, columns, file) =>
        insert(`${table} (${columns.join(', ')}) FORMAT Native`, () => readUncompressed(file)),
    },
    async close() {
      await statements.idle()
      await addresses.close()
    },
  }
}

const readUncompressed = (file: string) => pipeline(createReadStream(file), createZstdDecompress(), () => undefined)

/** Without a token nothing counts as a repeat, because two requests may well send the same rows. */
function deduplicated(setting: ServerParts['deduplication'], token: string | undefined): ClickHouseSettings {
  const isOn = token !== undefined
  const value = setting === 'insert_deduplicate' ? Number(isOn) : isOn ? 'enable' : 'disable'
  return { [setting]: value, ...(isOn && { insert_deduplication_token: token }) }
}
