/**
 * Events on a ClickHouse server, and several services that share them and their records; here the records are one file, which is
 * enough on one machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../__tests__/support/clickhouse-server.ts'
import { type RunningService, startService } from '../../../__tests__/support/service.ts'
import { ask, change, create, created, get, list, MONITOR } from './http.ts'

const testOnServer = hasClickHouse ? test : test.skip
if (!hasClickHouse) console.warn('skipped: this machine has no ClickHouse server to start')

let server: Awaited<ReturnType<typeof startClickHouse>> | undefined
let service: RunningService
let url: string
const dataDir = mkdtempSync(join(tmpdir(), 'clickhouse-'))
const start = () => startService({ dataDir, args: ['--clickhouse', url] })

beforeAll(async () => {
  if (!hasClickHouse) return
  server = await startClickHouse()
  url = server.url
  service = await start()
})

afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

testOnServer('a repeated create is stored once, and what is there outlives the service', async () => {
  const headers = { 'Idempotency-Key': 'on the server' }
  const first = await create(service, { datasets: ['once'] }, { headers })
  await using second = await start()
  expect((await create(second, { datasets: ['once'] }, { headers })).body).toEqual(first.body)
  expect((await list(second, '?datasets=once')).body).toEqual([first.body])
  expect((await ask(second, 'GET', '/healthz')).status).toBe(200)
})

testOnServer('changes of different members through two services at the same moment all survive', async () => {
  await using second = await start()
  for (let round = 0; round < 10; round++) {
    const { id } = await created(service)
    const wanted = { title: `t${round}`, description: `d${round}`, url: `u${round}`, datasets: ['a', `b${round}`] }
    const through = [service, second]
    await Promise.all(
      Object.entries(wanted).map(([member, value], i) => change(through[i % 2] as RunningService, id, { [member]: value })),
    )
    expect((await get(second, id)).body).toMatchObject(wanted)
  }
})

testOnServer('monitors are kept over a restart, and every service has them', async () => {
  const monitor = {
    ...MONITOR,
    name: 'a “name”',
    aplQuery: 'print x = 1',
    threshold: 0.1 + 0.2,
    rangeMinutes: 5,
    datasets: ['web'],
  }
  const made = await ask<Monitor>(service, 'POST', '/v2/monitors', { body: monitor })
  expect(made).toMatchObject({ status: 201, body: monitor })
  const isTriggered = async () => (await ask<Monitor[]>(service, 'GET', '/v2/monitors')).body[0]?.state.status === 'triggered'
  while (!(await isTriggered())) await new Promise((resolve) => setTimeout(resolve, 10))
  {
    await using second = await start()
    expect((await ask<Monitor[]>(second, 'GET', '/v2/monitors')).body).toMatchObject([monitor])
  }
  await service.stop()
  service = await start()
  const [kept] = (await ask<Monitor[]>(service, 'GET', '/v2/monitors')).body
  expect(kept).toMatchObject({ ...monitor, id: made.body.id, state: { status: 'triggered', lastValue: 1 } })
  expect((await get(service, kept?.state.annotationId ?? '')).body).toMatchObject({ type: 'monitor', title: monitor.name })
  expect((await ask(service, 'DELETE', `/v2/monitors/${made.body.id}`)).status).toBe(204)
  expect((await get(service, kept?.state.annotationId ?? '')).body.endTime).toBeDefined()
})
