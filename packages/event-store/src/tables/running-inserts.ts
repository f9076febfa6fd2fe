/**
 * Inserts that a server still carries out although nobody waits for them: the connection was lost, or the process that sent
 * them was killed. What they will store is not there to be counted yet.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Engine } from '../engine/engine.ts'
import { type Cluster, quotedName } from '../schema/event-table.ts'

const LOOK_AGAIN_MS = 50
const WAIT_MS_MAX = 25_000

/**
 * Resolves when the inserts into a table that run now have ended, on all hosts of a cluster; later ones are not waited for.
 * @throws ServiceError `unavailable` when they take too long, or a host is away
 */
export async function waitForInserts(engine: Engine, table: string, cluster?: Cluster): Promise<void> {
  const processes = cluster ? `clusterAllReplicas(${quotedName(cluster.name)}, system.processes)` : 'system.processes'
  const list = async () => {
    const rows = await engine.select<{ id: string }>(
      `SELECT concat(hostName(), ':', toString(tcpPort()), ' ', query_id) AS id FROM ${processes}
WHERE query_kind = 'Insert' AND position(query, {table:String}) > 0`,
      { table },
    )
    return rows.map(({ id }) => id)
  }
  let running = await list()
  for (const until = performance.now() + WAIT_MS_MAX; running.length > 0; ) {
    if (performance.now() > until)
      throw new ServiceError('unavailable', `an insert of before is still under way after ${WAIT_MS_MAX / 1_000} s; try again`)
    await sleep(LOOK_AGAIN_MS)
    const now = new Set(await list())
    running = running.filter((id) => now.has(id))
  }
}
