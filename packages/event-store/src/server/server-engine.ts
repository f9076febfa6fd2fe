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
import { ServerAddresses } from './server-addresses.ts'

/** The most statements that a ClickHouse server gets from this process at once. */
const SERVER_STATEMENTS_MAX = 8
const SERVER_REQUEST_MS_MAX = 30_000
/** The server gives up before the client does, so that the outcome of a statement is known. */
export const SERVER_SECONDS_MAX = 20

/** The differences between one server and a cluster. */
interface ServerProfile {
  /** The settings of statements that read, of those that change something, and of inserts. */
  reads: ClickHouseSettings
  writes: ClickHouseSettings
  inserts: ClickHouseSettings
  /** Whether a statement may take effect on one host and not on another. */
  reachesManyHosts: boolean
  /** Called once, before the engine is used. @throws Error with the reason if it cannot be used */
  prepare(engine: Engine): Promise<void>
}

const ONE_SERVER: ServerProfile = {
  reads: {},
  writes: {},
  inserts: {},
  reachesManyHosts: false,
  prepare: async () => undefined,
}

/**
 * @param urls for example `http://user:password@host:8123/database`; the first one that works is used
 * @throws Error if none can be used
 */
export async function openServerEngine(urls: readonly URL[], profile = ONE_SERVER): Promise<Engine> {
  const addresses = new ServerAddresses(urls, {
    application: 'annotation-service',
    connections: SERVER_STATEMENTS_MAX,
    requestMsMax: SERVER_REQUEST_MS_MAX,
  })
  try {
    const deduplication = await findDeduplicationSetting(addresses)
    const engine = createServerEngine({ addresses, deduplication, profile })
    await profile.prepare(engine)
    return engine
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
  deduplication: 'deduplicate_insert' | 'insert_deduplicate'
  profile: ServerProfile
}

function createServerEngine({ addresses, deduplication, profile }: ServerParts): Engine {
  const statements = new Gate({ ...STATEMENTS, slots: SERVER_STATEMENTS_MAX })
  const run = async <T>(kind: StatementKind, task: (client: ClickHouseClient) => Promise<T>, mayRepeat?: boolean) => {
    using _permit = await statements.acquire()
    try {
      return await addresses.run(kind, task, mayRepeat)
    } catch (cause) {
      throw describeFailure(cause, { kind, name: addresses.name, reachesManyHosts })
    }
  }
  const { reads, writes, reachesManyHosts } = profile
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
    insert: (table, values) =>
      run('insert', async (client) => {
        await client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: inserts })
      }),
    insertJson: (table, columns, values, { token } = {}) => {
      // Without a token nothing counts as a repeat, because two requests may well send the same rows.
      const once =
        token === undefined
          ? { [deduplication]: OFF[deduplication] }
          : { [deduplication]: ON[deduplication], insert_deduplication_token: token }
      const insertOnce = async (client: ClickHouseClient) => {
        // The client's own insert() takes rows and would print them again. The names of tables and columns come from this program.
        const { stream } = await client.exec({
          query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`,
          values: Readable.from([values], { objectMode: false }),
          clickhouse_settings: { ...EVENT_SETTINGS, ...inserts, ...once },
        })
        await finished(stream.resume())
      }
      return run('insert', insertOnce, token !== undefined)
    },
    bulk: createServerBulk({ run, select, reads, inserts: { ...inserts, [deduplication]: OFF[deduplication] } }),
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
  inserts: ClickHouseSettings
}

function createServerBulk({ run, select, reads, inserts }: BulkParts): Bulk {
  return {
    select,
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
          clickhouse_settings: inserts,
        })
        await finished(stream.resume())
      }),
  }
}
