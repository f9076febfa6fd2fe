/**
 * The engine on the servers of a cluster, and which of its hosts answer. A statement for several hosts waits for one that is away or
 * hangs until its time is over. So after the first one has failed, no other is begun until the hosts answer, and each error says which
 * host is the reason.
 * Deliberately not here: hosts that lack tables (damaged-tables.ts).
 */
import type { ClickHouseSettings } from '@clickhouse/client'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Engine } from '../engine/engine.ts'
import { describeEffect, engineCode, isAway, MissingTableError, type StatementKind } from '../engine/engine-failures.ts'
import { quotedName } from '../schema/event-table.ts'
import { SERVER_SECONDS_MAX, ServerEngine } from './server-engine.ts'

/** Some shards of the cluster are away. */
export class ShardsAwayError extends ServiceError {}

interface Shard {
  shard: number
  hosts: number
  /** The hosts that do not answer, by name and port as `remote_servers` has them. */
  away: string[]
  /** How many replicated tables take no inserts, over the hosts. */
  readOnly: number
}

interface Host {
  cluster: string
  shard_num: number
  replica_num: number
  /** Older versions do not have this column. */
  internal_replication?: number
}

/** Every server uses the same order of replicas, and no answer leaves out a shard. */
export const CLUSTER_SETTINGS = {
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  skip_unavailable_shards: 0,
  // A host that hangs accepts connections. This is as long as the server waits for a connection.
  handshake_timeout_ms: 1_000,
} as const

const CHANGE_SETTINGS: ClickHouseSettings = {
  ...CLUSTER_SETTINGS,
  distributed_ddl_task_timeout: String(SERVER_SECONDS_MAX),
  distributed_ddl_output_mode: 'throw',
}

/** A replica that hangs has an insert wait for this long, after which it is found out and the rows are counted. */
const INSERT_SECONDS_MAX = 8

/** These names are known to every version that has the JSON columns of events. */
const INSERT_SETTINGS: ClickHouseSettings = {
  ...CLUSTER_SETTINGS,
  distributed_foreground_insert: 1,
  distributed_background_insert_timeout: INSERT_SECONDS_MAX,
  insert_quorum: 'auto',
  insert_quorum_parallel: 1,
  insert_quorum_timeout: INSERT_SECONDS_MAX * 1_000,
  // Events of some centuries, and of each day of two weeks.
  max_partitions_per_insert_block: '1000',
}

export class ClusterEngine extends ServerEngine {
  protected override readonly reachesManyHosts = true
  readonly #cluster: string
  #wasAnyAway = false

  /** @param cluster its name, as `remote_servers` and ON CLUSTER have it */
  constructor(urls: readonly URL[], cluster: string) {
    super(urls, { reads: CLUSTER_SETTINGS, changes: CHANGE_SETTINGS, inserts: INSERT_SETTINGS })
    this.#cluster = cluster
  }

  /** @throws Error that says what to do if the cluster cannot have tables of events */
  protected override async examine(): Promise<void> {
    await super.examine()
    const name = quotedName(this.#cluster)
    const hosts = await this.select<Host>('SELECT * FROM system.clusters')
    const ours = hosts.filter(({ cluster }) => cluster === this.#cluster)
    if (ours.length === 0) {
      const others = [...new Set(hosts.map(({ cluster }) => cluster))].join(', ') || 'none'
      throw new Error(`it has no cluster ${name} (it has ${others}); define it in remote_servers, or change --clickhouse-cluster`)
    }
    if (ours.some(({ replica_num, internal_replication }) => replica_num > 1 && internal_replication === 0))
      throw new Error(`the cluster ${name} would store every event once more for each replica; set internal_replication to true`)
    const macros = await this.select<{ macro: string }>('SELECT macro FROM system.macros')
    const missing = ['shard', 'replica'].find((macro) => !macros.some((one) => one.macro === macro))
    if (missing !== undefined)
      throw new Error(`it has no macro {${missing}}, which tells the tables of the cluster ${name} apart; define it in macros`)
    // It changes nothing. If a host is away, the cluster takes such statements all the same: the service starts, and its health reports it.
    await this.run(`DROP TABLE IF EXISTS events_check ON CLUSTER ${name}`).catch((cause: unknown) => {
      if (isAway(cause)) return
      throw new Error(
        `it does not run statements ON CLUSTER ${name} (error ${engineCode(cause)}); they need Keeper, and distributed_ddl in its configuration`,
        { cause },
      )
    })
  }

  override run(...statement: Parameters<Engine['run']>): Promise<void> {
    return this.#guard('change', () => super.run(...statement))
  }

  override insertBlocks(...rows: Parameters<Engine['insertBlocks']>): Promise<void> {
    return this.#guard('insert', () => super.insertBlocks(...rows))
  }

  /** Has a statement for several hosts fail soon, and by the name of the host, while one is away. */
  async #guard(kind: StatementKind, run: () => Promise<void>): Promise<void> {
    if (this.#wasAnyAway) await this.require(kind)
    try {
      await run()
    } catch (error) {
      if (isAway(error) && !(error instanceof MissingTableError)) await this.require(kind, error)
      throw error
    }
  }

  /**
   * Requires every host for a change, and for an insert most replicas of every shard.
   * @param cause of a statement that has failed
   * @throws ServiceError `unavailable` that names the hosts that do not answer
   */
  async require(kind: StatementKind, cause?: ServiceError): Promise<void> {
    const shards = await this.#list().catch(() => [])
    const away = shards.filter((shard) => shard.away.length > 0 && (kind === 'change' || !hasQuorum(shard)))
    this.#wasAnyAway = away.length > 0
    if (away.length === 0) return
    const hosts = away.flatMap((shard) => shard.away).join(', ')
    const waiting = away.map(({ shard }) => shard).join(' and ')
    const { mayHaveTakenEffect = false } = cause ?? {}
    const effect = describeEffect(kind, mayHaveTakenEffect)
    const message = `the ClickHouse server at ${hosts} cannot do this now (no answer for shard ${waiting}; restart it)${effect}`
    throw new ServiceError('unavailable', message, { cause, mayHaveTakenEffect })
  }

  /** @returns what does not work, without addresses. @throws ShardsAwayError; ServiceError `unavailable` */
  async check(): Promise<{ status: 'degraded'; message: string } | undefined> {
    const shards = await this.#list()
    const gone = shards.filter(({ hosts, away }) => away.length === hosts).length
    if (gone > 0) throw new ShardsAwayError('unavailable', `${gone} of ${shards.length} shards of the cluster do not answer`)
    const messages = shards.flatMap(({ shard, hosts, away, readOnly }) => {
      const inserts = hasQuorum({ hosts, away }) ? 'inserts go on' : 'inserts are refused'
      return [
        ...(away.length > 0 ? [`shard ${shard}: ${away.length} of ${hosts} servers do not answer, ${inserts}`] : []),
        ...(readOnly > 0 ? [`shard ${shard}: ${readOnly} tables are read-only, because Keeper is away or has lost them`] : []),
      ]
    })
    return messages.length === 0 ? undefined : { status: 'degraded', message: messages.join('; ') }
  }

  #list(): Promise<Shard[]> {
    const name = quotedName(this.#cluster)
    return this.select<Shard>(
      `WITH (SELECT CAST(groupArray((_shard_num, value)), 'Map(UInt64, Int64)') FROM clusterAllReplicas(${name}, system.metrics)
  WHERE metric = 'ReadonlyReplica') AS found
SELECT shard_num AS shard, toUInt32(count()) AS hosts, toUInt32(sum(found[number])) AS readOnly,
  groupArrayIf(concat(host_name, ':', toString(port)), NOT mapContains(found, number)) AS away
FROM (SELECT *, row_number() OVER (ORDER BY shard_num, replica_num) AS number FROM system.clusters WHERE cluster = ${name})
GROUP BY shard ORDER BY shard SETTINGS skip_unavailable_shards = 1, connections_with_failover_max_tries = 1`,
    )
  }
}

const hasQuorum = ({ hosts, away }: Pick<Shard, 'hosts' | 'away'>) => hosts - away.length > hosts / 2
