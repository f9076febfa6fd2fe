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
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { STATEMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { BoundValues, Bulk, Engine } from '../engine/engine.ts'
import { describeFailure, type StatementKind } from '../engine/engine-failures.ts'
import { EVENT_SETTINGS } from '../schema/event-table.ts'
import { Preparation } from './preparation.ts'
import { ServerAddresses } from './server-addresses.ts'

/** The most statements that a ClickHouse server gets from this process at once. */
const SERVER_STATEMENTS_MAX = 8
const SERVER_REQUEST_MS_MAX = 30_000
/** The server gives up before the client does, so that the outcome of a statement is known. */
export const SERVER_SECONDS_MAX = 20

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
      parts.deduplication = await findDeduplicationSetting(addresses)
      await profile.prepare?.(engine)
    })
    return { engine, preparation }
  } catch (cause) {
    await addresses.close()
    const reason = String((cause as Error).message)
    throw new Error(cause instanceof ServiceError ? reason : `${addresses.name} cannot be used: ${reason}`, { cause })
  }
}

/** Newer versions have a setting that overrides the older one, and is on by default. */
async function findDeduplicationSetting(addresses: ServerAddresses): Promise<'deduplicate_insert' | 'insert_deduplicate'> {
  const rows = await addresses.run('read', async (client) => {
    const query = "SELECT name FROM system.settings WHERE name = 'deduplicate_insert'"
    return (await client.query({ query, format: 'JSONEachRow' })).json()
  })
  return rows.length > 0 ? 'deduplicate_insert' : 'insert_deduplicate'
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
  const run = async <T>(kind: StatementKind, task: (client: ClickHouseClient) => Promise<T>, mayRepeat?: boolean) => {
    await preparation.done()
    using _permit = await statements.acquire()
    try {
      return await addresses.run(kind, task, mayRepeat)
    } catch (cause) {
      throw describeFailure(cause, { kind, name: addresses.name, reachesManyHosts })
    }
  }
  const { reads = {}, writes = {}, reachesManyHosts = false } = profile
  const inserts = { async_insert: 0, ...profile.inserts } as const

  const select = <T>(query: string, query_params: BoundValues = {}) =>
    run('read', async (client) =>
      (await client.query({ query, query_params, format: 'JSONEachRow', clickhouse_settings: reads })).json<T>(),
    )
  return {
    select,
    run: (query, query_params = {}) =>
      run('change', async (client) => void (await client.command({ query, query_params, clickhouse_settings: writes }))),
    probe: async (query) => void (await select(query)),
    insertJson: (table, columns, texts, { token } = {}) => {
      const { deduplication } = parts
      // Without a token nothing counts as a repeat, because two requests may well send the same rows.
      const once =
        token === undefined
          ? { [deduplication]: OFF[deduplication] }
          : { [deduplication]: ON[deduplication], insert_deduplication_token: token }
      const insertOnce = async (client: ClickHouseClient) => {
        // The client's own insert() takes rows and would print them again. The names of tables and columns come from this program.
        const { stream } = await client.exec({
          query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`,
          values: Readable.from(texts, { objectMode: false }),
          clickhouse_settings: { ...EVENT_SETTINGS, ...inserts, ...once },
        })
        await finished(stream.resume())
      }
      return run('insert', insertOnce, token !== undefined)
    },
    bulk: createServerBulk({
      run,
      select,
      reads,
      insertsOf: () => ({ ...inserts, [parts.deduplication]: OFF[parts.deduplication] }),
    }),
    async close() {
      await statements.idle()
      await addresses.close()
    },
  }
}

const ON = { deduplicate_insert: 'enable', insert_deduplicate: 1 } as const
const OFF = { deduplicate_insert: 'disable', insert_deduplicate: 0 } as const

interface BulkParts {
  run<T>(kind: StatementKind, task: (client: ClickHouseClient) => Promise<T>): Promise<T>
  select: Bulk['select']
  reads: ClickHouseSettings
  insertsOf: () => ClickHouseSettings
}

function createServerBulk({ run, select, reads, insertsOf }: BulkParts): Bulk {
  return {
    select,
    run: (query) => run('change', async (client) => void (await client.command({ query }))),
    readNative: (query) =>
      run('read', async (client) => {
        const { stream } = await client.exec({ query: `${query} FORMAT Native`, clickhouse_settings: reads })
        return buffer(stream)
      }),
    insertNative: (table, columns, file) =>
      run('insert', async (client) => {
        const { stream } = await client.exec({
          query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT Native`,
          values: pipeline(createReadStream(file), createZstdDecompress(), () => undefined),
          clickhouse_settings: insertsOf(),
        })
        await finished(stream.resume())
      }),
  }
}
