/**
 * Who may do what with which dataset: every endpoint that belongs to datasets, asked by every kind of token about a dataset that it
 * was given, one that it was not, and where both could be reached at once. What is expected is written out, not computed.
 */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { tried } from '../../../../__tests__/support/long.ts'
import { readCases } from '../cases.ts'
import { ask as askService, CRUD, created, MONITOR, make, tokenWith, VALID } from '../http.ts'
import { apl, ingest } from '../query/ask.ts'

const service = serviceForTests()
const tokens = new Map<string, string>()
const ids: Record<string, string> = {}

const ORG = { annotations: CRUD, datasets: CRUD, monitors: CRUD }
const OF_ONE = { ingest: ['create'], query: ['read'], trim: ['update'] }
const TOKENS: Record<string, object> = {
  personal: { kind: 'personal' },
  'with permissions': { permissions: ['ingest|create', 'query|read', 'annotations|read', 'datasets|read', 'monitors|read'] },
  'of all': { datasetCapabilities: { '*': OF_ONE }, orgCapabilities: ORG },
  'of web': { datasetCapabilities: { web: OF_ONE }, orgCapabilities: ORG },
  'asks web': { datasetCapabilities: { web: { query: ['read'] } }, orgCapabilities: {} },
  'sends to web, asks api': { datasetCapabilities: { web: { ingest: ['create'] }, api: { query: ['read'] } } },
  'marks all': { datasetCapabilities: {}, orgCapabilities: { annotations: CRUD } },
  'of an absent name': { datasetCapabilities: { constructor: OF_ONE }, orgCapabilities: ORG },
  none: { orgCapabilities: { users: ['read'] } },
}

const monitorOf = (dataset: string) => ({
  ...MONITOR,
  name: dataset,
  aplQuery: `['${dataset}'] | count`,
  disabled: true,
})

beforeAll(async () => {
  for (const name of ['web', 'api']) {
    await ingest(service, name, [{ from: name }])
    ids[`annotation of ${name}`] = (await created(service, { datasets: [name] })).id
    ids[`monitor of ${name}`] = (await make(service, '/v2/monitors', monitorOf(name))).id
  }
  ids['annotation of both'] = (await created(service, { datasets: ['web', 'api'] })).id
  for (const [name, may] of Object.entries(TOKENS)) tokens.set(name, await tokenWith(service, { name, ...may }))
}, 60_000)

/** Of a request, by the name of its token. */
const as = (name: string) => ({ token: tokens.get(name) ?? '' })

type Statuses = Record<string, number>
/** What was asked, to find out what was not. */
const asked = new Set<string>()
const ask: typeof askService = (to, method, path, question) => {
  asked.add(`${method} ${path.split('?')[0]}`)
  tried(1)
  return askService(to, method, path, question)
}
const statuses = async (method: string, path: string, body?: unknown): Promise<Statuses> => {
  const found: Statuses = {}
  for (const [name, token] of tokens) found[name] = (await ask(service, method, path, { token, body })).status
  return found
}
/** All tokens are refused but these. */
const forbiddenBut = (others: Statuses): Statuses => ({
  ...Object.fromEntries(Object.keys(TOKENS).map((name) => [name, 403])),
  ...others,
})
const ok = (names: readonly string[], status = 200, but: Statuses = {}) =>
  forbiddenBut({ ...Object.fromEntries(['personal', ...names].map((name) => [name, status])), ...but })

test('a pattern reaches what a token was given and nothing else, and no message names another dataset', async () => {
  const read = async (token: string) => {
    const text = 'union * | where isnotnull(from) | distinct from | sort by from asc'
    const { body } = await apl({ ...service, ...as(token) }, text)
    return body.tables[0]?.columns[0]
  }
  expect(await read('personal')).toEqual(['api', 'web'])
  expect(await read('of all')).toEqual(['api', 'web'])
  expect(await read('asks web')).toEqual(['web'])
  expect(await read('sends to web, asks api')).toEqual(['api'])
  const { status, body } = await apl({ ...service, ...as('asks web') }, 'ap | count')
  expect([status, body.message]).toEqual([403, expect.stringMatching(/lacks the permission query\|read on the dataset "ap"$/)])
})

test('datasets are listed for who was given them', async () => {
  const names = async (token: string) =>
    (await ask<{ name: string }[]>(service, 'GET', '/v2/datasets', as(token))).body.map(({ name }) => name)
  expect(await names('of web')).toEqual(['web'])
  expect((await ask(service, 'GET', '/v1/datasets', { token: tokens.get('of web') ?? '' })).body).toHaveLength(1)
  expect(await names('of all')).toEqual(expect.arrayContaining(['api', 'web']))
  expect(await names('of an absent name')).toEqual([])
})

test('who may change a dataset may not delete events from it', async () => {
  const token = await tokenWith(service, ['datasets|update', 'datasets|read'])
  expect((await ask(service, 'PUT', '/v2/datasets/web', { token, body: { description: 'e' } })).status).toBe(200)
  const answer = await ask(service, 'POST', '/v2/datasets/web/trim', { token, body: { maxDuration: '1s' } })
  expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('lacks the permission trim|update') } })
})

test('annotations of several datasets are listed with one of them, and do not leave the datasets of a token', async () => {
  const lists = async (token: string, filter = '') => {
    const { status, body } = await ask<{ id: string }[]>(service, 'GET', `/v2/annotations${filter}`, as(token))
    return status === 200 ? body.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)).sort() : status
  }
  const three = ['annotation of api', 'annotation of both', 'annotation of web']
  expect(await lists('marks all')).toEqual(three)
  expect(await lists('of web')).toEqual(['annotation of both', 'annotation of web'])
  expect(await lists('of web', '?datasets=web')).toEqual(['annotation of both', 'annotation of web'])
  expect(await lists('of web', '?datasets=web,api')).toBe(403)
  expect(await lists('of an absent name')).toEqual([])

  const one = (name: string) => `/v2/annotations/${ids[`annotation of ${name}`]}`
  const { token } = as('of web')
  // Neither moved out of reach nor out of sight of others.
  expect((await ask(service, 'PUT', one('web'), { token, body: { datasets: ['api'] } })).status).toBe(403)
  expect((await ask(service, 'DELETE', one('both'), { token })).status).toBe(403)
  expect((await ask(service, 'DELETE', one('api'), { token })).status).toBe(404)
  const key = { 'annotation-key': 'shared' }
  expect((await ask(service, 'POST', '/v2/annotations', { headers: key, body: { type: 'x', datasets: ['api'] } })).status).toBe(
    201,
  )
  const taken = await ask(service, 'POST', '/v2/annotations', { token, headers: key, body: { type: 'x', datasets: ['web'] } })
  // As if the key were free.
  expect(taken.status).toBe(201)
  expect((await ask(service, 'GET', '/v2/annotations', { token, headers: key })).body).toEqual([taken.body])
})

test('annotations and monitors as rows of a query are those of the datasets that a token reaches', async () => {
  const token = await tokenWith(service, {
    datasetCapabilities: { web: { query: ['read'] } },
    orgCapabilities: { annotations: ['read'], monitors: ['read'] },
  })
  const read = async (text: string) => (await apl({ ...service, token }, text)).body.tables[0]?.columns[0]
  const annotations = (await read("['_annotations'] | project id")) ?? []
  expect(annotations).toEqual(expect.arrayContaining([ids['annotation of web'], ids['annotation of both']]))
  expect(annotations).not.toContain(ids['annotation of api'])
  expect(await read("['_monitors'] | project id")).toEqual([ids['monitor of web']])
})

test('a monitor asks no more than its author may', async () => {
  const one = (name: string) => `/v2/monitors/${ids[`monitor of ${name}`]}`
  const listed = async (token: string) =>
    (await ask<{ id: string }[]>(service, 'GET', '/v2/monitors', as(token))).body.map(({ id }) => id)
  expect(await listed('of web')).toEqual([ids['monitor of web']])
  expect(await listed('of all')).toEqual([ids['monitor of web'], ids['monitor of api']])
  const { token } = as('of web')
  const wider = await ask(service, 'PUT', one('web'), { token, body: { aplQuery: 'web | union api | count' } })
  expect(wider).toMatchObject({ status: 403, body: { message: expect.stringContaining('query|read on the dataset "api"') } })
  expect((await ask(service, 'DELETE', one('api'), { token })).status).toBe(404)
  const body = { ...monitorOf('web'), aplQuery: 'union * | count' }
  const everything = await ask<{ datasets: string[] }>(service, 'POST', '/v2/monitors', { token, body })
  expect(everything).toMatchObject({ status: 201, body: { datasets: ['web'] } })
})

test('a saved query is told to who asked it', async () => {
  const saved = await ask(service, 'POST', '/v1/datasets/_apl?saveAsKind=apl', { body: { apl: 'api | count' } })
  const id = saved.headers.get('x-axiom-history-query-id')
  const others = ['with permissions', 'of all', 'of web', 'asks web', 'sends to web, asks api', 'of an absent name']
  expect(await statuses('GET', `/v1/datasets/_history/${id}`)).toEqual(ok(others, 404, { personal: 200 }))
})

let made = 0
/** For each resource what one that is about some datasets is made of, and what may be asked of it beside a read, a change and a removal. */
const RESOURCES: readonly [
  resource: string,
  path: string,
  bodyOf: (...datasets: string[]) => Record<string, unknown>,
  ...more: string[][],
][] = [
  ['annotations', '/v2/annotations', (...datasets) => ({ ...VALID, datasets })],
  ['monitors', '/v2/monitors', (...datasets) => ({ ...monitorOf('web'), aplQuery: `union ${datasets.join()} | count` })],
  [
    'saved views',
    '/v2/saved-views',
    (...datasets) => ({ name: 'v', aplQuery: `union ${datasets.join()}`, datasets, startTime: 'now-1h', endTime: 'now' }),
  ],
  [
    'integrations',
    '/v2/integrations',
    (...datasets) => ({ platform: 'generic', datasets }),
    ['GET', '/deliveries'],
    ['POST', '/regenerate'],
  ],
  ['virtual fields', '/v2/vfields', (...datasets) => ({ dataset: datasets.at(-1), name: `of_${made++}`, expression: '2' })],
]

test.each(RESOURCES)('%s are those about the datasets that a token was given, and stay so', async (_, path, bodyOf, ...more) => {
  const token = await tokenWith(service, {
    datasetCapabilities: { web: { query: ['read'], virtualFields: CRUD } },
    orgCapabilities: { annotations: CRUD, integrations: CRUD, monitors: CRUD, views: CRUD },
  })
  const asMine = async (method: string, to: string, body?: object) => (await ask(service, method, to, { token, body })).status
  const changeTo = (...datasets: string[]) => ({ ...bodyOf(...datasets), platform: undefined })
  for (const [dataset, refused, found, removed] of [
    ['web', 0, 200, 204],
    ['api', 403, 404, 404],
  ] as const) {
    const status = await asMine('POST', path, bodyOf(dataset))
    expect([dataset, status < 300 ? 0 : status]).toEqual([dataset, refused])
    const { id } = await make(service, path, bodyOf(dataset))
    const { body: listed } = await ask<{ id: string }[]>(service, 'GET', path, { token })
    expect([dataset, listed.some((one) => one.id === id)]).toEqual([dataset, dataset === 'web'])
    for (const [method = '', of = ''] of [['GET'], ['PUT'], ...more]) {
      const body = method === 'GET' ? undefined : of === '' ? changeTo(dataset) : {}
      expect([dataset, method, of, await asMine(method, `${path}/${id}${of}`, body)]).toEqual([dataset, method, of, found])
    }
    // What is about them does not move out of sight.
    expect(await asMine('PUT', `${path}/${id}`, changeTo('web', 'api'))).toBe(dataset === 'web' ? 403 : 404)
    expect(await asMine('DELETE', `${path}/${id}`)).toBe(removed)
  }
})

/** In `matrix.yaml`, below the name of each test, in their order: a request, its body, and who is answered with which status. */
const { tests } = readCases<{ tests: Record<string, [request: string, body: unknown, found: Record<number, string[]>][]> }>(
  import.meta.url,
)

test.each(Object.keys(tests))('%s', async (name) => {
  for (const [request, body, found] of tests[name] ?? []) {
    const [method = '', path = ''] = request.replace(/\{(.*?)\}/, (_, of: string) => ids[of] ?? '').split(/ (.*)/)
    const named = Object.entries(found).flatMap(([status, names]) => names.map((token) => [token, Number(status)]))
    expect([request, await statuses(method, path, body ?? undefined)]).toEqual([request, forbiddenBut(Object.fromEntries(named))])
  }
})

/** About no dataset: what a token is, what the service is, and what comes signed. */
const OF_NO_DATASET = /^\S+ \/(?:$|healthz|livez|readyz|openapi|docs|v1\/integrations\/|v2\/(?:user|orgs|language)\b)/

test('every endpoint that the document shows was asked here', async () => {
  const { body } = await askService<{ paths: Record<string, object> }>(service, 'GET', '/openapi.json')
  const documented = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const wasAsked = (operation: string) => {
    const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`)
    return [...asked].some((one) => pattern.test(one))
  }
  expect(documented.filter((operation) => !OF_NO_DATASET.test(operation) && !wasAsked(operation))).toEqual([])
})
