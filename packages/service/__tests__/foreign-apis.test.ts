/**
 * The APIs of others in which tools mark: Honeycomb, Datadog, New Relic and Sentry. Their own clients are run by `npm run test:clients`.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../__tests__/support/service.ts'
import { ask, list, tokenWith } from './http.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
  for (const name of ['web', 'guid-1', 'shop']) await ask(service, 'POST', '/v2/datasets', { body: { name } })
})
afterAll(() => service[Symbol.asyncDispose]())

const call = (method: string, path: string, header: string, body?: object) =>
  ask<Record<string, unknown>>(service, method, path, {
    token: null,
    headers: { [header]: header === 'authorization' ? `Bearer ${service.token}` : service.token },
    ...(body && { body }),
  })
const marks = async (type: string) => (await list(service)).body.filter((mark) => mark.type === type)
/** Sends it twice, as a client does that got no answer. */
async function twice(path: string, header: string, body: object) {
  const first = await call('POST', path, header, body)
  expect((await call('POST', path, header, body)).body).toEqual(first.body)
  return first
}

test('Honeycomb: a marker is made once, listed, changed and deleted', async () => {
  const made = await twice('/1/markers/web', 'x-honeycomb-team', {
    start_time: 1772366400,
    end_time: 1772366460,
    message: 'deploy 1.4.0',
    type: 'Honey Deploy',
    url: 'https://ci.example/7',
  })
  expect(made).toMatchObject({ status: 201, body: { start_time: 1772366400, message: 'deploy 1.4.0', type: 'honey-deploy' } })
  expect(await marks('honey-deploy')).toMatchObject([
    {
      datasets: ['web'],
      time: '2026-03-01T12:00:00Z',
      endTime: '2026-03-01T12:01:00Z',
      title: 'deploy 1.4.0',
      url: 'https://ci.example/7',
    },
  ])
  const { id } = made.body
  expect((await call('GET', '/1/markers/web', 'x-honeycomb-team')).body).toEqual([made.body])
  expect((await call('GET', '/1/markers/api', 'x-honeycomb-team')).body).toEqual([])
  const changed = await call('PUT', `/1/markers/web/${id}`, 'x-honeycomb-team', { message: 'deploy 1.4.1', end_time: 1772366520 })
  expect(changed.body).toMatchObject({ message: 'deploy 1.4.1', end_time: 1772366520, type: 'honey-deploy' })
  expect((await call('DELETE', `/1/markers/web/${id}`, 'x-honeycomb-team')).status).toBe(200)
  expect(await marks('honey-deploy')).toEqual([])
  expect((await call('POST', '/1/markers/__all__', 'x-honeycomb-team', { message: 'x' })).status).toBe(422)
  const bare = await call('POST', '/1/markers/web', 'x-honeycomb-team', { type: 'chef-run' })
  expect(bare).toMatchObject({ status: 201, body: { message: '', type: 'chef-run', start_time: expect.any(Number) } })
  expect(await marks('chef-run')).toMatchObject([{ datasets: ['web'], type: 'chef-run' }])
  for (const wrong of [{ start_time: 'soon' }, [{ message: 'x' }]])
    expect((await call('POST', '/1/markers/web', 'x-honeycomb-team', wrong)).status).toBe(422)
})

test('Datadog: tags say where, an error is a failure, and a repeat makes no other', async () => {
  const made = await twice('/api/v1/events', 'dd-api-key', {
    title: 'Deployed shop',
    text: '%%% \n see https://ci.example/8 \n %%%',
    date_happened: 1772366400,
    tags: ['dataset:web', 'service:shop', 'env:production', 'version:1.4.0', 'team:a'],
    alert_type: 'error',
  })
  expect(made).toMatchObject({ status: 202, body: { status: 'ok', event: { title: 'Deployed shop', alert_type: 'error' } } })
  expect(await marks('deploy')).toMatchObject([
    {
      datasets: ['web'],
      description: 'Failed: see https://ci.example/8',
      url: 'https://ci.example/8',
      time: '2026-03-01T12:00:00Z',
    },
  ])
  expect((await list(service, '?service=shop&environment=production&version=1.4.0')).body).toHaveLength(1)
  const { id } = (made.body as { event: { id: number } }).event
  expect((await call('GET', `/api/v1/events/${id}`, 'dd-api-key')).body).toEqual({
    event: (made.body as { event: object }).event,
  })
  const found = (query: string) => call('GET', `/api/v1/events?start=1772366000&end=1772367000${query}`, 'dd-api-key')
  expect((await found('&tags=team:a')).body).toMatchObject({ events: [{ id }] })
  expect((await found('&tags=team:b')).body).toEqual({ events: [] })
  expect((await call('POST', '/api/v1/events', 'dd-api-key', { title: 'x', text: 'y' })).body).toMatchObject({
    code: 602,
    message: expect.stringContaining('dataset:NAME'),
  })
})

test('New Relic: the mutation is read from variables and from its text, and REST deployments too', async () => {
  const deployment = {
    entityGuid: 'guid-1',
    version: '2.0.0',
    timestamp: 1772366400123,
    user: 'ada',
    deepLink: 'https://ci.example/9',
  }
  const query =
    'mutation($deployment: ChangeTrackingDeploymentInput!) { changeTrackingCreateDeployment(deployment: $deployment) { deploymentId } }'
  const made = await twice('/graphql', 'api-key', { query, variables: { deployment } })
  expect(made).toMatchObject({
    status: 200,
    body: { data: { changeTrackingCreateDeployment: { deploymentId: expect.stringMatching(/^ann_/), entityGuid: 'guid-1' } } },
  })
  const text =
    'mutation { changeTrackingCreateDeployment(deployment: {version: "2.0.1", entityGuid: "guid-1", deploymentType: BASIC, description: """a "b" c""", timestamp: 1772366500000}) { deploymentId } }'
  expect((await call('POST', '/graphql', 'api-key', { query: text })).status).toBe(200)
  const rest = { deployment: { revision: '2.0.2', changelog: 'Prices', user: 'ada', timestamp: '2026-03-01T12:05:00Z' } }
  expect((await twice('/v2/applications/shop/deployments.json', 'x-api-key', rest)).status).toBe(201)
  const here = (await list(service, '?datasets=guid-1,shop')).body
  expect(here.map(({ time, title, description }) => [time, title, description])).toEqual([
    ['2026-03-01T12:00:00.123Z', '2.0.0', 'By ada'],
    ['2026-03-01T12:01:40Z', '2.0.1', 'a "b" c'],
    ['2026-03-01T12:05:00Z', 'shop 2.0.2', 'Prices\n\nBy ada'],
  ])
  for (const wrong of [
    '{ actor { user { name } } }',
    '',
    'mutation { changeTrackingCreateDeployment(deployment: {version: ',
    `mutation { changeTrackingCreateDeployment(deployment: ${'['.repeat(900)}`,
  ]) {
    expect((await call('POST', '/graphql', 'api-key', { query: wrong })).status).toBe(422)
  }
})

test('Sentry: a release is one mark from its creation to its end, and a deploy another', async () => {
  const releases = '/api/0/organizations/acme/releases/'
  const made = await call('POST', releases, 'authorization', { version: 'shop@3.0.0', projects: ['shop'] })
  expect(made).toMatchObject({ status: 201, body: { version: 'shop@3.0.0', dateReleased: null } })
  await call('POST', releases, 'authorization', { version: 'shop@3.0.0', projects: ['shop'] })
  const one = `${releases}shop%403.0.0/`
  await call('PUT', one, 'authorization', { projects: ['shop'], dateReleased: '2020-01-01T00:00:00Z' })
  const [release, ...others] = await marks('release')
  expect([release, others]).toMatchObject([{ title: 'shop@3.0.0', endTime: release?.time, datasets: ['shop'] }, []])
  expect((await call('GET', one, 'authorization')).body).toMatchObject({ version: 'shop@3.0.0', dateReleased: release?.time })
  expect(await call('GET', `${releases}shop%409/`, 'authorization')).toMatchObject({ status: 404 })
  const deploy = {
    environment: 'production',
    dateStarted: '2026-03-01T13:00:00Z',
    dateFinished: '2026-03-01T13:02:00Z',
    name: 'blue',
  }
  expect(await twice(`${one}deploys/`, 'authorization', deploy)).toMatchObject({
    status: 201,
    body: { environment: 'production' },
  })
  expect((await list(service, '?version=3.0.0&environment=production')).body).toMatchObject([
    { title: 'shop@3.0.0 production', type: 'deploy', time: '2026-03-01T13:00:00Z', endTime: '2026-03-01T13:02:00Z' },
  ])
  expect((await call('GET', `${one}deploys/`, 'authorization')).body).toMatchObject([{ environment: 'production', name: 'blue' }])
})

test('a token is taken in the header of its API alone, and may do what it may do elsewhere', async () => {
  const read = await tokenWith(service, ['annotations|read'])
  const send = (headers: Record<string, string>) =>
    ask(service, 'POST', '/1/markers/web', { token: null, headers, body: { message: 'x', start_time: 1 } })
  const statuses = [
    (await send({ 'x-honeycomb-team': 'wrong' })).status,
    (await send({ 'dd-api-key': service.token })).status,
    (await send({ 'x-honeycomb-team': read })).status,
    (await send({})).status,
  ]
  expect(statuses).toEqual([401, 401, 403, 401])
  expect(
    (await ask(service, 'POST', '/v2/annotations', { token: null, headers: { 'x-honeycomb-team': service.token }, body: {} }))
      .status,
  ).toBe(401)
})
