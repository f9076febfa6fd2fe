/**
 * A service on a cluster of two shards: what is acknowledged is whole, the shards share the rows, and rows go away on both.
 */
import { expect } from '@jest/globals'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { disposedAfterTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { send } from '../events/send.ts'
import { ask, created } from '../http.ts'
import { apl, countEvents, rowsOf } from '../query/ask.ts'
import { CLUSTER, startTwoShards } from './two-shards.ts'

const cluster = disposedAfterTests(startTwoShards)
const service = disposedAfterTests(() => startService({ args: ['--clickhouse', cluster.url, '--clickhouse-cluster', CLUSTER] }))

/** The table that was made last. */
const newestTable = () =>
  cluster.statements
    .flatMap((text) => /CREATE TABLE IF NOT EXISTS (\w+) ON CLUSTER .* Distributed/.exec(text)?.[1] ?? [])
    .at(-1) ?? ''

const rowsOfShards = async (table: string) =>
  Promise.all([1, 2].map(async (shard) => Number(await cluster.ask(shard, `SELECT count() FROM ${table}_local`))))

testOnClickHouse('what is acknowledged is there at once, and both shards have about a half of it', async () => {
  for (let sent = 1; sent <= 200; sent++) {
    expect((await send(service, `{"n":${sent}}`, { dataset: 'single' })).status).toBe(200)
    if (sent % 25 === 0) expect(await countEvents(service, 'single')).toBe(sent)
  }
  const [first = 0, second = 0] = await rowsOfShards(newestTable())
  expect(first + second).toBe(200)
  expect(Math.min(first, second)).toBeGreaterThan(67)
  const events = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => ({ n })))
  for (let sent = 1; sent <= 3; sent++) {
    expect((await send(service, events, { dataset: 'bulk' })).status).toBe(200)
    expect(await countEvents(service, 'bulk')).toBe(sent * 2_000)
  }
})

const partitionsOf = async (shard: number, table: string) =>
  (await cluster.ask(shard, `SELECT DISTINCT partition_id FROM system.parts WHERE active AND table = '${table}_local'`)).split(
    '\n',
  )

testOnClickHouse('trim and retention reach both shards, and so does the end of a dataset', async () => {
  const sent = Array.from({ length: 40 }, (_, day) => ({ _time: new Date(Date.now() - day * 86_400_000).toISOString() }))
  await send(service, JSON.stringify(sent), { dataset: 'old' })
  const trimmed = await ask(service, 'POST', '/v2/datasets/old/trim', { body: { maxDuration: '228h' } })
  expect([trimmed.status, await countEvents(service, 'old')]).toEqual([200, 10])
  // What is older than the day of the limit is dropped and not rewritten; events that arrived late are by year.
  const limit = new Date(Date.now() - 228 * 3_600_000)
  const partitions = (await Promise.all([1, 2].map((shard) => partitionsOf(shard, newestTable())))).flat()
  const days = partitions.filter((id) => id.length === 8)
  expect(days.length).toBeGreaterThan(6)
  expect(days.filter((id) => id < limit.toISOString().slice(0, 10).replaceAll('-', ''))).toEqual([])
  const body = { useRetentionPeriod: true, retentionDays: 5 }
  expect((await ask(service, 'PUT', '/v2/datasets/old', { body })).status).toBe(200)
  await until('that retention reaches both shards', async () => (await countEvents(service, 'old')) <= 6)

  const table = newestTable()
  expect((await ask(service, 'DELETE', '/v2/datasets/old')).status).toBe(204)
  for (const shard of [1, 2])
    expect(await cluster.ask(shard, `SELECT count() FROM system.tables WHERE startsWith(name, '${table}')`)).toBe('0')
})

testOnClickHouse('annotations are queried with the events of both shards', async () => {
  for (let n = 0; n < 20; n++)
    await send(service, JSON.stringify([{ _time: '2026-01-01T00:00:00Z', deploy: `d${n % 2}` }]), { dataset: 'web' })
  for (const title of ['d0', 'd2']) await created(service, { time: '2026-01-01T00:00:00Z', title })
  const answers = [
    "['web'] | join (_annotations | project title) on $left.deploy == $right.title | count",
    '_annotations | join kind=leftsemi (web | project deploy) on $left.title == $right.deploy | count',
    'web | where deploy in (_annotations | project title) | count',
    'web | union _annotations | count',
    '_annotations | count',
  ].map(async (text) => rowsOf((await apl(service, text)).body)[0]?.count)
  expect(await Promise.all(answers)).toEqual([10, 1, 10, 22, 2])
})

testOnClickHouse('bins of time and their totals are of the events of both shards', async () => {
  const events = Array.from({ length: 300 }, (_, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    n,
    even: n % 2,
  }))
  for (let from = 0; from < events.length; from += 30)
    await send(service, JSON.stringify(events.slice(from, from + 30)), { dataset: 'bins' })
  const { body } = await apl(service, 'bins | summarize count(), sum(n) by bin(_time, 1h), even')
  const hours = [0, 1, 2, 3, 4].flatMap((hour) => [0, 1].map((even) => ({ hour, even })))
  expect([body.status.rowsMatched, body.status.numGroups]).toEqual([300, 2])
  const found = rowsOf(body).sort((a, b) => `${a._time}${a.even}`.localeCompare(`${b._time}${b.even}`))
  expect(found).toEqual(
    hours.map(({ hour, even }) => ({
      _time: `2026-01-01T0${hour}:00:00Z`,
      even,
      count_: 30,
      sum_n: 30 * (60 * hour + even) + 870,
    })),
  )
  expect(rowsOf(body, '_totals').sort((a, b) => Number(a.even) - Number(b.even))).toEqual([
    { even: 0, count_: 150, sum_n: 22_350 },
    { even: 1, count_: 150, sum_n: 22_500 },
  ])
})
