/**
 * Every endpoint that the service documents has a call in the client, but for those that others ask, which `not-in-the-client.yaml` names
 * with their reasons; and every call does what it says, against the real service.
 */
import { expect, test } from '@jest/globals'
import { disposedAfterTests, serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { readYaml } from '../../../__tests__/support/read-yaml.ts'
import { createClient, NotFoundError } from '../src/index.ts'
import type { Transport } from '../src/transport.ts'
import { createUndiciTransport } from '../src/undici.ts'

const EXCEPTIONS = Object.keys(readYaml<object>(import.meta.url, 'not-in-the-client.yaml')).map(
  (pattern) => new RegExp(`^${pattern}$`),
)

const service = serviceForTests()
const asked = new Set<string>()
const client = disposedAfterTests(async () => {
  const baseUrl = new URL(service.url)
  return createClient({ token: service.token, baseUrl, transport: recording(createUndiciTransport(baseUrl)) })
})

const DAY = { startTime: '2026-01-31T00:00:00Z', endTime: '2026-02-01T00:00:00Z' }

test('integrations are made, read, changed, given a new secret and deleted', async () => {
  const { secret, ...made } = await client.integrations.create({ platform: 'github', datasets: ['shop'] })
  expect(await client.integrations.list()).toEqual([made])
  expect(await client.integrations.change(made.id, { name: 'Shop' })).toMatchObject({ id: made.id, name: 'Shop' })
  expect(await client.integrations.get(made.id)).toMatchObject({ name: 'Shop' })
  expect(await client.integrations.deliveries(made.id)).toEqual([])
  const body = { deployment: 'd', status: 'succeeded', time: DAY.startTime, version: '1.2.0' }
  const { marks } = await client.integrations.preview({ platform: 'generic', body, type: 'release' })
  expect(marks).toMatchObject([{ deployment: 'd', state: 'succeeded', type: 'release' }])
  const { secret: next } = await client.integrations.regenerate(made.id, {})
  expect([typeof secret, typeof next, next === secret]).toEqual(['string', 'string', false])
  await client.integrations.delete(made.id)
  await expect(client.integrations.get(made.id)).rejects.toBeInstanceOf(NotFoundError)
})

test('tokens are created, read, regenerated and revoked', async () => {
  const made = await client.tokens.create({ name: 'shipper', datasetCapabilities: { shop: { ingest: ['create'] } } })
  expect(made).toMatchObject({ name: 'shipper', kind: 'api', token: expect.stringMatching(/^xaat-/) })
  const { token, ...shown } = made
  expect(await client.tokens.get(made.id)).toEqual(shown)
  expect(await client.tokens.list()).toContainEqual(shown)
  const next = await client.tokens.regenerate(made.id, { existingTokenExpiresAt: '2020-01-01T00:00:00Z' })
  expect(next.token).not.toBe(token)
  await using shipper = createClient({ token: next.token, baseUrl: service.url })
  expect(await shipper.ingest('shop', [{ n: 1 }])).toMatchObject({ ingested: 1 })
  await client.tokens.delete(next.id)
  await expect(client.tokens.get(next.id)).rejects.toBeInstanceOf(NotFoundError)
})

test('whose token it is, and what it may do', async () => {
  expect(await client.user.get()).toMatchObject({ id: expect.any(String), name: expect.any(String) })
  expect((await client.user.permissions()).permissions).toContain('ingest|create')
  expect((await client.releases.list({ datasets: ['web'] })).total).toMatchObject({ service: '' })
  expect((await client.releases.changes({ time: 'now-1h', before: '6h' })).changes).toEqual([])
  const organizations = await client.organizations.list()
  expect(organizations).toHaveLength(1)
  expect(await client.organizations.get(organizations[0]?.id ?? '')).toEqual(organizations[0])
})

test('datasets, with what is in them, their map fields and virtual fields', async () => {
  const name = 'whole'
  await client.datasets.create({ name, description: 'first' })
  expect(await client.datasets.change(name, { description: 'second' })).toMatchObject({ description: 'second' })
  expect(await client.mapFields.create(name, 'labels')).toEqual({ name: 'labels' })
  expect(await client.mapFields.list(name)).toEqual(['labels'])
  expect(await client.mapFields.replace(name, ['a b/c', 'tags'])).toEqual(['a b/c', 'tags'])
  await client.mapFields.delete(name, 'a b/c')
  expect((await client.datasets.get(name)).mapFields).toEqual(['tags'])

  await client.ingest(name, [{ _time: '2026-01-31T12:00:00Z', took: 5, tags: { a: 1 } }])
  expect(await client.datasets.info(name)).toMatchObject({ name, numEvents: 1, minTime: '2026-01-31T12:00:00Z' })
  const field = { dataset: name, name: 'slow', expression: 'took > 1' }
  const { id } = await client.virtualFields.create(field)
  expect(await client.virtualFields.change(id, { ...field, expression: 'took > 2' })).toMatchObject({ expression: 'took > 2' })
  expect(await client.virtualFields.list(name)).toEqual([await client.virtualFields.get(id)])
  const all = await client.datasets.allFields()
  expect(all.find(({ datasetName }) => datasetName === name)?.fields.map((known) => known.name)).toEqual(
    expect.arrayContaining(['slow', 'tags', 'took']),
  )
  expect(await client.datasets.fields(name)).toContainEqual(expect.objectContaining({ name: 'took', type: 'integer' }))
  await client.virtualFields.delete(id)
  await client.datasets.trim(name, '1s')
  await client.datasets.vacuum(name)
  expect((await client.datasets.info(name)).numEvents).toBe(0)
  await client.datasets.delete(name)
  await expect(client.datasets.get(name)).rejects.toBeInstanceOf(NotFoundError)
  expect((await client.datasets.list()).map((dataset) => dataset.name)).not.toContain(name)
})

test('a query that is saved is found by the id of its result', async () => {
  await client.ingest('asked', [{ _time: '2026-01-31T12:00:00Z', n: 1 }])
  const apl = "['asked'] | summarize count()"
  const { savedQueryId = '' } = await client.query(apl, { ...DAY, saveAsKind: 'apl' })
  expect(await client.savedQueries.get(savedQueryId)).toMatchObject({ kind: 'apl', dataset: 'asked', query: { apl } })
  const legacy = await client.queryLegacy('asked', { ...DAY, limit: 1 }, { saveAsKind: 'analytics' })
  expect(await client.savedQueries.get(legacy.savedQueryId ?? '')).toMatchObject({ kind: 'analytics', dataset: 'asked' })
  expect(await client.query(apl, DAY)).not.toHaveProperty('savedQueryId')
})

test('saved views, monitors with their history, and annotations', async () => {
  const view = await client.savedViews.create({ name: 'Errors', startTime: 'now-3h', endTime: 'now' })
  expect(await client.savedViews.change(view.id, { name: 'All' })).toMatchObject({ name: 'All', startTime: 'now-3h' })
  expect(await client.savedViews.list()).toEqual([await client.savedViews.get(view.id)])
  await client.savedViews.delete(view.id)

  const aplQuery = "['watched'] | summarize count()"
  await client.ingest('watched', [{ n: 1 }])
  const compared = { operator: 'Above', threshold: 1e9, intervalMinutes: 60, rangeMinutes: 60 } as const
  const { id } = await client.monitors.create({ name: 'Errors', aplQuery, ...compared })
  expect(await client.monitors.history(id, DAY)).toEqual([])
  expect(await client.monitors.change(id, { threshold: 2e9 })).toMatchObject({ threshold: 2e9 })
  expect((await client.monitors.list()).map((monitor) => monitor.id)).toEqual([(await client.monitors.get(id)).id])
  await client.monitors.delete(id)

  const span = { datasets: ['web'], type: 'deploy', time: '2026-01-31T12:00:00.000000001Z' }
  const mark = await client.annotations.create(span)
  expect(mark).toEqual({ id: expect.stringMatching(/^ann_/), ...span })
  const changed = await client.annotations.change(mark.id, { title: 'v1' })
  expect(changed).toEqual({ ...mark, title: 'v1' })
  expect([await client.annotations.get(mark.id), ...(await client.annotations.list())]).toEqual([changed, changed])
  const between = { start: '2026-01-30T00:00:00Z', end: '2026-01-31T13:00:00+02:00', datasets: ['web'] }
  expect(await client.annotations.list(between)).toEqual([])
  expect(await client.annotations.delete(mark.id)).toBeUndefined()
  expect(await client.annotations.list()).toEqual([])
})

test('notifiers, their last messages, and a test that nobody can be told', async () => {
  const properties = { customWebhook: { url: 'https://hooks.invalid/marks', headers: {}, body: '' } }
  const { id } = await client.notifiers.create({ name: 'On call', properties })
  expect(await client.notifiers.get(id)).toMatchObject({ id, name: 'On call' })
  expect((await client.notifiers.list()).map((notifier) => notifier.id)).toEqual([id])
  expect(await client.notifiers.change(id, { name: 'Nobody' })).toMatchObject({ name: 'Nobody' })
  expect(await client.notifiers.regenerate(id)).toMatchObject({ id })
  const tried = await client.notifiers.test(id)
  expect(tried).toMatchObject({ event: 'test', error: expect.stringContaining('could not be reached') })
  expect((await client.notifiers.deliveries(id)).map((delivery) => delivery.id)).toEqual([tried.id])
  await client.notifiers.delete(id)
})

test('what the service says about itself', async () => {
  expect(await client.serviceInfo.health()).toMatchObject({ status: 'ok' })
  expect(await client.serviceInfo.metrics()).toMatch(/^# HELP /m)
  expect((await client.serviceInfo.language()).operators.map(({ name }) => name)).toContain('summarize')
})

test('each endpoint of the document was asked, or is an exception', async () => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const isExcepted = (operation: string) => EXCEPTIONS.some((pattern) => pattern.test(operation))
  const answering = operations.map((operation) => ({ operation, pattern: patternOf(operation) }))
  const wasAsked = ({ pattern }: { pattern: RegExp }) => [...asked].some((request) => pattern.test(request))
  expect(answering.filter((one) => !isExcepted(one.operation) && !wasAsked(one)).map(({ operation }) => operation)).toEqual([])
  // An exception that nothing needs would hide the next endpoint.
  expect(EXCEPTIONS.filter((pattern) => !operations.some((operation) => pattern.test(operation)))).toEqual([])
})

/** `GET /v2/tokens/{id}` as the requests that it answers. */
function patternOf(operation: string): RegExp {
  const escaped = operation.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{\w+\}/g, '(?!_)[^/]+')}$`)
}

function recording(transport: Transport): Transport {
  return {
    send(request) {
      asked.add(`${request.method} ${request.url.pathname}`)
      return transport.send(request)
    },
    close: () => transport.close(),
  }
}
