/**
 * A rolling restart: three services on shared databases behind a balancer that asks `/readyz`, and clients that notice nothing.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { Agent, createServer, get, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { startDatabases, testOnServers } from '../../../../__tests__/support/databases.ts'
import { freePort } from '../../../../__tests__/support/free-port.ts'
import { listen } from '../../../../__tests__/support/listen.ts'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { type RunningService, startService, TEST_TOKEN } from '../../../../__tests__/support/service.ts'
import { ask, list, VALID } from '../http.ts'
import { countEvents } from '../query/ask.ts'

/** Sends each request once, to the next service that was ready when it was asked last, on connections that are kept. */
async function startBalancer(ports: readonly number[]) {
  const ready = new Set<number>()
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let isOver = false
  const probe = async (port: number) => {
    while (!isOver) {
      const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReady) ready.add(port)
      else ready.delete(port)
      await sleep(200)
    }
  }
  const probes = ports.map(probe)
  const server = createServer((incoming, outgoing) => {
    const targets = [...ready]
    const port = targets[turn++ % targets.length]
    const { method, url: path, headers } = incoming
    const out = request({ hostname: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const { connection: _own, ...others } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, others)
      answer.pipe(outgoing)
    })
    out.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(out)
  })
  const listening = await listen(server)
  return {
    url: listening.url,
    token: TEST_TOKEN,
    ready,
    /** One of the services that are ready, for a client that chooses itself. */
    choose: () => ({ url: `http://127.0.0.1:${[...ready][turn++ % ready.size]}`, token: TEST_TOKEN }),
    async [Symbol.asyncDispose]() {
      isOver = true
      await Promise.all(probes)
      agent.destroy()
      await listening[Symbol.asyncDispose]()
    },
  }
}

/** Asks over a connection of its own, which nothing else closes meanwhile. */
const probeLate = (port: number) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ hostname: '127.0.0.1', port, path: '/livez', agent: false }, resolve).on('error', reject)
  })

const REQUESTS = 5_000
const RESTARTS = runs(3, 12)

testOnServers(
  'services are restarted one after the other under load, and no request fails',
  async () => {
    await using databases = await startDatabases()
    const ports = [await freePort(), await freePort(), await freePort()]
    using folder = mkdtempDisposableSync(join(tmpdir(), 'rolling-restart-'))
    const start = (index: number) =>
      startService({
        port: ports[index] ?? 0,
        dataDir: join(folder.path, String(index)),
        args: [...databases.args, '--drain-seconds', '3'],
      })
    const services: RunningService[] = []
    for (const index of ports.keys()) services.push(await start(index))
    await using balancer = await startBalancer(ports)
    while (balancer.ready.size < 3) await sleep(50)

    const failed: unknown[] = []
    let [isOver, sent, events, marks] = [false, 0, 0, 0]
    const client = async (n: number) => {
      for (let i = n; !isOver; i++) {
        const [method, path, body] = [
          ['POST', '/v2/annotations', VALID],
          ['POST', '/v1/datasets/web/ingest', [{ i }]],
          ['GET', '/v2/user', undefined],
        ][i % 3] as [string, string, unknown]
        // Half of the clients balance by themselves, on connections that fetch keeps.
        const target = n % 2 === 0 ? balancer : balancer.choose()
        const answer = await ask(target, method, path, { body }).catch((error: unknown) => ({ status: 0, body: error }))
        const { status, body: answered } = answer
        sent++
        if (status === 201) marks++
        else if (status === 200) events += path.endsWith('ingest') ? 1 : 0
        else failed.push([method, path, status, answered])
      }
    }
    const clients = Array.from({ length: 12 }, (_, n) => client(n))
    for (let n = 0; n < RESTARTS; n++) {
      const index = n % ports.length
      const port = ports[index] ?? 0
      const stopping = services[index]?.stop()
      while (balancer.ready.has(port)) await sleep(10)
      // It answers what still comes, and asks for no more.
      const late = await probeLate(port)
      late.resume()
      expect([late.statusCode, late.headers.connection]).toEqual([200, 'close'])
      expect(await stopping).toEqual({ exitCode: 0, signal: null })
      services[index] = await start(index)
      while (balancer.ready.size < 3) await sleep(50)
    }
    while (sent < REQUESTS) await sleep(50)
    isOver = true
    await Promise.all(clients)
    tried(sent)
    expect(failed).toEqual([])
    expect(await countEvents(balancer as unknown as RunningService, 'web')).toBe(events)
    expect((await list(balancer)).body).toHaveLength(marks)
    for (const service of services) await service.stop()
  },
  600_000,
)

testOnServers('while ClickHouse is away a service starts, and does what needs no events; it goes on by itself', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'clickhouse-late-'))
  const port = await freePort()
  await using service = await startService({ args: ['--clickhouse', `http://127.0.0.1:${port}`] })
  const probe = async (path: string) => (await ask(service, 'GET', path, { token: null })).status
  expect([await probe('/livez'), await probe('/readyz'), await probe('/healthz')]).toEqual([200, 200, 503])
  expect((await ask(service, 'POST', '/v2/annotations', { body: VALID })).status).toBe(201)
  expect(await ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{}] })).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('ECONNREFUSED') },
  })
  expect(service.stderr).toContain('"event":"events-away"')
  await using _server = await startClickHouse({ directory: folder.path, port })
  while ((await probe('/healthz')) !== 200) await sleep(100)
  expect((await ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{}] })).status).toBe(200)
  expect(await countEvents(service, 'web')).toBe(1)
  await service.stop()
})
