/**
 * What notifiers are told of annotations, verdicts and monitors, and what they tell of themselves: over real records and the real engine,
 * with a clock that the test drives, to a receiver on loopback.
 */
import type { MadeNotifier, Notifier, NotifierDelivery } from '@deployment-annotations/contract/notifier'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ask, CRUD, created, make, tokenWith } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven, until } from '../monitors/driven-service.ts'
import { startReceiver } from './receiver.ts'

const room = roomForTests()
const dataDir = folderForTests('notifiers')

const start = (more: object = {}) => startDriven(room, { dataDir, notifications: { mayBePrivate: true }, ...more })
type Service = Awaited<ReturnType<typeof start>>

const makeNotifier = (service: Service, body: object) => make<MadeNotifier>(service, '/v2/notifiers', { name: 'n', ...body })

/** Lets the seconds pass in which messages are looked for. */
async function titles(receiver: Awaited<ReturnType<typeof startReceiver>>, count: number): Promise<string[]> {
  await until(async () => {
    room.clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    return receiver.received.length >= count || undefined
  }, 30_000)
  for (let n = 0; n < 5; n++) {
    room.clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return receiver.received.map(({ body }) => `${JSON.parse(body).data.action}: ${JSON.parse(body).data.title}`)
}

test('a failure is told once, and once when it is over; what is old or elsewhere is not', async () => {
  await using service = await start()
  await using receiver = await startReceiver()
  const properties = { webhook: { url: receiver.url } }
  const { id } = await makeNotifier(service, { properties, events: ['failure'], datasets: ['web'], types: ['deploy'] })
  const failed = { datasets: ['web', 'api'], type: 'deploy', title: 'web 1', description: 'Failed after 3 s' }
  const mark = await created(service, failed)
  await created(service, { ...failed, datasets: ['api'] })
  await created(service, { ...failed, type: 'backup' })
  await created(service, { ...failed, time: iso(room.clock.now() - 72 * 60 * MINUTE) })
  await created(service, { ...failed, description: 'Succeeded after 3 s' })
  const change = (body: object) => ask(service, 'PUT', `/v2/annotations/${mark.id}`, { body })
  expect(await titles(receiver, 1)).toEqual(['open: web 1 failed'])
  await change({ title: 'web 1.0' })
  await change({ description: 'Succeeded after 4 s' })
  expect(await titles(receiver, 2)).toEqual(['open: web 1 failed', 'closed: web 1.0 has not failed any more (succeeded)'])
  const { body } = await ask<NotifierDelivery[]>(service, 'GET', `/v2/notifiers/${id}/deliveries`)
  expect(body).toMatchObject([
    { action: 'closed', state: 'delivered', attempts: 1, annotation: mark.id },
    { action: 'open', state: 'delivered' },
  ])
  await ask(service, 'DELETE', `/v2/notifiers/${id}`)
})

test('a monitor tells the notifiers that it names when it triggers and recovers, and forgets one that is deleted', async () => {
  await using service = await start()
  await using receiver = await startReceiver()
  const { id } = await makeNotifier(service, { properties: { webhook: { url: receiver.url } } })
  const { id: other } = await makeNotifier(service, { properties: { webhook: { url: receiver.url } } })
  await service.ingest('shop', [{ _time: iso(room.clock.now() - 1_000), status: 500 }])
  const monitor = await service.createMonitor({ aplQuery: "['shop'] | summarize count()", notifierIds: [id] })
  expect(monitor).toMatchObject({ notifierIds: [id] })
  expect(await titles(receiver, 1)).toEqual(['open: errors'])
  room.clock.advance(MINUTE)
  room.clock.advance(MINUTE)
  expect(await titles(receiver, 2)).toEqual(['open: errors', 'closed: errors recovered'])
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'monitor',
    action: 'Open',
    event: { monitorID: monitor.id, title: 'errors', value: 1 },
    data: { monitor: { id: monitor.id, value: 1 }, annotation: { datasets: ['shop'], type: 'monitor' } },
  })
  await ask(service, 'DELETE', `/v2/notifiers/${id}`)
  expect((await service.list())[0]).toMatchObject({ notifierIds: [] })
  await ask(service, 'DELETE', `/v2/notifiers/${other}`)
})

test('a verdict that is worse is told once, also where the mark is moved and judged again', async () => {
  await using service = await start({ releaseTypes: ['deploy'] })
  await using receiver = await startReceiver()
  const { id: notifier } = await makeNotifier(service, { properties: { slack: { slackUrl: receiver.url } }, events: ['verdict'] })
  const atMs = room.clock.now()
  const requests = (from: number, minutes: number, failsEvery: number) =>
    Array.from({ length: minutes * 200 }, (_, at) => ({
      _time: iso(from + Math.floor((at * MINUTE) / 200)),
      status: at % failsEvery === 0 ? 500 : 200,
    }))
  await service.ingest('store', [...requests(atMs - 60 * MINUTE, 60, 100), ...requests(atMs, 10, 20)])
  const { id } = await created(service, { datasets: ['store'], type: 'deploy', title: 'store 2' })
  await service.pass(12)
  await until(async () => {
    room.clock.advance(1_000)
    return receiver.received.length > 0 || undefined
  }, 30_000)
  expect(JSON.parse(receiver.received[0]?.body ?? '').text).toMatch(/^:red_circle: \*store 2: Errors rose 5-fold: 1 → 5 %\*\n/)
  await ask(service, 'PUT', `/v2/annotations/${id}`, { body: { time: iso(atMs - 1_000) } })
  await service.pass(3)
  expect(receiver.received).toHaveLength(1)
  await ask(service, 'DELETE', `/v2/notifiers/${notifier}`)
}, 90_000)

const SLACK = 'https://hooks.slack.com/services/T0/B0/very-secret'

test('secrets are for the token that sent them alone, are kept when they come back as they were shown, and lists have none', async () => {
  await using service = await start()
  const made = await makeNotifier(service, { properties: { slack: { slackUrl: SLACK } } })
  expect(made).toMatchObject({ properties: { slack: { slackUrl: SLACK } } })
  expect(made).not.toHaveProperty('secret')
  const path = `/v2/notifiers/${made.id}`
  const other = await tokenWith(service, { orgCapabilities: { notifiers: ['read', 'update'] } })
  const read = async (token?: string) => (await ask<Notifier>(service, 'GET', path, { token })).body.properties
  const masked = { slack: { slackUrl: 'https://hooks.slack.com/…' } }
  expect([await read(), await read(other)]).toEqual([{ slack: { slackUrl: SLACK } }, masked])
  expect(JSON.stringify((await ask(service, 'GET', '/v2/notifiers')).body)).not.toContain('very-secret')
  const put = (body: object, token = service.token) => ask<Notifier>(service, 'PUT', path, { token, body })
  expect((await put({ name: 'renamed', properties: masked }, other)).body).toMatchObject({
    name: 'renamed',
    properties: masked,
  })
  expect(await read()).toEqual({ slack: { slackUrl: SLACK } })
  // As the published Go client writes it.
  const custom = { URL: 'https://example.com/x', Headers: { 'x-key': 'abcd' }, Body: '{"t":"{{.Title}}"}' }
  const spelled = { url: custom.URL, headers: custom.Headers, body: custom.Body }
  const sent = { name: 'c', disabledUntil: '0001-01-01T00:00:00Z', properties: { customWebhook: custom } }
  expect((await put(sent)).body).toMatchObject({ name: 'c', properties: { customWebhook: spelled } })
  expect(await read(other)).toEqual({
    customWebhook: { url: 'https://example.com/…', headers: { 'x-key': '…' }, body: '…' },
  })
  await ask(service, 'DELETE', path)
})

test('without permission nothing goes to addresses inside, whether an address says so or a name', async () => {
  await using service = await start({ notifications: {} })
  await using receiver = await startReceiver()
  for (const host of readCases<string[]>(import.meta.url)) {
    const body = { name: 'n', properties: { webhook: { url: `http://${host}/` } } }
    const { status, body: answer } = await ask(service, 'POST', '/v2/notifiers', { body })
    expect([host, status, answer]).toEqual([host, 422, { code: 606, message: expect.stringContaining('inside a network') }])
  }
  const port = new URL(receiver.url).port
  const { id } = await makeNotifier(service, {
    properties: { webhook: { url: `http://localhost:${port}/` } },
    events: ['failure'],
  })
  await created(service, { datasets: ['web'], type: 'deploy', description: 'Failed' })
  const [delivery] = await until(async () => {
    room.clock.advance(1_000)
    const { body } = await ask<NotifierDelivery[]>(service, 'GET', `/v2/notifiers/${id}/deliveries`)
    return body[0]?.state === 'failed' ? body : undefined
  })
  expect(delivery).toMatchObject({ attempts: 1, error: expect.stringContaining('"localhost" is an address inside a network') })
  expect(receiver.received).toEqual([])
  await ask(service, 'DELETE', `/v2/notifiers/${id}`)
})

test('a token that names datasets makes notifiers of these alone, and reaches no others', async () => {
  await using service = await start()
  const all = await makeNotifier(service, { properties: { slack: { slackUrl: SLACK } }, events: ['failure'] })
  const token = await tokenWith(service, {
    orgCapabilities: { notifiers: CRUD, annotations: ['read'] },
    datasetCapabilities: { web: { ingest: ['create'] } },
  })
  const post = (body: object) =>
    ask<Notifier>(service, 'POST', '/v2/notifiers', {
      token,
      body: { name: 'l', properties: { slack: { slackUrl: SLACK } }, ...body },
    })
  expect((await post({ events: ['verdict'] })).status).toBe(403)
  expect((await post({ events: ['failure'], datasets: ['api'] })).status).toBe(403)
  const own = await post({ events: ['failure'] })
  expect(own.status).toBe(201)
  expect((await ask<Notifier[]>(service, 'GET', '/v2/notifiers', { token })).body.map(({ id }) => id)).toEqual([own.body.id])
  expect((await ask(service, 'GET', `/v2/notifiers/${all.id}`, { token })).status).toBe(404)
  for (const { id } of [all, own.body]) await ask(service, 'DELETE', `/v2/notifiers/${id}`)
})
