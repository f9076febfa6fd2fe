/**
 * One service, and three that share PostgreSQL, on a cluster of two shards, two replicas and three Keepers, each of which is killed in turn
 * while others write: what was acknowledged is there once, on both replicas. And servers that hang, or come back with an empty disk.
 * `npm run test:cluster` runs it; replicas.ts says what it needs.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { startPostgres } from '../../../../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { type SeveralServices, startSeveral } from '../../../../__tests__/support/several-services.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { send } from '../events/send.ts'
import { ask, create, VALID } from '../http.ts'
import { Ledger } from '../ledger.ts'
import { apl, countEvents } from '../query/ask.ts'
import { sendFirst, WAYS } from '../several/first-requests.ts'
import { KEEPERS, type Replicas, reasonToSkip, SERVERS, type ServerName, startReplicas } from './replicas.ts'
import { CLUSTER } from './two-shards.ts'

const skipped = reasonToSkip()
const testOnReplicas = skipped === undefined ? test : test.skip
if (skipped !== undefined) console.warn(`skipped: ${skipped}`)

const isKeeper = (part: string | number) => (KEEPERS as readonly unknown[]).includes(part)
/** How long a server is away. */
const AWAY_MS = 5_000

const servers = Object.keys(SERVERS) as ServerName[]

const started = new AsyncDisposableStack()
let cluster: Replicas
let service: RunningService
/** On a database of their own of the same cluster. */
let three: SeveralServices

beforeAll(async () => {
  if (skipped !== undefined) return
  cluster = started.use(await startReplicas())
  const argsOf = (url: string) => ['--clickhouse', url, '--clickhouse-cluster', CLUSTER]
  service = started.use(await startService({ args: argsOf(cluster.url) }))
  for (const server of servers) await makeThree(server)
  const env = { ANNOTATION_SERVICE_POSTGRES: await started.use(await startPostgres()).createDatabase() }
  const args = argsOf(cluster.url.replaceAll(/[^/]+(?=,|$)/g, 'three'))
  three = started.use(await startSeveral(3, mkdtempSync(join(tmpdir(), 'three-')), startService, { args, env }))
}, 900_000)

const makeThree = (server: ServerName) => cluster.ask(server, 'CREATE DATABASE IF NOT EXISTS three')

afterAll(() => started.disposeAsync(), 60_000)

const isStored = async (dataset: string) => (await send(service, '{"a":1}', { dataset })).status === 200

/** Eight events go to both shards but for one time in 128. */
const sendKeyed = (dataset: string, key: string, events = 1) =>
  send(service, `[${Array(events).fill('{"a":1}')}]`, { dataset, headers: { 'Idempotency-Key': key } })

/** The rows of every replicated table of a server, by its name. */
const rowsOf = (server: ServerName) =>
  cluster.ask(server, 'SELECT name, total_rows FROM system.tables WHERE engine LIKE $$Replicated%$$ ORDER BY name')

const untilReplicasAgree = () =>
  until('both replicas have the same rows', async () => {
    const [one, itsPeer, other, otherPeer] = await Promise.all(servers.map(rowsOf))
    return one === itsPeer && other === otherPeer
  })

/** A server, a Keeper, or one of the three services by its number. */
type Part = ServerName | (typeof KEEPERS)[number] | 0 | 1 | 2
const PARTS: Readonly<Record<string, readonly Part[]>> = {
  'one service': [...KEEPERS, ...servers],
  'three services': [KEEPERS[0], 0, 'shard-1-replica-1', 1, 'shard-2-replica-2', 2],
}
const kill = (part: Part) => (typeof part === 'number' ? three.killOne(part) : cluster.kill(part))
const restart = (part: Part) => (typeof part === 'number' ? three.restart(part) : cluster.restart(part))

testOnReplicas.each(Object.keys(PARTS))(
  'at %s, each part of the cluster is killed under writers: nothing acknowledged is lost, doubled or torn, and replicas agree',
  async (name) => {
    const asked = () => (name === 'one service' ? service : three)
    const ledger = new Ledger()
    await ledger.write(asked, async () => {
      await ledger.more(30)
      for (const part of PARTS[name] ?? []) {
        await kill(part)
        // Two of three Keepers go on. Without one of two replicas events are refused, and those with a key are tried until they are not.
        await (isKeeper(part) ? ledger.more(20) : sleep(AWAY_MS))
        await restart(part)
        await ledger.more(runs(30, 100))
      }
    })
    for (const one of name === 'one service' ? [service] : three.services) await ledger.check(one)
    await untilReplicasAgree()
    tried(ledger.acknowledged)
  },
  900_000,
)

testOnReplicas.each(WAYS)(
  'first large requests of a dataset at three services at one moment, with %s, are stored, each once',
  (way) => sendFirst(three.services, way, runs(2, 10)),
  300_000,
)

testOnReplicas(
  'while one of two replicas is away events are refused in words, queries find what was acknowledged, and annotations go on',
  async () => {
    await until('an event is stored', () => isStored('one-away'))
    const before = await countEvents(service, 'one-away')
    for (const name of servers) {
      await cluster.kill(name)
      expect((await create(service, VALID)).status).toBe(201)
      const again = () => sendKeyed('one-away', `away-${name}`)
      const refused = await again()
      expect([name, [200, 503].includes(refused.status)]).toEqual([name, true])
      await until('a query is answered', async () => (await countEvents(service, 'one-away').catch(() => 0)) >= before)
      await cluster.restart(name)
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
    const again = () => sendKeyed('no-majority', 'no-majority')
    expect((await again()).status).toBe(503)
    expect((await create(service, VALID)).status).toBe(201)
    await cluster.restart(KEEPERS[0])
    await cluster.restart(KEEPERS[1])
    await until('the same request is stored', async () => (await again()).status === 200)
    expect(await countEvents(service, 'no-majority')).toBe(2)
  },
  600_000,
)

const readHealth = async () => JSON.stringify((await ask(service, 'GET', '/healthz')).body)

testOnReplicas.each([servers[0], servers[3]] as ServerName[])(
  '%s comes back with an empty disk: no dataset counts as deleted, and its tables and rows come back from the other replica',
  async (name) => {
    const dataset = `empty-${name}`
    await until('events are stored', async () => (await sendKeyed(dataset, name, 8)).status === 200)
    await cluster.replace(name)
    await makeThree(name)
    const log = service.stderr.length
    const statuses: number[] = []
    let seen = ''
    await until('its tables and rows are there again', async () => {
      const asked = [await sendKeyed(dataset, `${name} ${statuses.length}`, 8), await apl(service, `['${dataset}'] | count`)]
      statuses.push(...asked.map(({ status }) => status))
      seen += JSON.stringify([asked, await readHealth()])
      return service.stderr.slice(log).includes('"restored-table"') && asked.every(({ status }) => status === 200)
    })
    expect([...new Set(statuses)].sort()).toEqual([200, 503])
    expect(seen).toMatch(/is missing: the ClickHouse server at \S+ does not have it/)
    expect(seen).toMatch(/damagedDatasets.*empty-/)
    expect(service.stderr.slice(log)).toContain('"missing-table"')
    await untilReplicasAgree()
    const keys = statuses.flatMap((_, at) => (at % 2 === 0 ? `${name} ${at}` : []))
    for (const key of keys) await until(`${key} is stored`, async () => (await sendKeyed(dataset, key, 8)).status === 200)
    expect(await countEvents(service, dataset)).toBe(8 * (1 + keys.length))
  },
  300_000,
)

testOnReplicas.each([servers[0], servers[2]] as ServerName[])(
  'while %s hangs, every request is answered within 20 s, the refused ones and the health name its shard, and all goes on after it',
  async (name) => {
    const dataset = `hung-${name}`
    const keys = Array.from({ length: 12 }, (_, n) => `${name} ${n}`)
    await until('events are stored', async () => (await sendKeyed(dataset, name, 8)).status === 200)
    {
      await using _hang = await cluster.hang(name)
      const startMs = performance.now()
      const queries = keys.slice(0, 4).map(() => apl(service, `['${dataset}'] | count`))
      const answers = await Promise.all([...keys.map((key) => sendKeyed(dataset, key, 8)), ...queries])
      expect(performance.now() - startMs).toBeLessThan(20_000)
      expect([200, 503]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)))
      const shard = `shard ${servers.indexOf(name) < 2 ? 1 : 2}`
      const refused = await sendKeyed(dataset, 'once it is known')
      expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining(`no answer for ${shard}; restart it`)])
      expect(await readHealth()).toContain(`${shard}: 1 of 2 servers do not answer, inserts are refused`)
    }
    for (const key of keys) await until(`${key} is stored`, async () => (await sendKeyed(dataset, key, 8)).status === 200)
    expect(await countEvents(service, dataset)).toBe(8 * (1 + keys.length))
  },
  300_000,
)
