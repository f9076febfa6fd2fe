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
import type { InsertOptions } from '../engine/engine.ts'
import { describeEffect, isAway, MissingTableError } from '../engine/engine-failures.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import { openServerReader } from '../reading/server-reader.ts'
import {
  createAgain,
  createShardedTable,
  dropPartition,
  dropReplica,
  IS_OLDER_PARTITION,
  onCluster,
  syncReplicas,
} from '../schema/event-table.ts'
import { CLUSTER_SETTINGS, ClusterEngine } from '../server/cluster-engine.ts'
import { findLacking, type LackingHost, type Pieces } from '../tables/event-tables.ts'
import type { UpkeepTasks } from '../upkeep/upkeep.ts'
import { ServerStore } from './server-store.ts'

export class ClusterStore extends ServerStore {
  override readonly insertsAreAtomic = false
  declare readonly engine: ClusterEngine
  readonly #cluster: string

  /** @param cluster its name, as `remote_servers` and ON CLUSTER have it */
  constructor(urls: readonly URL[], cluster: string) {
    super(urls, new ClusterEngine(urls, cluster), onCluster(cluster))
    this.#cluster = cluster
  }

  override async create(table: string, comment?: string): Promise<void> {
    // While a shard is unavailable, every try would leave another table on the others.
    await this.engine.require('change')
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
      if (!isAway(cause)) throw cause
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
  override async settleInserts(table: string): Promise<void> {
    await super.settleInserts(table)
    await this.engine.run(syncReplicas(table, this.names))
  }

  /**
   * Creates the table again on hosts that have lost it and whose shard has it on another replica, which then sends them the rows.
   * Keeper refuses that while the lost replica is connected.
   */
  override async restore(table: string, lacking: readonly LackingHost[]): Promise<boolean> {
    if (!lacking.every(({ hasPeer }) => hasPeer)) return false
    await this.engine.require('change')
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
    return this.engine.check()
  }

  override openReader(limits: ReadLimits): Reader {
    return openServerReader(this.urls, { limits, settings: CLUSTER_SETTINGS, stateOf: () => undefined })
  }

  /** The servers of a cluster have metrics of their own. */
  override async measure(): Promise<undefined> {}

  override async openUpkeep(): Promise<UpkeepTasks> {
    return {}
  }
}
