/**
 * Three services on one ClickHouse server and one PostgreSQL are one service: whatever one of them acknowledged, all of them know,
 * and what several do at one moment is done once. Each test is a fault that was seen before the records were shared.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@deployment-annotations/client'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startDatabases, testOnServers } from '../../../../__tests__/support/databases.ts'
import { runs } from '../../../../__tests__/support/long.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { type SeveralServices, startSeveral } from '../../../../__tests__/support/several-services.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { deliver, genericEvent, makeIntegration, signGeneric } from '../../../edge/__tests__/platforms/webhooks.ts'
import { ask, change, create, list } from '../http.ts'
import { countEvents } from '../query/ask.ts'
import { sendFirst, WAYS } from './first-requests.ts'

const servers = new AsyncDisposableStack()
let all: SeveralServices
let [A, B, C]: RunningService[] = []

beforeAll(async () => {
  if (testOnServers !== test) return
  const { args } = servers.use(await startDatabases())
  all = servers.use(await startSeveral(3, mkdtempSync(join(tmpdir(), 'several-')), startService, { args }))
  ;[A, B, C] = all.services as [RunningService, RunningService, RunningService]
})
afterAll(() => servers.disposeAsync())

const each = () => [A, B, C] as RunningService[]
const ingest = async (service: RunningService | SeveralServices, dataset: string, events: object[], key?: string) => {
  const answer = await ask<{ ingested: number; message?: string }>(service, 'POST', `/v1/datasets/${dataset}/ingest`, {
    body: events,
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  })
  return { ...answer, ingested: answer.body.ingested }
}
const events = (n: number, members: object = {}) => Array.from({ length: n }, (_, i) => ({ i, ...members }))
const everywhere = <T>(question: (service: RunningService) => Promise<T>) => Promise.all(each().map(question))

testOnServers('events that three services took in are all there, at each of them, and after a restart', async () => {
  for (const [service, n] of [
    [A, 10],
    [B, 7],
    [C, 5],
  ] as const)
    expect((await ingest(service as RunningService, 'web', events(n))).ingested).toBe(n)
  expect(await everywhere((service) => countEvents(service, 'web'))).toEqual([22, 22, 22])
  await all.killOne(0)
  await all.restart(0)
  A = all.services[0]
  expect(await everywhere((service) => countEvents(service, 'web'))).toEqual([22, 22, 22])
})

testOnServers('a dataset that is new to all of them at one moment is one', async () => {
  for (let round = 0; round < 5; round++) {
    const name = `cold-${round}`
    const answers = await everywhere((service) => ingest(service, name, events(4)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await everywhere((service) => countEvents(service, name))).toEqual([12, 12, 12])
  }
  const names = await everywhere(async (service) =>
    (await ask<{ name: string }[]>(service, 'GET', '/v2/datasets')).body.map(({ name }) => name),
  )
  expect(names[0]?.filter((name) => name.startsWith('cold-'))).toHaveLength(5)
  expect(names).toEqual([names[0], names[0], names[0]])
})

testOnServers.each(WAYS)('first large requests at all of them at one moment, with %s, are stored once', (way) =>
  sendFirst(each(), way, 3),
)

testOnServers('fields and types that one learned count at the others at once', async () => {
  await ingest(A as RunningService, 'fields', [{ status: 1 }])
  expect(await countEvents(B as RunningService, 'fields', '| where status == 1')).toBe(1)
  await ingest(C as RunningService, 'fields', [{ status: 'bad', took: 2.5 }])
  expect(await everywhere((service) => countEvents(service, 'fields', "| where status == 'bad' and took > 2"))).toEqual([1, 1, 1])
})

testOnServers('settings of a dataset are kept whoever sets them, and a removed one is gone everywhere', async () => {
  await ask(A as RunningService, 'POST', '/v2/datasets', { body: { name: 'kept', description: '' } })
  await ask(A as RunningService, 'PUT', '/v2/datasets/kept', { body: { useRetentionPeriod: true, retentionDays: 30 } })
  await ask(B as RunningService, 'PUT', '/v2/datasets/kept', { body: { description: 'ours' } })
  const shown = { status: 200, body: { description: 'ours', retentionDays: 30 } }
  expect(await everywhere((service) => ask(service, 'GET', '/v2/datasets/kept'))).toMatchObject([shown, shown, shown])
  await ask(C as RunningService, 'DELETE', '/v2/datasets/kept')
  expect((await everywhere((service) => ask(service, 'GET', '/v2/datasets/kept'))).map(({ status }) => status)).toEqual([
    404, 404, 404,
  ])
  expect((await ingest(A as RunningService, 'kept', events(3))).status).toBe(200)
  expect(await everywhere((service) => countEvents(service, 'kept'))).toEqual([3, 3, 3])
})

testOnServers('a key is used once, by events and by annotations, at one moment and later, wherever it is sent', async () => {
  const ROUNDS = runs(4, 10)
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await everywhere((service) => ingest(service, 'idem', events(2), `key-${round}`))
    // One that waits longer than it may is told to come again, and then gets the answer.
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(await everywhere(async (service) => (await ingest(service, 'idem', events(2), `key-${round}`)).ingested)).toEqual([
      2, 2, 2,
    ])
    const other = await ingest(B as RunningService, 'idem', events(3), `key-${round}`)
    expect(other.status).toBe(422)
  }
  expect(await everywhere((service) => countEvents(service, 'idem'))).toEqual(Array(3).fill(2 * ROUNDS))

  for (let round = 0; round < 2 * ROUNDS; round++) {
    const headers = { 'Idempotency-Key': `annotation-${round}` }
    const made = await everywhere((service) => create(service, { title: 'once', datasets: ['idem'] }, { headers }))
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
  }
  expect((await list(A as RunningService, '?datasets=idem')).body).toHaveLength(2 * ROUNDS)
})

testOnServers('events for a dataset that is deleted elsewhere are stored, or refused in words', async () => {
  const found = new Set<number>()
  for (let round = 0; round < 25; round++) {
    await ingest(A as RunningService, 'raced', [{}])
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => ingest(B as RunningService, 'raced', [{ round }])),
      ask(A as RunningService, 'DELETE', '/v2/datasets/raced'),
    ])
    for (const { status } of answers) found.add(status)
  }
  expect([...found].filter((status) => ![200, 204, 404, 503].includes(status))).toEqual([])
  expect(all.stderr).not.toContain('"code":"internal"')
})

testOnServers('changes at one moment are merged, and none makes a span end before it begins', async () => {
  for (let round = 0; round < runs(4, 10); round++) {
    const { body } = await create(A as RunningService, { time: '2026-01-01T12:00:00Z' })
    await Promise.all([
      change(A as RunningService, body.id, { title: 'a' }),
      change(B as RunningService, body.id, { description: 'b' }),
      change(C as RunningService, body.id, { url: 'https://example.org/c' }),
    ])
    const merged = { title: 'a', description: 'b', url: 'https://example.org/c' }
    expect((await ask(B as RunningService, 'GET', `/v2/annotations/${body.id}`)).body).toMatchObject(merged)
    const spans = await Promise.all([
      change(A as RunningService, body.id, { time: '2026-01-01T13:00:00Z' }),
      change(B as RunningService, body.id, { endTime: '2026-01-01T12:30:00Z' }),
    ])
    expect(spans.map(({ status }) => status).sort()).toEqual([200, 422])
  }
})

testOnServers('a deployment is one span with its end, whichever service its events come to, and however often', async () => {
  const [start, end] = ['2026-03-01T12:00:00.000000001Z', '2026-03-01T12:05:00Z']
  await makeIntegration(A as RunningService, 'generic', { datasets: ['deployed'] })
  const tell = async (service: RunningService | undefined, status: string, time: string, deployment: string) =>
    (await deliver(service as RunningService, 'generic', signGeneric(genericEvent(status, time, { deployment })))).body
  for (let round = 0; round < 60; round++) {
    const name = `it's \\ {known:String} ${round}`
    const told = await Promise.all([tell(A, 'started', start, name), tell(B, 'succeeded', end, name)])
    expect(told.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'created'])
  }
  const spans = (await list(C as RunningService, '?datasets=deployed')).body
  expect(spans.map(({ time, endTime }) => [time, endTime])).toEqual(Array(60).fill([start, end]))
  const again = await everywhere((service) => tell(service, 'failed', end, 'again'))
  expect(again.map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged', 'unchanged'])
  expect(new Set(again.map(({ annotation }) => annotation)).size).toBe(1)
})

testOnServers('rows that three services write at one moment have ids of their own, and pages lose none', async () => {
  const time = '2026-03-01T00:00:00Z'
  await Promise.all(
    Array.from({ length: 30 }, (_, round) =>
      ingest(each()[round % 3] as RunningService, 'rows', events(20, { _time: time, round })),
    ),
  )
  const client = createClient({ baseUrl: all.url, token: all.token })
  const seen: string[] = []
  for await (const { i, round } of client.rows("['rows'] | sort by _time asc | limit 7", {
    startTime: '2026-02-01',
    endTime: '2026-04-01',
  })) {
    seen.push(`${round}/${i}`)
  }
  expect(seen).toHaveLength(600)
  expect(new Set(seen).size).toBe(600)
})

testOnServers(
  'clients behind a round robin lose nothing and double nothing while one service after the other is killed',
  async () => {
    const client = createClient({ baseUrl: all.url, token: all.token })
    const sent: string[] = []
    const annotated: string[] = []
    let isOn = true
    const write = async (worker: number) => {
      for (let i = 0; isOn; i++) {
        const id = `${worker}-${i}`
        await client.ingest('chaos', events(5, { id }))
        sent.push(id)
        const { id: annotation } = await client.annotations.create({ datasets: ['chaos'], type: 'deploy', title: id })
        annotated.push(annotation)
        await client.query("['chaos'] | summarize count()", { startTime: 'now-1h' })
      }
    }
    const writing = Promise.all([0, 1, 2, 3].map(write))
    const sendMore = (count: number) => {
      const enough = sent.length + count
      return until('enough answers', () => sent.length >= enough)
    }
    for (let round = 0; round < 3; round++) {
      await sendMore(12)
      await all.killOne(round)
      await sendMore(6)
      await all.restart(round)
    }
    isOn = false
    await writing
    ;[A, B, C] = all.services as [RunningService, RunningService, RunningService]
    expect(sent.length).toBeGreaterThan(20)
    expect(await everywhere((service) => countEvents(service, 'chaos'))).toEqual(Array(3).fill(sent.length * 5))
    const there = await client.annotations.list({ datasets: ['chaos'] })
    expect(there.map(({ id }) => id).sort()).toEqual(annotated.sort())
  },
)

testOnServers('all say the same of the token that the operator gave them', async () => {
  const sinceOf = async (service: RunningService | undefined) => {
    const { body } = await ask<{ id: string; createdAt: string }[]>(service as RunningService, 'GET', '/v2/tokens')
    return body.find(({ id }) => id === 'tok_operator')?.createdAt
  }
  expect([await sinceOf(B), await sinceOf(C)]).toEqual([await sinceOf(A), await sinceOf(A)])
})
