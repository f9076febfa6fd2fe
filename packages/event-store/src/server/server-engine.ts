/**
 * ClickHouse servers as the engine, over HTTP: one server, or a cluster by any of its addresses.
 *
 * What is asked of an insert, besides what every insert of events is asked for:
 * - It is not queued by the server (`async_insert`, which newer versions do by default): it would share its outcome with others.
 * - On a cluster every shard has its rows before it is acknowledged, and a majority of each shard's replicas. With two
 *   replicas that is both, so inserts wait for the one that is away; with three, one may be away. The quorum is a parallel one,
 *   because in turn (`insert_quorum_parallel = 0`) an insert fails while one of another process is under way. So
 *   `select_sequential_consistency` has no meaning, and reads find what was acknowledged in another way: every server of the
 *   cluster, also one that is a replica itself, asks the replicas in the order in which they are configured, for reads and for
 *   inserts alike. While the first one is away, the second may be some milliseconds behind.
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
import { CLUSTER_SETTINGS, type Cluster, EVENT_SETTINGS } from '../schema/event-table.ts'
import { ServerAddresses } from './server-addresses.ts'
import { checkShards, requireCluster } from './server-cluster.ts'

/** Statements that a ClickHouse server gets at once from us. */
const SERVER_STATEMENTS_MAX = 8
const SERVER_REQUEST_MS_MAX = 30_000
/** The server gives up before we do, so that we learn what became of a statement. */
const SERVER_SECONDS_MAX = 20

/**
 * @param urls for example `http://user:password@host:8123/database`; the first that works is used
 * @throws Error when none can be used, or the cluster cannot
 */
export async function openServerEngine(urls: readonly URL[], cluster?: Cluster): Promise<Engine> {
  const addresses = new ServerAddresses(urls, {
    application: 'annotation-service',
    connections: SERVER_STATEMENTS_MAX,
    requestMsMax: SERVER_REQUEST_MS_MAX,
  })
  try {
    const deduplication = await findDeduplicationSetting(addresses)
    const engine = createServerEngine({ addresses, cluster, deduplication })
    if (cluster) await requireCluster(engine, cluster)
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
  cluster: Cluster | undefined
  deduplication: 'deduplicate_insert' | 'insert_deduplicate'
}

/** Of statements that go to all hosts of a cluster, and of inserts there. */
const CLUSTER_WRITE_SETTINGS: ClickHouseSettings = {
  ...CLUSTER_SETTINGS,
  distributed_ddl_task_timeout: String(SERVER_SECONDS_MAX),
  distributed_ddl_output_mode: 'throw',
}

/** The names are those of every version that has the JSON columns of events. */
const CLUSTER_INSERT_SETTINGS: ClickHouseSettings = {
  ...CLUSTER_SETTINGS,
  distributed_foreground_insert: 1,
  distributed_background_insert_timeout: SERVER_SECONDS_MAX,
  insert_quorum: 'auto',
  insert_quorum_parallel: 1,
  insert_quorum_timeout: SERVER_SECONDS_MAX * 1_000,
}

function createServerEngine({ addresses, cluster, deduplication }: ServerParts): Engine {
  const statements = new Gate({ ...STATEMENTS, slots: SERVER_STATEMENTS_MAX })
  const run = async <T>(kind: StatementKind, task: (client: ClickHouseClient) => Promise<T>, mayRepeat?: boolean) => {
    using _permit = await statements.acquire()
    try {
      return await addresses.run(kind, task, mayRepeat)
    } catch (cause) {
      throw describeFailure(cause, { kind, name: addresses.name, isCluster: cluster !== undefined })
    }
  }
  const reads = cluster ? CLUSTER_SETTINGS : {}
  const writes = cluster ? CLUSTER_WRITE_SETTINGS : {}
  const inserts = { async_insert: 0, ...(cluster && CLUSTER_INSERT_SETTINGS) } as const

  const select = <T>(query: string, query_params: BoundValues = {}) =>
    run('read', async (client) =>
      (await client.query({ query, query_params, format: 'JSONEachRow', clickhouse_settings: reads })).json<T>(),
    )
  const engine: Engine = {
    isServer: true,
    select,
    run: (query, query_params = {}) =>
      run('change', async (client) => void (await client.command({ query, query_params, clickhouse_settings: writes }))),
    probe: async (query) => void (await select(query)),
    insert: (table, values) =>
      run('insert', async (client) => {
        await client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: inserts })
      }),
    insertJson: (table, columns, values, { token } = {}) => {
      // Without a token nothing is taken for a repeat: two requests may well send the same.
      const once =
        token === undefined
          ? { [deduplication]: OFF[deduplication] }
          : { [deduplication]: ON[deduplication], insert_deduplication_token: token }
      const insertOnce = async (client: ClickHouseClient) => {
        // The client's own insert() takes rows, and would print them again. Names of tables and columns are ours.
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
    check: () => (cluster ? checkShards(engine, cluster) : engine.probe('SELECT 1')),
    async close() {
      await statements.idle()
      await addresses.close()
    },
  }
  return engine
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
