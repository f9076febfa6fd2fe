/**
 * What a service is told at start when its servers cannot hold the tables of a cluster.
 */
import { expect } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { ClusterStore } from '../../../event-store/src/stores/cluster-store.ts'
import { CLUSTER, startTwoShards } from './two-shards.ts'

testOnClickHouse('a cluster that is not there, or that takes no statements, is refused with the reason', async () => {
  await using server = await startClickHouse()
  const url = new URL(server.url)
  await expect(new ClusterStore([url], CLUSTER).open()).rejects.toThrow(
    `the ClickHouse server at ${url.host} cannot be used: it has no cluster 'main' (it has `,
  )
  await using cluster = await startTwoShards()
  // The server itself, without the proxy that plays Keeper.
  await expect(new ClusterStore([new URL(cluster.serverUrl(1))], CLUSTER).open()).rejects.toThrow(
    "it does not run statements ON CLUSTER 'main' (error 392); they need Keeper",
  )
  await using bare = await startTwoShards({ hasMacros: false })
  await expect(new ClusterStore([new URL(bare.url)], CLUSTER).open()).rejects.toThrow('it has no macro {shard}')
  // A shard that is away is no reason not to start.
  await cluster.kill(2)
  const store = await new ClusterStore([new URL(cluster.url)], CLUSTER).open()
  await expect(store.check()).rejects.toThrow('1 of 2 shards')
  await store.close()
})
