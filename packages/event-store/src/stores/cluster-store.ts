/**
 * The store on a cluster of ClickHouse servers, by any of their addresses.
 * - A dataset has a replicated table on each shard and a distributed one over them; statements that create or change tables run on all
 *   hosts. While a shard is unavailable, no table is created, and no read leaves the shard out.
 * - Before an insert is acknowledged, every shard has its rows on a majority of its replicas. With two replicas that is both, so
 *   inserts wait for an unavailable one; with three, one may be unavailable. The quorum is parallel, because otherwise
 *   (`insert_quorum_parallel = 0`) an insert fails while one of another process is under way. So `select_sequential_consistency` has no
 *   effect, and reads find acknowledged rows in another way: every server of the cluster, even one that is a replica itself, uses the
 *   replicas in their configured order, for reads and inserts alike. While the first one is unavailable, the second may be some
 *   milliseconds behind.
 * - Each shard stores its rows of an insert on its own. So every request has a record, by which a partial one is found and removed.
 * - The pieces of a large request go directly to the dataset, because rows of several shards cannot be joined in one step.
 * - Parts are on other servers, so days are dropped whole in the place of parts, a count of matches is never remembered, and there are no columns and
 *   indexes for fields. There is no size in the metrics.
 */
import type { ClickHouseSettings } from '@clickhouse/client'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Engine, InsertOptions } from '../engine/engine.ts'
import { describeEffect, engineCode, MissingTableError } from '../engine/engine-failures.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import { openServerReader } from '../reading/server-reader.ts'
import {
  createAgain,
  createShardedTable,
  dropPartition,
  dropReplica,
  IS_OLDER_PARTITION,
  onCluster,
  quotedName,
  syncReplicas,
} from '../schema/event-table.ts'
import { ClusterHosts } from '../server/cluster-hosts.ts'
import { openServerEngine, SERVER_SECONDS_MAX, type ServerEngine } from '../server/server-engine.ts'
import { findLacking, type LackingHost, type Pieces } from '../tables/event-tables.ts'
import type { UpkeepTasks } from '../upkeep/upkeep.ts'
import { RemoteStore } from './remote-store.ts'

/** Every server uses the same order of replicas, and no answer leaves out a shard. */
const SETTINGS = {
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  skip_unavailable_shards: 0,
  // A host that hangs accepts connections. This is as long as the server waits for a connection.
  handshake_timeout_ms: 1_000,
} as const

const WRITE_SETTINGS: ClickHouseSettings = {
  ...SETTINGS,
  distributed_ddl_task_timeout: String(SERVER_SECONDS_MAX),
  distributed_ddl_output_mode: 'throw',
}

/** A replica that hangs has an insert wait for this long, after which it is found out and the rows are counted. */
const INSERT_SECONDS_MAX = 8

/** These names are known to every version that has the JSON columns of events. */
const INSERT_SETTINGS: ClickHouseSettings = {
  ...SETTINGS,
  distributed_foreground_insert: 1,
  distributed_background_insert_timeout: INSERT_SECONDS_MAX,
  insert_quorum: 'auto',
  insert_quorum_parallel: 1,
  insert_quorum_timeout: INSERT_SECONDS_MAX * 1_000,
  // Events of some centuries, and of each day of two weeks.
  max_partitions_per_insert_block: '1000',
}

export class ClusterStore extends RemoteStore {
  override readonly insertsAreAtomic = false
  readonly #cluster: string
  readonly #hosts: ClusterHosts

  private constructor(urls: readonly URL[], opened: ServerEngine, cluster: string) {
    const hosts = new ClusterHosts(opened.engine, cluster)
    super(urls, { ...opened, engine: hosts.engine }, onCluster(cluster))
    this.#hosts = hosts
    this.#cluster = cluster
  }

  /**
   * @param cluster its name, as `remote_servers` and ON CLUSTER have it
   * @throws Error that says what to do if a server cannot be used, or the cluster cannot have our tables
   */
  static async open(urls: readonly URL[], cluster: string): Promise<ClusterStore> {
    const opened = await openServerEngine(urls, {
      reads: SETTINGS,
      writes: WRITE_SETTINGS,
      inserts: INSERT_SETTINGS,
      reachesManyHosts: true,
      prepare: (engine) => requireCluster(engine, cluster),
    })
    return new ClusterStore(urls, opened, cluster).prepared()
  }

  async create(table: string, comment?: string): Promise<void> {
    // While a shard is unavailable, every try would leave another table on the others.
    await this.#hosts.require('change')
    for (const statement of createShardedTable(table, this.#cluster, comment)) await this.engine.run(statement)
  }

  override async openPieces(dataset: { readonly table: string }, begin: () => Promise<unknown>): Promise<Pieces> {
    await begin()
    return {
      targetOf: (token) => ({ table: dataset.table, token }),
      record: {},
      join: async () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    }
  }

  /** A replica that lacks the table keeps others from inserts, and their error does not name it. */
  protected override async insertRows(table: string, blocks: readonly Uint8Array[], options: InsertOptions): Promise<void> {
    await super.insertRows(table, blocks, options).catch(async (cause: unknown) => {
      if (!(cause instanceof ServiceError && cause.code === 'unavailable')) throw cause
      const { mayHaveTakenEffect } = cause
      const lacking = await findLacking(this.engine, this.names, [table]).catch(() => undefined)
      const hosts = lacking?.get(table)?.map(({ host }) => `the ClickHouse server at ${host}`)
      if (!hosts) throw cause
      const effect = describeEffect('insert', mayHaveTakenEffect)
      throw new MissingTableError({ table, place: hosts.join(' and '), effect, cause, mayHaveTakenEffect })
    })
  }

  /** Drops the days that are older as a whole; tables of earlier versions have no partitions. */
  override async dropOlder(table: string, beforeNs: bigint): Promise<void> {
    const partitions = await this.engine.select<{ id: string }>(
      `SELECT DISTINCT partition_id AS id FROM ${this.names.system('parts')} WHERE active AND database = currentDatabase()
        AND table = {rows:String} AND ${IS_OLDER_PARTITION} ORDER BY id`,
      { rows: this.names.rows(table), before: String(beforeNs) },
    )
    for (const { id } of partitions) await this.engine.run(dropPartition(table, id, this.names))
  }

  /** Gives all replicas the same rows first, because it is not known which replica counts. */
  protected override async settleInserts(table: string): Promise<void> {
    await this.endInserts(table)
    await this.engine.run(syncReplicas(table, this.names))
  }

  /**
   * Creates the table again on hosts that have lost it and whose shard has it on another replica, which then sends them the rows.
   * Keeper refuses that while the lost replica is connected.
   */
  override async restore(table: string, lacking: readonly LackingHost[]): Promise<boolean> {
    if (!lacking.every(({ hasPeer }) => hasPeer)) return false
    await this.#hosts.require('change')
    const [place] = await this.engine.select<{ name: string }>('SELECT currentDatabase() AS name')
    await this.engine.run(`CREATE DATABASE IF NOT EXISTS {name:Identifier}${this.names.everywhere}`, place)
    for (const { shard, replica, lacksRows } of lacking) if (lacksRows) await this.engine.run(dropReplica(table, shard, replica))
    for (const name of this.names.all(table).toReversed()) {
      const [row] = await this.engine.select<{ definition: string }>(
        `SELECT create_table_query AS definition FROM ${this.names.hosts('tables')} WHERE database = currentDatabase() AND name = {name:String} LIMIT 1`,
        { name },
      )
      await this.engine.run(createAgain(name, row?.definition ?? '', this.names))
    }
    return true
  }

  override check() {
    return this.#hosts.check()
  }

  openReader(limits: ReadLimits): Reader {
    return openServerReader(this.urls, { limits, settings: SETTINGS, stateOf: () => undefined })
  }

  /** The servers of a cluster have metrics of their own. */
  override async measure(): Promise<undefined> {}

  async openUpkeep(): Promise<UpkeepTasks> {
    return {}
  }
}

interface Host {
  cluster: string
  shard_num: number
  replica_num: number
  /** Older versions do not have this column. */
  internal_replication?: number
}

/** @throws Error that says what to do if the tables of events cannot be created there */
async function requireCluster(engine: Engine, cluster: string): Promise<void> {
  const name = quotedName(cluster)
  const hosts = await engine.select<Host>('SELECT * FROM system.clusters')
  const ours = hosts.filter((host) => host.cluster === cluster)
  if (ours.length === 0) {
    const others = [...new Set(hosts.map((host) => host.cluster))].join(', ') || 'none'
    throw new Error(`it has no cluster ${name} (it has ${others}); define it in remote_servers, or change --clickhouse-cluster`)
  }
  if (ours.some(({ replica_num, internal_replication }) => replica_num > 1 && internal_replication === 0)) {
    throw new Error(`the cluster ${name} would store every event once more for each replica; set internal_replication to true`)
  }
  const macros = await engine.select<{ macro: string }>('SELECT macro FROM system.macros')
  for (const macro of ['shard', 'replica']) {
    if (!macros.some((one) => one.macro === macro))
      throw new Error(`it has no macro {${macro}}, which tells the tables of the cluster ${name} apart; define it in macros`)
  }
  await requireStatementsForAll(engine, name)
}

/** Runs a statement on all hosts that changes nothing. */
async function requireStatementsForAll(engine: Engine, name: string): Promise<void> {
  try {
    await engine.run(`DROP TABLE IF EXISTS events_check ON CLUSTER ${name}`)
  } catch (cause) {
    // The cluster accepts such statements, but a host is unavailable: the service starts, and its health reports it.
    if (cause instanceof ServiceError && cause.code === 'unavailable') return
    throw new Error(
      `it does not run statements ON CLUSTER ${name} (error ${engineCode(cause)}); they need Keeper, and distributed_ddl in its configuration`,
      { cause },
    )
  }
}
