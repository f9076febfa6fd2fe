/**
 * The hosts of a cluster, and which of them answer. A statement for several hosts waits for one that is away or hangs until its time is
 * over. So after the first one has failed, no other is begun until the hosts answer, and each error says which host is the reason.
 * Deliberately not here: hosts that lack tables (damaged-tables.ts).
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Engine } from '../engine/engine.ts'
import { describeEffect, MissingTableError, type StatementKind } from '../engine/engine-failures.ts'
import { quotedName } from '../schema/event-table.ts'

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

export class ClusterHosts {
  /** The engine, whose statements for several hosts fail soon, and by the name of the host, while one is away. */
  readonly engine: Engine
  readonly #list: () => Promise<Shard[]>
  #wasAnyAway = false

  constructor(engine: Engine, cluster: string) {
    const name = quotedName(cluster)
    this.#list = () =>
      engine.select<Shard>(
        `WITH (SELECT CAST(groupArray((_shard_num, value)), 'Map(UInt64, Int64)') FROM clusterAllReplicas(${name}, system.metrics)
  WHERE metric = 'ReadonlyReplica') AS found
SELECT shard_num AS shard, toUInt32(count()) AS hosts, toUInt32(sum(found[number])) AS readOnly,
  groupArrayIf(concat(host_name, ':', toString(port)), NOT mapContains(found, number)) AS away
FROM (SELECT *, row_number() OVER (ORDER BY shard_num, replica_num) AS number FROM system.clusters WHERE cluster = ${name})
GROUP BY shard ORDER BY shard SETTINGS skip_unavailable_shards = 1, connections_with_failover_max_tries = 1`,
      )
    const guard =
      <Args extends unknown[]>(kind: StatementKind, run: (...args: Args) => Promise<void>) =>
      async (...args: Args) => {
        if (this.#wasAnyAway) await this.require(kind)
        try {
          await run(...args)
        } catch (error) {
          const isAway = error instanceof ServiceError && error.code === 'unavailable' && !(error instanceof MissingTableError)
          if (isAway) await this.require(kind, error)
          throw error
        }
      }
    this.engine = { ...engine, run: guard('change', engine.run), insertBlocks: guard('insert', engine.insertBlocks) }
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
}

const hasQuorum = ({ hosts, away }: Pick<Shard, 'hosts' | 'away'>) => hosts - away.length > hosts / 2
