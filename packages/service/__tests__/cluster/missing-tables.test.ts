/**
 * Tables of events that somebody dropped behind the service's back, or that one server of a cluster lacks: their dataset is not deleted.
 */
import type { Health } from '@deployment-annotations/contract/health'
import { expect } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { disposedAfterTests, folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { send } from '../events/send.ts'
import { ask } from '../http.ts'
import { apl, countEvents, ingest } from '../query/ask.ts'
import { CLUSTER, startTwoShards } from './two-shards.ts'

const server = disposedAfterTests(startClickHouse)
const dataDir = folderForTests('missing-tables')
const start = (...flags: string[]) => startService({ dataDir, args: ['--clickhouse', server.url, ...flags] })
const run = async (sql: string) => (await fetch(server.url, { method: 'POST', body: sql })).text()
const listTables = async () => (await run("SELECT name FROM system.tables WHERE name LIKE 'events_%'")).trim().split('\n')

/** @returns the table of the dataset that its first events make */
async function makeDataset(service: Parameters<typeof ingest>[0], dataset: string): Promise<string> {
  const before = new Set(await listTables())
  await ingest(service, dataset, [{ n: 1 }])
  return (await listTables()).find((table) => !before.has(table)) as string
}

const LARGE = `[${Array.from({ length: 40_000 }, () => `{"text":"${'x'.repeat(200)}"}`).join(',')}]`

testOnClickHouse(
  'a table that a server has lost is a 503 that names it, its dataset and the server, until it is there again',
  async () => {
    await using service = await start()
    const table = await makeDataset(service, 'lost')
    await ingest(service, 'whole', [{ n: 1 }])
    const definition = (await run(`SHOW CREATE TABLE ${table} FORMAT TSVRaw`)).trim()
    const keyed = () => send(service, '[{"n":2}]', { dataset: 'lost', headers: { 'Idempotency-Key': 'once' } })
    expect((await keyed()).status).toBe(200)
    await run(`DROP TABLE ${table} SYNC`)

    const message = `the table ${table} of the dataset "lost" is missing: the ClickHouse server at ${new URL(server.url).host} does not have it`
    const refused = [
      await apl(service, "['lost'] | count"),
      await send(service, '[{"n":2}]', { dataset: 'lost' }),
      await send(service, LARGE, { dataset: 'lost' }),
      await keyed(),
      await send(service, '[{"n":3}]', { dataset: 'lost', headers: { 'Idempotency-Key': 'another' } }),
      await ask<{ message: string }>(service, 'POST', '/v2/datasets/lost/trim', { body: { maxDuration: '1h' } }),
      await ask<{ message: string }>(service, 'PUT', '/v2/datasets/lost', {
        body: { retentionDays: 7, useRetentionPeriod: true },
      }),
    ]
    for (const { status, body, headers } of refused)
      expect([status, body.message, headers.get('retry-after')]).toEqual([503, expect.stringContaining(message), '2'])
    expect(refused[1]?.body.message).toContain('; nothing was stored;')
    expect(await countEvents(service, 'whole')).toBe(1)
    const health = (await ask<Health>(service, 'GET', '/healthz')).body
    expect([health.status, health.damagedDatasets]).toEqual(['degraded', ['lost']])
    const found = await runServiceCommand(['fsck', '--data', dataDir, '--clickhouse', server.url])
    expect(found.stdout).toContain(
      `dataset "lost" (${table}): its table of events is missing\n       restore it from a backup, or delete the dataset`,
    )

    await run(definition)
    expect([(await keyed()).body.ingested, await countEvents(service, 'lost')]).toEqual([1, 1])
  },
)

testOnClickHouse('another service names a lost table as soon as it looks for one, in its log and its health', async () => {
  let table: string
  {
    await using service = await start()
    table = await makeDataset(service, 'lost-before')
    await service.stop()
  }
  await run(`DROP TABLE ${table} SYNC`)
  await using service = await start()
  const isNamed = async () =>
    (await ask<Health>(service, 'GET', '/healthz')).body.damagedDatasets?.includes('lost-before') === true
  await until('the health names the dataset', isNamed)
  expect(service.stderr).toContain(`"event":"missing-table"`)
  expect(service.stderr).toContain(`"dataset":"lost-before","table":"${table}"`)
  expect((await ask(service, 'DELETE', '/v2/datasets/lost-before')).status).toBe(204)
  await until('the health does not name it any more', async () => !(await isNamed()))
})

testOnClickHouse(
  'a dataset that another service has deleted is a 404, where its table is gone before that is known, too',
  async () => {
    await using here = await start('--cache-ms', '60000')
    await using there = await start()
    const gone = { status: 404, body: { message: expect.stringContaining('deleted') } }
    for (const request of [
      () => apl(here, "['deleted'] | count"),
      () => send(here, '[{"n":2}]', { dataset: 'deleted' }),
      () => send(here, LARGE, { dataset: 'deleted' }),
      () => ask(here, 'POST', '/v2/datasets/deleted/trim', { body: { maxDuration: '1h' } }),
    ]) {
      await ingest(here, 'deleted', [{ n: 1 }])
      expect(await countEvents(here, 'deleted')).toBe(1)
      expect((await ask(there, 'DELETE', '/v2/datasets/deleted')).status).toBe(204)
      expect(await request()).toMatchObject(gone)
    }
    expect((await ask<Health>(here, 'GET', '/healthz')).body.status).toBe('ok')
  },
)

testOnClickHouse('a table that one server of a cluster lacks is missing there, and no advice deletes it elsewhere', async () => {
  await using cluster = await startTwoShards()
  const args = ['--clickhouse', cluster.url, '--clickhouse-cluster', CLUSTER]
  await using service = await startService({ args })
  await send(service, JSON.stringify(Array.from({ length: 40 }, (_, n) => ({ n }))), { dataset: 'halved' })
  const table = await cluster.ask(2, "SELECT name FROM system.tables WHERE name LIKE 'events_%' AND engine = 'Distributed'")
  const port = await cluster.ask(2, 'SELECT tcpPort()')
  for (const one of [table, `${table}_local`]) await cluster.ask(2, `DROP TABLE ${one} SYNC`)

  const message = new RegExp(
    `the table ${table} of the dataset "halved" is missing: the ClickHouse server at \\S+:${port} does not`,
  )
  const asked = await apl(service, "['halved'] | count")
  expect([asked.status, asked.body.message]).toEqual([503, expect.stringMatching(message)])
  expect((await send(service, LARGE, { dataset: 'halved' })).status).toBe(503)
  const found = await runServiceCommand(['fsck', '--data', service.dataDir, ...args])
  expect(found.stdout).toMatch(
    new RegExp(`\\(${table}\\): its table of events is missing on \\S+:${port}\n +make it again there`),
  )
  expect(found.stdout).not.toContain('or delete the dataset')
  for (const one of [table, `${table}_local`]) await cluster.ask(1, `DROP TABLE ${one} SYNC`)
  expect((await runServiceCommand(['fsck', '--data', service.dataDir, ...args])).stdout).toMatch(
    /missing on \S+:\d+, \S+:\d+\n +make it again there/,
  )
})
