/**
 * Three services on shared databases under writers, while one thing after the other is killed, stalled, cut off, restarted or restored:
 * in the end each acknowledged request is there once and as a whole, at each of them, and at no time was one of them hidden by a service
 * that answered. What the records lose in a failover is in failover.test.ts; replicas of ClickHouse are in ../cluster/replicas.test.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { type ClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnServers } from '../../../../__tests__/support/databases.ts'
import { freePort } from '../../../../__tests__/support/free-port.ts'
import { type HeldLink, startHeldLink } from '../../../../__tests__/support/held-link.ts'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { startPostgres } from '../../../../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { LEASE_MS } from '../../../records/src/leases/leases.ts'
import { ask } from '../http.ts'
import { Ledger } from '../ledger.ts'

/** Longer than a service waits for a statement. */
const HELD_MS = 14_000
const MUTED_MS = 4_000
const AWAY_MS = 3_000
/** Answers between two faults. */
const BETWEEN = runs(12, 340)

type World = Awaited<ReturnType<typeof openWorld>>

/** Everything that there is, and what can be done to it. The first service reaches the databases by links that can be held. */
async function openWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'ledger-'))
  const postgres = await startPostgres()
  const records = await postgres.createDatabase()
  const clickhousePort = await freePort()
  const [toPostgres, toClickhouse] = [await startHeldLink(postgres.port), await startHeldLink(clickhousePort)]
  const ports = [await freePort(), await freePort(), await freePort()]
  const services: RunningService[] = []
  let clickhouse: ClickHouse | undefined
  let turn = 0

  const startEvents = async () => {
    clickhouse = await startClickHouse({ directory: join(dir, 'clickhouse'), port: clickhousePort })
  }
  const killEvents = async () => void (await clickhouse?.kill())
  const start = async (index: number) => {
    const [toRecords, toEvents] = index === 0 ? [toPostgres.port, toClickhouse.port] : [postgres.port, clickhousePort]
    services[index] = await startService({
      port: ports[index] as number,
      dataDir: join(dir, String(index)),
      args: [
        ...['--postgres', records.replace(`:${postgres.port}/`, `:${toRecords}/`)],
        ...['--clickhouse', `http://127.0.0.1:${toEvents}`, '--drain-seconds', '1'],
      ],
    })
  }
  await startEvents()
  for (const index of ports.keys()) await start(index)
  return {
    ...{ postgres, records, toPostgres, toClickhouse, services, start, startEvents, killEvents },
    /** Each request goes to another one. */
    next: () => services[turn++ % services.length] as RunningService,
    async [Symbol.asyncDispose]() {
      for (const service of services) await service.kill().catch(() => undefined)
      for (const link of [toPostgres, toClickhouse]) await link[Symbol.asyncDispose]()
      await killEvents()
      await postgres[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

type Fault = (world: World) => Promise<void>

const FAULTS: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    [0, 1, 2].map((index) => [
      `service ${index} is killed`,
      async (world: World) => {
        await world.services[index]?.kill()
        await sleep(AWAY_MS)
        await world.start(index)
      },
    ]),
  ),
  'ClickHouse is killed': async (world) => {
    await world.killEvents()
    await sleep(AWAY_MS)
    await world.startEvents()
  },
  'PostgreSQL is killed': async ({ postgres }) => {
    await postgres.kill()
    await sleep(AWAY_MS)
    await postgres.start()
  },
  'PostgreSQL does not answer': async ({ postgres }) => {
    postgres.pause()
    await sleep(HELD_MS)
    postgres.resume()
  },
  'the link to PostgreSQL is held': ({ toPostgres }) => withLink(toPostgres, 'held', HELD_MS),
  'answers of PostgreSQL are lost': ({ toPostgres }) => withLink(toPostgres, 'muted', MUTED_MS),
  'the link to ClickHouse is held': ({ toClickhouse }) => withLink(toClickhouse, 'held', HELD_MS),
  'answers of ClickHouse are lost': ({ toClickhouse }) => withLink(toClickhouse, 'muted', MUTED_MS),
  'a service stalls for longer than its leases': async ({ services }) => {
    const { pid } = services[1] as RunningService
    process.kill(pid, 'SIGSTOP')
    await sleep(LEASE_MS + 2_000)
    process.kill(pid, 'SIGCONT')
  },
  'a standby that has every commit takes over': async ({ postgres }) => {
    await postgres.stop()
    postgres.saveState()
    postgres.restoreState()
    await postgres.start()
  },
  'each service is restarted in its turn': async (world) => {
    for (const index of world.services.keys()) {
      await world.services[index]?.stop()
      await world.start(index)
    }
  },
}

async function withLink(link: HeldLink, state: 'held' | 'muted', forMs: number): Promise<void> {
  link.set(state)
  await sleep(forMs)
  link.cut()
  link.set('open')
}

testOnServers(
  'whatever is killed, held, muted, stalled, restarted or restored, nothing acknowledged is lost, doubled, torn or hidden',
  async () => {
    await using world = await openWorld()
    const ledger = new Ledger()
    const hidden: string[] = []
    let [isOver, reads, fault] = [false, 0, '']
    const reader = async () => {
      while (!isOver) {
        const missing = await ledger.findHidden(world.next())
        if (missing) reads++
        if (missing && missing.length > 0) hidden.push(`${fault}: ${missing}`)
        await sleep(300)
      }
    }
    const reading = reader()
    await ledger.write(world.next, async () => {
      await ledger.more(BETWEEN)
      for (const [name, apply] of Object.entries(FAULTS)) {
        fault = name
        await apply(world)
        await ledger.more(BETWEEN)
      }
    })
    // A backup that is read in while services run has what was acknowledged before it was made.
    const [first] = world.services as [RunningService]
    await ledger.settle(first)
    const dump = world.postgres.dump(world.records)
    world.postgres.readIn(world.records, dump)
    fault = 'a backup is read in'
    await until('the services go on', async () => (await ask(first, 'GET', '/v2/user')).status === 200)
    await ledger.write(world.next, () => ledger.more(BETWEEN))
    isOver = true
    await reading
    for (const service of world.services) await ledger.check(service)
    expect([hidden, reads > Object.keys(FAULTS).length]).toEqual([[], true])
    tried(ledger.rows)
  },
  BETWEEN * 50_000,
)
