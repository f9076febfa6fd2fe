/**
 * Annotations copied elsewhere: over real records, with a clock that the test drives; to the door for Grafana's clients of this very service,
 * and to receivers that answer as the documentation of the others says.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import type { MadeNotifier, NotifierDelivery } from '@deployment-annotations/contract/schemas/notifier'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { TEST_TOKEN } from '../../../../__tests__/support/service.ts'
import { ask, created } from '../http.ts'
import { iso, MINUTE, openRoom, type Room, startDriven, until } from '../monitors/driven-service.ts'
import { type Received, startReceiver } from './receiver.ts'

let room: Room
const dataDir = mkdtempSync(join(tmpdir(), 'copies-'))
beforeAll(async () => {
  room = await openRoom()
})
afterAll(async () => {
  await room.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = (more: object = {}) => startDriven(room, { dataDir, notifications: { mayBePrivate: true }, ...more })
type Service = Awaited<ReturnType<typeof start>>

async function make(service: Service, properties: object, more: object = {}): Promise<MadeNotifier> {
  const { status, body } = await ask<MadeNotifier>(service, 'POST', '/v2/notifiers', {
    body: { name: 'copy', properties, ...more },
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
const drop = (service: Service, { id }: MadeNotifier) => ask(service, 'DELETE', `/v2/notifiers/${id}`)
const change = (service: Service, id: string, body: object) => ask(service, 'PUT', `/v2/annotations/${id}`, { body })
const deliveries = async (service: Service, { id }: MadeNotifier) =>
  (await ask<NotifierDelivery[]>(service, 'GET', `/v2/notifiers/${id}/deliveries`)).body

/** Lets the seconds pass in which messages are looked for, until nothing waits, and some more. */
async function settle(service: Service, notifier: MadeNotifier): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    room.clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    quiet = (await deliveries(service, notifier)).some(({ state }) => state === 'waiting') ? 0 : quiet + 1
  }
}

const marksOf = async (service: Service, dataset: string) =>
  (await ask<Annotation[]>(service, 'GET', `/v2/annotations?datasets=${dataset}`)).body

test('a mark, its changes and its end are copied to a Grafana; a copy that comes back by the same door is copied no further', async () => {
  await using service = await start()
  const notifier = await make(
    service,
    { grafana: { url: service.url, token: TEST_TOKEN } },
    { datasets: ['loop'], types: ['deploy'] },
  )
  const mark = await created(service, {
    datasets: ['loop'],
    type: 'deploy',
    title: 'web 1',
    url: 'https://ci.example/1',
    version: '1',
  })
  await created(service, { datasets: ['loop'], type: 'backup', title: 'no' })
  await created(service, { datasets: ['loop'], type: 'deploy', title: 'old', time: iso(room.clock.now() - 72 * 60 * MINUTE) })
  await settle(service, notifier)
  const copies = async () => (await marksOf(service, 'loop')).filter(({ description }) => description?.includes('copy-of:'))
  expect(await copies()).toMatchObject([
    {
      title: 'web 1',
      type: 'deploy',
      time: mark.time,
      url: 'https://ci.example/1',
      description: expect.stringContaining(`copy-of:${mark.id}`),
    },
  ])
  const endTime = iso(Date.parse(mark.time) + MINUTE)
  await change(service, mark.id, { title: 'web 1.1', endTime })
  await settle(service, notifier)
  expect(await copies()).toMatchObject([{ title: 'web 1.1', endTime }])
  // It is of no dataset that is copied any more.
  await change(service, mark.id, { datasets: ['elsewhere'] })
  await settle(service, notifier)
  expect(await copies()).toEqual([])
  await change(service, mark.id, { datasets: ['loop'] })
  await settle(service, notifier)
  expect(await copies()).toHaveLength(1)
  await ask(service, 'DELETE', `/v2/annotations/${mark.id}`)
  await settle(service, notifier)
  expect((await marksOf(service, 'loop')).map(({ title }) => title).sort()).toEqual(['no', 'old'])
  expect(await deliveries(service, notifier)).toHaveLength(5)
  await drop(service, notifier)
})

test('a copy whose answer was lost is found again, and one that somebody removed there stays away', async () => {
  await using service = await start()
  let lost: { tags: string[] } | undefined
  await using grafana = await startReceiver(({ method, body }: Received, response: ServerResponse) => {
    if (method === 'POST' && lost === undefined) {
      lost = JSON.parse(body)
      response.destroy()
    } else if (method === 'GET') response.end(JSON.stringify([{ id: 77, tags: lost?.tags }]))
    else response.writeHead(404).end('{"message":"gone"}')
  })
  const notifier = await make(
    service,
    { grafana: { url: `${grafana.url}/grafana/`, token: 'glsa_secret' } },
    { datasets: ['lost'] },
  )
  const mark = await created(service, { datasets: ['lost'], type: 'deploy', title: 'api 2' })
  await settle(service, notifier)
  await change(service, mark.id, { title: 'api 2.0' })
  await settle(service, notifier)
  expect(grafana.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /grafana/api/annotations',
    `GET /grafana/api/annotations?tags=copy-of%3A${mark.id}&limit=1`,
    'PUT /grafana/api/annotations/77',
    'PUT /grafana/api/annotations/77',
  ])
  expect(grafana.received[0]?.headers.authorization).toBe('Bearer glsa_secret')
  expect((await deliveries(service, notifier)).map(({ state, event, action }) => `${event} ${action} ${state}`)).toEqual([
    'mark open delivered',
    'mark open delivered',
  ])
  await drop(service, notifier)
})

test('a copy is found again among thousands, and what is copied to another place is made there anew', async () => {
  await using service = await start()
  let lost: object | undefined
  const others = Array.from({ length: 2_000 }, (_, at) => ({ id: `other${at}`, url: `https://ci.example/${at}`, type: 'deploy' }))
  await using honeycomb = await startReceiver(({ method, body }, response) => {
    if (method === 'POST' && lost === undefined) {
      lost = { ...JSON.parse(body), id: 'ours' }
      response.destroy()
    } else response.end(JSON.stringify(method === 'GET' ? [...others, lost] : { id: 'another' }))
  })
  await using second = await startReceiver((_, response) => response.end('{"id":"second"}'))
  const properties = { apiKey: 'hcaik_secret', dataset: 'shop', url: honeycomb.url }
  const notifier = await make(service, { honeycomb: properties }, { datasets: ['moved'] })
  const mark = await created(service, { datasets: ['moved'], type: 'deploy', title: 'web 3' })
  await settle(service, notifier)
  expect(honeycomb.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /1/markers/shop',
    'GET /1/markers/shop',
    'PUT /1/markers/shop/ours',
  ])
  await ask(service, 'PUT', `/v2/notifiers/${notifier.id}`, {
    body: { properties: { honeycomb: { ...properties, apiKey: 'new' } } },
  })
  await change(service, mark.id, { title: 'web 3.1' })
  await settle(service, notifier)
  expect(honeycomb.received.at(-1)).toMatchObject({ method: 'PUT', headers: { 'x-honeycomb-team': 'new' } })
  await ask(service, 'PUT', `/v2/notifiers/${notifier.id}`, {
    body: { properties: { honeycomb: { ...properties, url: second.url } } },
  })
  await change(service, mark.id, { title: 'web 3.2' })
  await change(service, mark.id, { title: 'web 3.3' })
  await settle(service, notifier)
  expect([honeycomb.received.length, second.received.map(({ method, path }) => `${method} ${path}`)]).toEqual([
    4,
    ['POST /1/markers/shop', 'PUT /1/markers/shop/second'],
  ])
  await drop(service, notifier)
})

test('a verdict reaches the copy', async () => {
  await using service = await start({ judgeTypes: ['deploy'] })
  await using honeycomb = await startReceiver((_, response) => response.end('{"id":"m/1"}'))
  const notifier = await make(
    service,
    { honeycomb: { apiKey: 'hcaik_secret', dataset: 'shop', url: honeycomb.url } },
    { datasets: ['store'] },
  )
  const atMs = room.clock.now()
  const requests = (from: number, minutes: number, failsEvery: number) =>
    Array.from({ length: minutes * 200 }, (_, at) => ({
      _time: iso(from + Math.floor((at * MINUTE) / 200)),
      status: at % failsEvery === 0 ? 500 : 200,
    }))
  await service.ingest('store', [...requests(atMs - 60 * MINUTE, 60, 100), ...requests(atMs, 10, 20)])
  const mark = await created(service, { datasets: ['store'], type: 'deploy', title: 'store 2', url: 'https://ci.example/2#log' })
  await until(async () => {
    room.clock.advance(10_000)
    return honeycomb.received.some(({ method }) => method === 'PUT') || undefined
  }, 60_000)
  const [made, judged] = honeycomb.received
  expect(made).toMatchObject({ method: 'POST', path: '/1/markers/shop', headers: { 'x-honeycomb-team': 'hcaik_secret' } })
  expect(JSON.parse(made?.body ?? '')).toEqual({
    start_time: Math.floor(Date.parse(mark.time) / 1_000),
    message: 'store 2',
    type: 'deploy',
    url: `https://ci.example/2#copy-of:${mark.id}`,
  })
  expect(judged).toMatchObject({ method: 'PUT', path: '/1/markers/shop/m%2F1' })
  expect(JSON.parse(judged?.body ?? '').message).toMatch(/^store 2: Store errors ×\d/)
  await ask(service, 'DELETE', `/v2/annotations/${mark.id}`)
  await settle(service, notifier)
  expect(honeycomb.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/1/markers/shop/m%2F1' })
  await drop(service, notifier)
}, 90_000)

test('Datadog gets an event for each change, and New Relic the deployment once; what it refuses is told without the key', async () => {
  await using service = await start()
  await using datadog = await startReceiver((_, response) => response.writeHead(202).end('{"status":"ok"}'))
  let refuses = false
  await using newRelic = await startReceiver(({ headers }, response) =>
    response.end(
      JSON.stringify(
        refuses
          ? { errors: [{ message: `no entity for ${headers['api-key']}` }] }
          : { data: { changeTrackingCreateDeployment: { deploymentId: 'd1' } } },
      ),
    ),
  )
  const events = await make(service, { datadog: { apiKey: 'dd-secret-key', url: datadog.url } }, { datasets: ['multi'] })
  const tracking = await make(
    service,
    { newRelic: { apiKey: 'NRAK-secret', entityGuid: 'MTIz', url: newRelic.url } },
    { datasets: ['multi'] },
  )
  const mark = await created(service, { datasets: ['multi'], type: 'deploy', title: 'web 3.1.0' })
  await change(service, mark.id, { description: 'Succeeded after 3 s' })
  await settle(service, events)
  await settle(service, tracking)
  const sent = datadog.received.map(({ body }) => JSON.parse(body))
  expect(datadog.received[0]).toMatchObject({ path: '/api/v1/events', headers: { 'dd-api-key': 'dd-secret-key' } })
  expect(sent).toMatchObject([
    {
      title: 'web 3.1.0',
      aggregation_key: `copy-of:${mark.id}`,
      alert_type: 'info',
      tags: expect.arrayContaining(['dataset:multi', 'version:3.1.0']),
    },
    { title: 'web 3.1.0', aggregation_key: `copy-of:${mark.id}`, text: expect.stringContaining('Succeeded') },
  ])
  expect(newRelic.received).toHaveLength(1)
  expect(JSON.parse(newRelic.received[0]?.body ?? '').variables.deployment).toMatchObject({
    entityGuid: 'MTIz',
    version: '3.1.0',
    timestamp: Date.parse(mark.time),
    groupId: `copy-of:${mark.id}`,
  })
  refuses = true
  await created(service, { datasets: ['multi'], type: 'deploy', title: 'web 3.2.0' })
  await settle(service, tracking)
  expect((await deliveries(service, tracking))[0]).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: 'New Relic made no deployment: no entity for …',
  })
  await drop(service, events)
  await drop(service, tracking)
})

test('a copier is tried with a mark that is removed again, has no events, and is told of no monitor', async () => {
  await using service = await start()
  await using grafana = await startReceiver((_, response) => response.end('{"id":5}'))
  const properties = { grafana: { url: grafana.url, token: 'glsa_secret' } }
  const notifier = await make(service, properties, { datasets: ['tried'] })
  expect(notifier).not.toHaveProperty('secret')
  const tried = ask<NotifierDelivery>(service, 'POST', `/v2/notifiers/${notifier.id}/test`)
  await settle(service, notifier)
  expect((await tried).body).toMatchObject({ event: 'test', state: 'delivered' })
  expect(grafana.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/annotations',
    'DELETE /api/annotations/5',
  ])
  const refused = await ask(service, 'POST', '/v2/notifiers', { body: { name: 'n', properties, events: ['verdict'] } })
  expect(refused).toMatchObject({ status: 422, body: { message: expect.stringMatching(/events must be empty/) } })
  await using closed = await start({ notifications: { mayBePrivate: false } })
  expect(await ask(closed, 'POST', '/v2/notifiers', { body: { name: 'n', properties } })).toMatchObject({ status: 422 })
  await drop(service, notifier)
})
