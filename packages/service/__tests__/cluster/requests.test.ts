/**
 * The rows of one request, counted and removed: in the process, on a server, and on two shards.
 */
import { expect, test } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { asBlocks, openTestStore } from '../../../event-store/__tests__/test-store.ts'
import { ClusterStore } from '../../../event-store/src/stores/cluster-store.ts'
import { ServerStore } from '../../../event-store/src/stores/server-store.ts'
import type { EventTables } from '../../../event-store/src/tables/event-tables.ts'
import { CLUSTER, startTwoShards } from './two-shards.ts'

const TABLE = 'events_0123abcd'
const NOW_NS = 1_800_000_000_000_000_000n

/** The span of the request that was received `after` nanoseconds later than the first one. */
const spanOf = (after: bigint) => ({
  sysTimeNs: String(NOW_NS + after),
  firstTimeNs: String(NOW_NS - 9n),
  lastTimeNs: String(NOW_NS),
})

/** Ten rows with times of their own. */
function rowsOf(after: bigint): Buffer {
  const rows = Array.from({ length: 10 }, (_, n) => {
    const [time, sysTime] = [NOW_NS - BigInt(n), NOW_NS + after]
    return `[{"n":${n}},${time},${sysTime},${after * 100n + BigInt(n)}]\n`
  })
  return Buffer.from(rows.join(''))
}

/** @param remembers the store knows rows that are sent again with the same token */
async function countAndRemove(tables: EventTables, { remembers }: { remembers: boolean }): Promise<void> {
  await tables.create(TABLE)
  for (const after of [0n, 1n, 2n]) await tables.insert(TABLE, asBlocks(rowsOf(after)), { token: `request ${after}` })
  // An answer that was lost, and the same rows sent again.
  if (remembers) await tables.insert(TABLE, asBlocks(rowsOf(0n)), { token: 'request 0' })
  const counts = () => Promise.all([0n, 1n, 2n, 3n].map((after) => tables.count(TABLE, spanOf(after))))
  expect(await counts()).toEqual([10, 10, 10, 0])
  expect(await tables.count(TABLE, { ...spanOf(1n), lastTimeNs: String(NOW_NS - 5n) })).toBe(5)
  for (let twice = 0; twice < 2; twice++) {
    await tables.removeRequest(TABLE, spanOf(1n))
    expect(await counts()).toEqual([10, 0, 10, 0])
  }
  // The same rows once more, as another attempt.
  await tables.insert(TABLE, asBlocks(rowsOf(1n)), { token: 'request 1, second attempt' })
  expect(await counts()).toEqual([10, 10, 10, 0])
}

test('in the process', async () => {
  await using opened = await openTestStore()
  await countAndRemove(opened.store, { remembers: false })
})

testOnClickHouse('on a server, where the insert of a process that is gone may still be under way', async () => {
  await using server = await startClickHouse()
  const tables = await new ServerStore([new URL(server.url)]).open()
  const { engine } = tables
  await countAndRemove(tables, { remembers: true })
  const late = `INSERT INTO ${TABLE} (_time, _sysTime, _row, data) SELECT fromUnixTimestamp64Nano(${NOW_NS}, 'UTC'), fromUnixTimestamp64Nano(${NOW_NS + 7n}, 'UTC'), 1, '{}'
FROM numbers(2) WHERE sleepEachRow(1) = 0`
  const inserting = fetch(server.url, { method: 'POST', body: late })
  while ((await engine.select("SELECT 1 FROM system.processes WHERE query_kind = 'Insert'")).length === 0);
  expect(await tables.count(TABLE, spanOf(7n))).toBe(2)
  expect((await inserting).status).toBe(200)
  await tables.close()
})

testOnClickHouse('on two shards, after their replicas have caught up', async () => {
  await using cluster = await startTwoShards()
  const tables = await new ClusterStore([new URL(cluster.url)], CLUSTER).open()
  await countAndRemove(tables, { remembers: true })
  expect(cluster.statements).toContain(`SYSTEM SYNC REPLICA ON CLUSTER 'main' ${TABLE}_local`)
  // A shard that is away has rows that cannot be counted.
  await cluster.kill(2)
  await expect(tables.count(TABLE, spanOf(0n))).rejects.toMatchObject({
    code: 'unavailable',
  })
  await tables.close()
})
