/** Grafana's API of annotations: what tools that know it send, and what they get back. */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ask, tokenWith } from '../http.ts'

interface Mark {
  id: number
  time: number
  timeEnd: number
  text: string
  tags: string[]
}
interface Done {
  message: string
  id: number
}

const CASES = readCases<{
  tagged: { tags: string[]; datasets: string[]; type?: string; warning?: string }[]
  refused: [body: object, message: string][]
}>(import.meta.url)

const service = serviceForTests()
beforeAll(async () => {
  for (const name of ['web', 'api']) await ask(service, 'POST', '/v2/datasets', { body: { name } })
})

const mark = async (body: object, path = '/api/annotations') => ask<Done>(service, 'POST', path, { body })
const listOurs = async (dataset: string) => (await ask<object[]>(service, 'GET', `/v2/annotations?datasets=${dataset}`)).body
const findOurs = async (dataset: string, title: string) =>
  (await listOurs(dataset)).find((annotation) => (annotation as { title?: string }).title === title)

test('a text and tags become title, description, link, datasets and type', async () => {
  const added = await mark({
    time: 1_700_000_000_000,
    timeEnd: 1_700_000_060_000,
    tags: ['web', 'dataset:payments', 'type:production-deploy', 'blue/green'],
    text: '<b>shop 2.4</b> &amp; cart<br>by <a href="https://ci.example.com/7">run 7</a>',
  })
  expect(added).toMatchObject({ status: 200, body: { message: 'Annotation added', id: expect.any(Number) } })
  expect(Number.isSafeInteger(added.body.id)).toBe(true)
  expect(await findOurs('payments', 'shop 2.4 & cart')).toMatchObject({
    datasets: ['payments', 'web'],
    type: 'production-deploy',
    time: '2023-11-14T22:13:20Z',
    endTime: '2023-11-14T22:14:20Z',
    description: 'by run 7\n\nTags: web, dataset:payments, type:production-deploy, blue/green',
    url: 'https://ci.example.com/7',
  })
})

test('it is read, listed by time and tags, changed and deleted by its number', async () => {
  const { body } = await mark({ text: 'first\nmore', tags: ['api', 'one'], time: 1_600_000_000_000 })
  await mark({ text: 'second', tags: ['api', 'two'], time: 1_600_000_001_000, timeEnd: 1_600_000_001_000 })
  const one = `/api/annotations/${body.id}`
  const read = async () => (await ask<Mark>(service, 'GET', one)).body
  const list = async (query: string) =>
    (await ask<Mark[]>(service, 'GET', `/api/annotations?${query}`)).body.map(({ text }) => text)

  expect(await read()).toMatchObject({
    text: 'first\nmore',
    tags: ['api', 'one'],
    time: 1_600_000_000_000,
    timeEnd: 1_600_000_000_000,
  })
  expect(await list('from=1600000000000&to=1600000002000')).toEqual(['second', 'first\nmore'])
  expect(await list('from=1600000000000&to=1600000002000&limit=1')).toEqual(['second'])
  expect(await list('tags=api&tags=one')).toEqual(['first\nmore'])
  expect(await list('from=0&to=0&tags=one')).toEqual(['first\nmore'])
  expect(await list('tags=one&tags=two&matchAny=true')).toEqual(['second', 'first\nmore'])
  expect(await list('tags=one&tags=two&matchAny=1')).toEqual(['second', 'first\nmore'])
  expect(await list('tags=one&tags=two')).toEqual([])
  for (const elsewhere of ['dashboardUID=abc', 'dashboardId=1', 'panelId=2', 'alertId=3', 'alertUID=a', 'userId=4', 'type=alert'])
    expect(await list(elsewhere)).toEqual([])
  expect(await list('dashboardUID=&dashboardId=0&panelId=0&type=annotation&tags=one')).toEqual(['first\nmore'])

  expect(await ask(service, 'PATCH', one, { body: { tags: ['web', 'type:rollback', 'back'] } })).toMatchObject({
    body: { message: 'Annotation patched' },
  })
  expect(await findOurs('web', 'first')).toMatchObject({
    datasets: ['web'],
    type: 'rollback',
    description: 'more\n\nTags: web, type:rollback, back',
  })
  expect(await ask(service, 'PATCH', one, { body: { timeEnd: 1_600_000_009_000, tags: null } })).toMatchObject({ status: 200 })
  expect(await read()).toMatchObject({ text: 'first\nmore', tags: ['web', 'type:rollback', 'back'], timeEnd: 1_600_000_009_000 })
  expect(
    await ask(service, 'PUT', one, {
      body: { text: 'third', tags: ['web'], time: 1_600_000_000_000, timeEnd: 1_600_000_003_000 },
    }),
  ).toMatchObject({ body: { message: 'Annotation updated' } })
  expect(await read()).toMatchObject({ text: 'third', tags: ['web'], timeEnd: 1_600_000_003_000 })

  expect(await ask(service, 'DELETE', one)).toMatchObject({ status: 200, body: { message: 'Annotation deleted' } })
  expect((await ask(service, 'GET', one)).status).toBe(404)
  expect((await ask(service, 'DELETE', one)).status).toBe(404)
})

test('one that was made elsewhere has its datasets and its type as tags', async () => {
  await ask(service, 'POST', '/v2/annotations', { body: { datasets: ['ours'], type: 'release', title: 'v9' } })
  const { body } = await ask<Mark[]>(service, 'GET', '/api/annotations?tags=ours')
  expect(body).toMatchObject([{ text: 'v9', tags: ['ours', 'type:release'] }])
  expect(await ask(service, 'GET', `/api/annotations/${body[0]?.id}`)).toMatchObject({ body: { text: 'v9' } })
})

test.each(CASES.tagged)(
  'a mark with the tags $tags is on $datasets, and its sender is told where no tag says so',
  async (one) => {
    const { tags, datasets, type = 'deploy', warning } = one
    const text = `tagged by ${tags.join(' ') || 'nothing'}`
    const added = await mark({ text, tags })
    expect([added.status, added.body.message]).toEqual([200, ['Annotation added', warning].filter(Boolean).join(': ')])
    expect(added.headers.get('annotation-warning')).toBe(warning ?? null)
    expect(await findOurs(datasets[0] ?? '', text)).toMatchObject({ datasets, type })
  },
)

test('a dataset with marks and no events is known, so that the tags of a list can be sent back', async () => {
  await ask(service, 'POST', '/v2/annotations', { body: { datasets: ['marked-alone'], type: 'incident', title: 'first' } })
  const [listed] = (await ask<Mark[]>(service, 'GET', '/api/annotations?tags=marked-alone')).body
  await mark({ text: 'sent back', tags: listed?.tags })
  expect(await findOurs('marked-alone', 'sent back')).toMatchObject({ datasets: ['marked-alone'], type: 'incident' })
})

test("Graphite's events: tags in one text or in a list, times in seconds", async () => {
  const { body } = await mark(
    { what: 'deploy', tags: 'dataset:graphite blue', when: 1_500_000_000, data: 'by hand' },
    '/api/annotations/graphite',
  )
  expect(body.message).toBe('Graphite annotation added')
  expect(await findOurs('graphite', 'deploy')).toMatchObject({
    time: '2017-07-14T02:40:00Z',
    type: 'deploy',
    description: 'by hand\n\nTags: dataset:graphite, blue',
  })
})

test('Flux sends the time of Graphite to the other address, and tags with a blank after the colon', async () => {
  const tags = ['flux', 'kustomize-controller', 'dataset: fluxed', 'env: production', 'kind: Kustomization']
  await mark({ when: 1_500_000_000, text: 'kustomization/shop.flux-system', tags })
  expect(await findOurs('fluxed', 'kustomization/shop.flux-system')).toMatchObject({
    datasets: ['fluxed'],
    time: '2017-07-14T02:40:00Z',
  })
  const { body } = await ask(service, 'GET', '/v2/annotations?datasets=fluxed&environment=production')
  expect(body).toHaveLength(1)
})

test('a mark of another door is found by its dataset and type as tags, however many newer ones there are', async () => {
  await ask(service, 'POST', '/v2/annotations', { body: { datasets: ['rare'], type: 'rare-type', time: '2001-01-01T00:00:00Z' } })
  const found = async (tags: string) => (await ask<Mark[]>(service, 'GET', `/api/annotations?${tags}`)).body.length
  expect([await found('tags=dataset:rare&tags=type:rare-type'), await found('tags=dataset:rare&tags=type:other')]).toEqual([1, 0])
})

test('the source "Graphite" of a Grafana is tried, and reads marks of a range and of tags', async () => {
  const tags = ['dataset:drawn', 'cyan']
  await mark({ text: 'first\nmore', tags, time: 1_400_000_000_000, timeEnd: 1_400_000_060_000 })
  await mark({ text: 'second', tags: ['dataset:drawn', 'green'] })
  const events = (query: string) => ask<{ what: string }[]>(service, 'GET', `/events/get_data?${query}`)
  const texts = async (query: string) => (await events(query)).body.map(({ what }) => what)
  expect((await events('from=1399999999&until=1400000001&tags=cyan')).body).toEqual([
    { id: expect.any(Number), when: 1_400_000_000, what: 'first', data: 'more', tags },
  ])
  expect(await texts('from=-6h&until=now&tags=dataset:drawn')).toEqual(['second'])
  expect(await texts('from=-30years&until=now&tags=cyan+green')).toEqual(['first', 'second'])
  expect(await texts('from=-30y&until=now&tags=dataset:drawn+green&set=intersection')).toEqual(['second'])
  expect(await events('from=yesterday')).toMatchObject({ status: 422, body: { message: expect.stringContaining('-6h') } })
  const authorization = `Basic ${Buffer.from(`any:${service.token}`).toString('base64')}`
  const body = new URLSearchParams({ target: 'constantLine(100)', from: '-1h', until: 'now', format: 'json' })
  const tried = await fetch(`${service.url}/render`, { method: 'POST', headers: { authorization }, body })
  expect([tried.status, await tried.json()]).toEqual([200, []])
  expect(await ask(service, 'GET', '/version')).toMatchObject({ body: '1.1.10' })
  expect((await ask(service, 'GET', '/events/get_data', { token: null })).status).toBe(401)
})

test('tags are counted', async () => {
  for (const text of ['a', 'b']) await mark({ text, tags: ['dataset:counted', 'counted-often'] })
  const { body } = await ask(service, 'GET', '/api/annotations/tags?tag=counted')
  expect(body).toEqual({
    result: {
      tags: [
        { tag: 'dataset:counted', count: 2 },
        { tag: 'counted-often', count: 2 },
      ],
    },
  })
})

test.each([...CASES.refused, [{ text: 'x\ud800', tags: ['web'] }, 'well-formed Unicode']] as const)(
  '%j is refused: %s',
  async (body, message) => {
    const answer = await mark(body)
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining(message) } })
  },
)

test('a long text is kept as far as there is room, with its tags', async () => {
  await mark({
    text: `${'x'.repeat(300)}\n${'y'.repeat(900)}`,
    tags: ['dataset:long', ...Array.from({ length: 90 }, (_, n) => `tag-${n}`)],
  })
  const [stored] = (await listOurs('long')) as { title: string; description: string }[]
  expect([...(stored?.title ?? '')].length).toBe(256)
  expect([...(stored?.description ?? '')].length).toBe(512)
  expect(stored?.description).toMatch(/^x{300}\ny+…\n\nTags: dataset:long, tag-0, /)
})

test('a token that is limited to a dataset marks it without a tag', async () => {
  const token = await tokenWith(service, {
    datasetCapabilities: { web: { ingest: ['create'] } },
    orgCapabilities: { annotations: ['create', 'read'] },
  })
  expect(await ask(service, 'POST', '/api/annotations', { token, body: { text: 'limited' } })).toMatchObject({ status: 200 })
  expect(await findOurs('web', 'limited')).toMatchObject({ datasets: ['web'] })
  const free = await ask<Done>(service, 'POST', '/api/annotations', {
    token,
    body: { text: 'free', tags: ['prod', 'service:api'] },
  })
  expect([free.status, free.body.message]).toEqual([200, expect.stringContaining('so it is on the dataset web')])
})

test('clients find out what they talk to, and may give the token as a password', async () => {
  expect(await ask(service, 'GET', '/api/health', { token: null })).toMatchObject({ status: 200, body: { database: 'ok' } })
  expect(await ask(service, 'GET', '/api/frontend/settings', { token: null })).toMatchObject({
    body: { buildInfo: { version: '12.0.0' } },
  })
  expect((await ask(service, 'GET', '/api/org', { token: null })).status).toBe(401)
  const authorization = `Basic ${Buffer.from(`admin:${service.token}`).toString('base64')}`
  const answer = await fetch(`${service.url}/api/org`, { headers: { authorization } })
  expect([answer.status, await answer.json()]).toEqual([200, { id: 1, name: 'Annotation service' }])
})
