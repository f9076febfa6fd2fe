/**
 * A service on a cluster of two shards, two replicas and three Keepers, each of which is killed in turn while others write: what was
 * acknowledged is there once, on both replicas. `npm run test:cluster` runs it where there is an engine for containers.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { send } from '../events/send.ts'
import { create, VALID } from '../http.ts'
import { Ledger } from '../ledger.ts'
import { countEvents } from '../query/ask.ts'
import { KEEPERS, type Replicas, reasonToSkip, SERVERS, type ServerName, startReplicas } from './replicas.ts'
import { CLUSTER } from './two-shards.ts'

const skipped = reasonToSkip()
const testOnReplicas = skipped === undefined ? test : test.skip
if (skipped !== undefined) console.warn(`skipped: ${skipped}`)

const isKeeper = (name: string) => (KEEPERS as readonly string[]).includes(name)
/** How long a server is away. */
const AWAY_MS = 5_000

const servers = Object.keys(SERVERS) as ServerName[]

let cluster: Replicas
let service: RunningService

beforeAll(async () => {
  if (skipped !== undefined) return
  cluster = await startReplicas()
  service = await startService({ args: ['--clickhouse', cluster.url, '--clickhouse-cluster', CLUSTER] })
}, 900_000)

afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await cluster?.[Symbol.asyncDispose]()
}, 60_000)

const isStored = async (dataset: string) => (await send(service, '{"a":1}', { dataset })).status === 200

/** The rows of every replicated table of a server, by its name. */
const rowsOf = (server: ServerName) =>
  cluster.ask(
    server,
    'SELECT name, total_rows FROM system.tables WHERE database = currentDatabase() AND engine LIKE $$Replicated%$$ ORDER BY name',
  )

testOnReplicas(
  'each Keeper and each server is killed under writers: nothing acknowledged is lost, doubled or torn, and replicas agree',
  async () => {
    const ledger = new Ledger()
    await until('the first event is stored', () => isStored('ledger-begins'))
    await ledger.write(
      () => service,
      async () => {
        await ledger.more(30)
        for (const name of [...KEEPERS, ...servers]) {
          await cluster.kill(name)
          // Two of three Keepers go on. Without one of two replicas events are refused, and those with a key are tried until they are not.
          await (isKeeper(name) ? ledger.more(20) : sleep(AWAY_MS))
          await cluster.restart(name)
          await ledger.more(30)
        }
      },
    )
    await ledger.check(service)
    for (const [one, other] of [[servers[0], servers[1]] as const, [servers[2], servers[3]] as const])
      await until(
        'both replicas have the same rows',
        async () => (await rowsOf(one as ServerName)) === (await rowsOf(other as ServerName)),
      )
  },
  900_000,
)

testOnReplicas(
  'while one of two replicas is away events are refused in words, queries find what was acknowledged, and annotations go on',
  async () => {
    await until('an event is stored', () => isStored('one-away'))
    const before = await countEvents(service, 'one-away')
    for (const name of servers) {
      await cluster.kill(name)
      expect((await create(service, VALID)).status).toBe(201)
      const refused = await send(service, '[{"a":1}]', { dataset: 'one-away', headers: { 'Idempotency-Key': `away-${name}` } })
      expect([name, [200, 503].includes(refused.status)]).toEqual([name, true])
      await until('a query is answered', async () => (await countEvents(service, 'one-away').catch(() => 0)) >= before)
      await cluster.restart(name)
      const again = () => send(service, '[{"a":1}]', { dataset: 'one-away', headers: { 'Idempotency-Key': `away-${name}` } })
      await until('the same request is stored', async () => (await again()).status === 200)
    }
    expect(await countEvents(service, 'one-away')).toBe(before + servers.length)
  },
  900_000,
)

testOnReplicas(
  'without a majority of Keepers nothing is acknowledged that is not stored, and all goes on when they are back',
  async () => {
    await until('an event is stored', () => isStored('no-majority'))
    await cluster.kill(KEEPERS[0])
    await cluster.kill(KEEPERS[1])
    const refused = await send(service, '[{"a":1}]', { dataset: 'no-majority', headers: { 'Idempotency-Key': 'no-majority' } })
    expect(refused.status).toBe(503)
    expect((await create(service, VALID)).status).toBe(201)
    await cluster.restart(KEEPERS[0])
    await cluster.restart(KEEPERS[1])
    const again = () => send(service, '[{"a":1}]', { dataset: 'no-majority', headers: { 'Idempotency-Key': 'no-majority' } })
    await until('the same request is stored', async () => (await again()).status === 200)
    expect(await countEvents(service, 'no-majority')).toBe(2)
  },
  600_000,
)
