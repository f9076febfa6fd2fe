/**
 * A cluster of ClickHouse servers as one of them sees it: whether it can hold our tables at all, which is asked at start, and
 * whether all of its shards answer, which is asked again and again.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Engine } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import { type Cluster, quotedName } from '../schema/event-table.ts'

interface Host {
  cluster: string
  shard_num: number
  replica_num: number
  /** Not told by older versions. */
  internal_replication?: number
}

/** @throws Error with what to do when the tables of events cannot be made there */
export async function requireCluster(engine: Engine, cluster: Cluster): Promise<void> {
  const name = quotedName(cluster.name)
  const hosts = await engine.select<Host>('SELECT * FROM system.clusters')
  const ours = hosts.filter((host) => host.cluster === cluster.name)
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

/** A statement for all hosts that changes nothing. */
async function requireStatementsForAll(engine: Engine, name: string): Promise<void> {
  try {
    await engine.run(`DROP TABLE IF EXISTS events_check ON CLUSTER ${name}`)
  } catch (cause) {
    // It takes them, and a host is away: the service starts, and its health says so.
    if (cause instanceof ServiceError && cause.code === 'unavailable') return
    throw new Error(
      `it does not run statements ON CLUSTER ${name} (error ${engineCode(cause)}); they need Keeper, and distributed_ddl in its configuration`,
      { cause },
    )
  }
}

/** Some shards of the cluster are away. */
export class ShardsAwayError extends ServiceError {}

/** One row from each shard that answers. @throws ShardsAwayError; ServiceError `unavailable` */
export async function checkShards(engine: Engine, cluster: Cluster): Promise<void> {
  const name = quotedName(cluster.name)
  const [row] = await engine.select<{ shards: number; answering: number }>(
    `SELECT toUInt32((SELECT uniqExact(shard_num) FROM system.clusters WHERE cluster = ${name})) AS shards, toUInt32(count()) AS answering
FROM cluster(${name}, system.one) SETTINGS skip_unavailable_shards = 1`,
  )
  const { shards = 0, answering = 0 } = row ?? {}
  if (answering < shards)
    throw new ShardsAwayError('unavailable', `${shards - answering} of ${shards} shards of the cluster do not answer`)
}
