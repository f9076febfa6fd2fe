/**
 * Who may do what with which dataset: every endpoint that belongs to datasets, asked by every kind of token about a dataset that it
 * was given, one that it was not, and where both could be reached at once. What is expected is written out, not computed.
 */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { ask as askService, created, MONITOR } from '../http.ts'
import { ingest } from '../query/ask.ts'

const service = serviceForTests()
const tokens = new Map<string, string>()
const ids: Record<string, string> = {}

const CRUD = ['create', 'read', 'update', 'delete']
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
    ids[`monitor of ${name}`] = (await ask<{ id: string }>(service, 'POST', '/v2/monitors', { body: monitorOf(name) })).body.id
  }
  ids['annotation of both'] = (await created(service, { datasets: ['web', 'api'] })).id
  for (const [name, body] of Object.entries(TOKENS)) {
    const made = await ask<{ token: string }>(service, 'POST', '/v2/tokens', { body: { name, ...body } })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    tokens.set(name, made.body.token)
  }
}, 60_000)

type Statuses = Record<string, number>
/** What was asked, to find out what was not. */
const asked = new Set<string>()
const ask: typeof askService = (to, method, path, question) => {
  asked.add(`${method} ${path.split('?')[0]}`)
  return askService(to, method, path, question)
}
const statuses = async (method: string, path: string, body?: unknown): Promise<Statuses> => {
  const found: Statuses = {}
  for (const [name, token] of tokens) found[name] = (await ask(service, method, path, { token, body })).status
  return found
}
/** @param but of the tokens whose status is another */
const all = (status: number, but: Statuses = {}): Statuses => ({
  ...Object.fromEntries(Object.keys(TOKENS).map((name) => [name, status])),
  ...but,
})
const ok = (names: readonly string[], status = 200, but: Statuses = {}) =>
  all(403, { ...Object.fromEntries(['personal', ...names].map((name) => [name, status])), ...but })

const query = (apl: string) => statuses('POST', '/v1/datasets/_apl?format=tabular', { apl })

test('events are sent to the datasets that a token was given, by either path', async () => {
  const toWeb = ['with permissions', 'of all', 'of web', 'sends to web, asks api']
  for (const [dataset, names] of [
    ['web', toWeb],
    ['api', ['with permissions', 'of all']],
    ['new', ['with permissions', 'of all']],
  ] as const) {
    expect([dataset, await statuses('POST', `/v1/datasets/${dataset}/ingest`, [{}])]).toEqual([dataset, ok(names)])
    expect([dataset, await statuses('POST', `/v1/ingest/${dataset}`, [{}])]).toEqual([dataset, ok(names)])
  }
})

test('a query reads the datasets that a token was given, however it names them', async () => {
  const ofWeb = ['with permissions', 'of all', 'of web', 'asks web']
  const ofApi = ['with permissions', 'of all', 'sends to web, asks api']
  const ofBoth = ['with permissions', 'of all']
  const body = { startTime: 'now-1h', endTime: 'now' }
  expect(await query('web | count')).toEqual(ok(ofWeb))
  expect(await statuses('POST', '/v1/query/_apl', { apl: 'api | count' })).toEqual(ok(ofApi))
  expect(await query('api | count')).toEqual(ok(ofApi))
  expect(await statuses('POST', '/v1/datasets/web/query', body)).toEqual(ok(ofWeb))
  expect(await statuses('POST', '/v1/datasets/api/query', body)).toEqual(ok(ofApi))
  for (const apl of [
    'web | union api | count',
    'web | join kind=inner (api) on from | count',
    'web | lookup (api) on from | count',
    'let other = api; web | where from in (other | project from) | count',
    "web | union (table('api')) | count",
  ]) {
    expect([apl, await query(apl)]).toEqual([apl, ok(ofBoth)])
  }
  // Whether it is there or not is the same to whoever may not read it.
  expect(await query('absent | count')).toEqual(ok(ofBoth, 404))
})

test('a pattern reaches what a token was given and nothing else, and no message names another dataset', async () => {
  const read = async (token: string) => {
    const { body } = await ask<{ tables: { columns: unknown[][] }[] }>(service, 'POST', '/v1/datasets/_apl?format=tabular', {
      token: tokens.get(token) ?? '',
      body: { apl: 'union * | where isnotnull(from) | distinct from | sort by from asc' },
    })
    return body.tables[0]?.columns[0]
  }
  expect(await read('personal')).toEqual(['api', 'web'])
  expect(await read('of all')).toEqual(['api', 'web'])
  expect(await read('asks web')).toEqual(['web'])
  expect(await read('sends to web, asks api')).toEqual(['api'])
  const { status, body } = await ask<{ message: string }>(service, 'POST', '/v1/datasets/_apl', {
    token: tokens.get('asks web') ?? '',
    body: { apl: 'ap | count' },
  })
  expect([status, body.message]).toEqual([403, expect.stringMatching(/lacks the permission query\|read on the dataset "ap"$/)])
})

test('datasets are listed, read, changed and trimmed by who was given them', async () => {
  const names = async (token: string) =>
    (await ask<{ name: string }[]>(service, 'GET', '/v2/datasets', { token: tokens.get(token) ?? '' })).body.map(
      ({ name }) => name,
    )
  expect(await names('of web')).toEqual(['web'])
  expect((await ask(service, 'GET', '/v1/datasets', { token: tokens.get('of web') ?? '' })).body).toHaveLength(1)
  expect(await names('of all')).toEqual(expect.arrayContaining(['api', 'web']))
  expect(await names('of an absent name')).toEqual([])
  for (const root of ['/v1/datasets', '/v2/datasets']) {
    const readers = ['with permissions', 'of all']
    for (const path of [`${root}/web`, `${root}/web/fields`])
      expect(await statuses('GET', path)).toEqual(ok([...readers, 'of web']))
    for (const path of [`${root}/api`, `${root}/api/fields`]) expect(await statuses('GET', path)).toEqual(ok(readers))
    expect(await statuses('PUT', `${root}/web`, { description: 'd' })).toEqual(ok(['of all', 'of web']))
    expect(await statuses('PUT', `${root}/api`, { description: 'd' })).toEqual(ok(['of all']))
    expect(await statuses('POST', `${root}/web/trim`, { maxDuration: '9d' })).toEqual(ok(['of all', 'of web']))
    expect(await statuses('POST', `${root}/api/trim`, { maxDuration: '9d' })).toEqual(ok(['of all']))
    expect(await statuses('DELETE', `${root}/absent`)).toEqual(ok(['of all'], 404))
    // A name that was made is there for the next.
    expect(await statuses('POST', root, { name: 'api' })).toEqual(ok(['of all'], 409))
  }
})

test('who may change a dataset may not delete events from it', async () => {
  const body = { name: 'changes', permissions: ['datasets|update', 'datasets|read'] }
  const { token } = (await ask<{ token: string }>(service, 'POST', '/v2/tokens', { body })).body
  expect((await ask(service, 'PUT', '/v2/datasets/web', { token, body: { description: 'e' } })).status).toBe(200)
  const answer = await ask(service, 'POST', '/v2/datasets/web/trim', { token, body: { maxDuration: '1s' } })
  expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('lacks the permission trim|update') } })
})

test('annotations of several datasets are read with one of them, and made and changed with all', async () => {
  const lists = async (token: string, filter = '') => {
    const { status, body } = await ask<{ id: string }[]>(service, 'GET', `/v2/annotations${filter}`, {
      token: tokens.get(token) ?? '',
    })
    return status === 200 ? body.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)).sort() : status
  }
  const three = ['annotation of api', 'annotation of both', 'annotation of web']
  expect(await lists('marks all')).toEqual(three)
  expect(await lists('of web')).toEqual(['annotation of both', 'annotation of web'])
  expect(await lists('of web', '?datasets=web')).toEqual(['annotation of both', 'annotation of web'])
  expect(await lists('of web', '?datasets=web,api')).toBe(403)
  expect(await lists('of an absent name')).toEqual([])

  const one = (name: string) => `/v2/annotations/${ids[`annotation of ${name}`]}`
  const may = ['of all', 'marks all']
  expect(await statuses('GET', '/v2/releases')).toEqual(ok(['with permissions', 'of web', 'of an absent name', ...may]))
  expect(await statuses('GET', '/v2/changes')).toEqual(ok(['with permissions', 'of web', 'of an absent name', ...may]))
  const unseen = { 'of an absent name': 404 }
  expect(await statuses('GET', one('web'))).toEqual(ok(['with permissions', 'of web', ...may], 200, unseen))
  expect(await statuses('GET', one('api'))).toEqual(ok(['with permissions', ...may], 200, { ...unseen, 'of web': 404 }))
  expect(await statuses('PUT', one('web'), { title: 't' })).toEqual(ok(['of web', ...may], 200, unseen))
  expect(await statuses('PUT', one('both'), { title: 't' })).toEqual(ok(may, 200, unseen))
  expect(await statuses('PUT', one('api'), { title: 't' })).toEqual(ok(may, 200, { ...unseen, 'of web': 404 }))
  expect(await statuses('POST', '/v2/annotations', { type: 'x', datasets: ['web'] })).toEqual(ok(['of web', ...may], 201))
  expect(await statuses('POST', '/v2/annotations', { type: 'x', datasets: ['web', 'api'] })).toEqual(ok(may, 201))
  const token = tokens.get('of web') ?? ''
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
  const body = {
    name: 'reads',
    datasetCapabilities: { web: { query: ['read'] } },
    orgCapabilities: { annotations: ['read'], monitors: ['read'] },
  }
  const { token } = (await ask<{ token: string }>(service, 'POST', '/v2/tokens', { body })).body
  const read = async (apl: string) => {
    const answer = await ask<{ tables: { columns: unknown[][] }[] }>(service, 'POST', '/v1/datasets/_apl?format=tabular', {
      token,
      body: { apl },
    })
    return answer.body.tables[0]?.columns[0]
  }
  const annotations = (await read("['_annotations'] | project id")) ?? []
  expect(annotations).toEqual(expect.arrayContaining([ids['annotation of web'], ids['annotation of both']]))
  expect(annotations).not.toContain(ids['annotation of api'])
  expect(await read("['_monitors'] | project id")).toEqual([ids['monitor of web']])
})

test('a monitor asks no more than its author may, and is seen by who reaches all that it reads', async () => {
  const one = (name: string) => `/v2/monitors/${ids[`monitor of ${name}`]}`
  const readers = ['with permissions', 'of all']
  const unseen = { 'of an absent name': 404 }
  expect(await statuses('GET', one('web'))).toEqual(ok([...readers, 'of web'], 200, unseen))
  expect(await statuses('GET', one('api'))).toEqual(ok(readers, 200, { ...unseen, 'of web': 404 }))
  const listed = async (token: string) =>
    (await ask<{ id: string }[]>(service, 'GET', '/v2/monitors', { token: tokens.get(token) ?? '' })).body.map(({ id }) => id)
  expect(await listed('of web')).toEqual([ids['monitor of web']])
  expect(await listed('of all')).toEqual([ids['monitor of web'], ids['monitor of api']])
  expect(await statuses('PUT', one('web'), { threshold: 6 })).toEqual(ok(['of all', 'of web'], 200, unseen))
  const token = tokens.get('of web') ?? ''
  const wider = await ask(service, 'PUT', one('web'), { token, body: { aplQuery: 'web | union api | count' } })
  expect(wider).toMatchObject({ status: 403, body: { message: expect.stringContaining('query|read on the dataset "api"') } })
  expect(await statuses('PUT', one('api'), { threshold: 6 })).toEqual(ok(['of all'], 200, { ...unseen, 'of web': 404 }))
  expect(await statuses('POST', '/v2/monitors', monitorOf('web'))).toEqual(ok(['of all', 'of web'], 201))
  expect(await statuses('POST', '/v2/monitors', monitorOf('api'))).toEqual(ok(['of all'], 201))
  const elsewhere = { ...monitorOf('web'), datasets: ['api'] }
  expect(await statuses('POST', '/v2/monitors', elsewhere)).toEqual(ok(['of all'], 201))
  expect((await ask(service, 'DELETE', one('api'), { token })).status).toBe(404)
  const body = { ...monitorOf('web'), aplQuery: 'union * | count' }
  const everything = await ask<{ datasets: string[] }>(service, 'POST', '/v2/monitors', { token, body })
  expect(everything).toMatchObject({ status: 201, body: { datasets: ['web'] } })
})

test('figures and the fields of all datasets name those that a token may know of', async () => {
  const figures = async (token: string) =>
    String((await ask(service, 'GET', '/metrics', { token: tokens.get(token) ?? '' })).body).includes('dataset="api"')
  expect([await figures('of all'), await figures('of web'), await figures('asks web')]).toEqual([true, false, false])
  const fields = async (token: string) => {
    const question = { token: tokens.get(token) ?? '' }
    return (await ask<{ datasetName: string }[]>(service, 'GET', '/v1/datasets/_fields', question)).body.map(
      (one) => one.datasetName,
    )
  }
  expect([await fields('asks web'), await fields('sends to web, asks api')]).toEqual([['web'], ['api']])
})

test('what is known about a dataset, and its map fields, are for who was given it', async () => {
  const readers = ['with permissions', 'of all']
  expect(await statuses('GET', '/v1/datasets/web/info')).toEqual(ok([...readers, 'of web']))
  expect(await statuses('GET', '/v1/datasets/api/info')).toEqual(ok(readers))
  const fields = (dataset: string) => `/v2/datasets/${dataset}/mapfields`
  expect(await statuses('GET', fields('web'))).toEqual(ok([...readers, 'of web']))
  expect(await statuses('GET', fields('api'))).toEqual(ok(readers))
  expect(await statuses('PUT', fields('web'), [])).toEqual(ok(['of all', 'of web']))
  expect(await statuses('PUT', fields('api'), [])).toEqual(ok(['of all']))
  // What is there already is a conflict, and what is gone is not found: whoever may not is told neither.
  expect(await statuses('POST', fields('web'), { name: 'tags' })).toEqual(ok(['of all', 'of web'], 409, { personal: 200 }))
  expect(await statuses('POST', fields('api'), { name: 'tags' })).toEqual(ok(['of all'], 409, { personal: 200 }))
  expect(await statuses('DELETE', `${fields('api')}/tags`)).toEqual(ok(['of all'], 404, { personal: 204 }))
  expect(await statuses('DELETE', `${fields('web')}/tags`)).toEqual(ok(['of all', 'of web'], 404, { personal: 204 }))
})

test('the history of a monitor is told to who sees the monitor', async () => {
  const span = '?startTime=2026-01-01T00:00:00Z&endTime=2026-01-02T00:00:00Z'
  const history = (dataset: string) => `/v2/monitors/${ids[`monitor of ${dataset}`]}/history${span}`
  const readers = ['with permissions', 'of all']
  const unseen = { 'of an absent name': 404 }
  expect(await statuses('GET', history('web'))).toEqual(ok([...readers, 'of web'], 200, unseen))
  expect(await statuses('GET', history('api'))).toEqual(ok(readers, 200, { ...unseen, 'of web': 404 }))
})

test('a saved query is told to who asked it', async () => {
  const saved = await ask(service, 'POST', '/v1/datasets/_apl?saveAsKind=apl', { body: { apl: 'api | count' } })
  const id = saved.headers.get('x-axiom-history-query-id')
  const others = ['with permissions', 'of all', 'of web', 'asks web', 'sends to web, asks api', 'of an absent name']
  expect(await statuses('GET', `/v1/datasets/_history/${id}`)).toEqual(ok(others, 404, { personal: 200 }))
})

test('saved views are those about the datasets that a token was given', async () => {
  const view = (dataset: string) => ({
    name: dataset,
    aplQuery: `['${dataset}'] | count`,
    datasets: [dataset],
    startTime: 'now-1h',
    endTime: 'now',
  })
  const limits = { datasetCapabilities: { web: { query: ['read'] } }, orgCapabilities: { views: CRUD } }
  const { token } = (await ask<{ token: string }>(service, 'POST', '/v2/tokens', { body: { name: 'v', ...limits } })).body
  for (const [dataset, made, found, removed] of [
    ['web', 201, 200, 204],
    ['api', 403, 404, 404],
  ] as const) {
    const { id } = (await ask<{ id: string }>(service, 'POST', '/v2/saved-views', { body: view(dataset) })).body
    const one = `/v2/saved-views/${id}`
    expect((await ask(service, 'POST', '/v2/saved-views', { token, body: view(dataset) })).status).toBe(made)
    const { body: listed } = await ask<{ id: string }[]>(service, 'GET', '/v2/saved-views', { token })
    const { body: starred } = await ask<{ id: string }[]>(service, 'GET', '/v2/apl-starred-queries', { token })
    for (const all of [listed, starred]) expect(all.some((item) => item.id === id)).toBe(dataset === 'web')
    expect((await ask(service, 'GET', one, { token })).status).toBe(found)
    expect((await ask(service, 'PUT', one, { token, body: { name: 'other' } })).status).toBe(found)
    expect(await statuses('GET', one)).toEqual(ok([]))
    expect((await ask(service, 'DELETE', one, { token })).status).toBe(removed)
  }
})

test('integrations are those that mark the datasets that a token was given', async () => {
  const made = (dataset: string) => ({ platform: 'generic', datasets: [dataset] })
  const limits = { datasetCapabilities: { web: { query: ['read'] } }, orgCapabilities: { integrations: CRUD } }
  const { token } = (await ask<{ token: string }>(service, 'POST', '/v2/tokens', { body: { name: 'i', ...limits } })).body
  for (const [dataset, created, found, removed] of [
    ['web', 201, 200, 204],
    ['api', 403, 404, 404],
  ] as const) {
    const { id } = (await ask<{ id: string }>(service, 'POST', '/v2/integrations', { body: made(dataset) })).body
    const one = `/v2/integrations/${id}`
    expect((await ask(service, 'POST', '/v2/integrations', { token, body: made(dataset) })).status).toBe(created)
    const { body: listed } = await ask<{ id: string }[]>(service, 'GET', '/v2/integrations', { token })
    expect(listed.some((item) => item.id === id)).toBe(dataset === 'web')
    for (const path of [one, `${one}/deliveries`]) {
      expect((await ask(service, 'GET', path, { token })).status).toBe(found)
      expect(await statuses('GET', path)).toEqual(ok([]))
    }
    expect((await ask(service, 'PUT', one, { token, body: { name: 'other' } })).status).toBe(found)
    // Marks do not move out of sight.
    const both = await ask(service, 'PUT', one, { token, body: { datasets: ['web', 'api'] } })
    expect(both.status).toBe(dataset === 'web' ? 403 : 404)
    expect((await ask(service, 'POST', `${one}/regenerate`, { token, body: {} })).status).toBe(found)
    expect((await ask(service, 'DELETE', one, { token })).status).toBe(removed)
  }
  // It stores nothing and reads nothing.
  const tried = { platform: 'generic', body: { deployment: 'd', status: 'succeeded', time: '2026-01-31T12:00:00Z' } }
  expect((await ask(service, 'POST', '/v2/integrations/preview', { token, body: tried })).status).toBe(200)
  expect(await statuses('POST', '/v2/integrations/preview', tried)).toEqual(ok([]))
})

test('virtual fields are those of the datasets that a token was given', async () => {
  const body = { dataset: 'api', name: 'twice', expression: '2' }
  const { id } = (await ask<{ id: string }>(service, 'POST', '/v2/vfields', { body })).body
  const make = (dataset: string) => ({ name: 'v', datasetCapabilities: { [dataset]: { virtualFields: CRUD } } })
  for (const [dataset, made, found, removed] of [
    ['web', 403, 404, 404],
    ['api', 200, 200, 204],
  ] as const) {
    const { token } = (await ask<{ token: string }>(service, 'POST', '/v2/tokens', { body: make(dataset) })).body
    expect((await ask(service, 'GET', `/v2/vfields/${id}`, { token })).status).toBe(found)
    expect((await ask(service, 'PUT', `/v2/vfields/${id}`, { token, body })).status).toBe(found)
    expect((await ask<unknown[]>(service, 'GET', '/v2/vfields', { token })).body).toHaveLength(dataset === 'api' ? 1 : 0)
    const other = { ...body, name: 'thrice' }
    expect((await ask(service, 'POST', '/v2/vfields', { token, body: other })).status).toBe(made)
    expect((await ask(service, 'DELETE', `/v2/vfields/${id}`, { token })).status).toBe(removed)
  }
})

test('events of other protocols go to the datasets that a token was given', async () => {
  const send = (path: string, dataset: string, body: string, headers: Record<string, string>, method = 'POST') =>
    ask<{ errors?: boolean }>(service, method, path, {
      token: tokens.get('of web') ?? '',
      body,
      headers: { 'x-axiom-dataset': dataset, ...headers },
    })
  const logs = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x' } }] }] }] })
  const spans = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'x' }] }] }] })
  const point = { gauge: { dataPoints: [{ asInt: 1 }] }, name: 'x' }
  const metrics = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: [point] }] }] })
  for (const [path, events] of [
    ['/v1/logs', logs],
    ['/v1/traces', spans],
    ['/v1/metrics', metrics],
  ] as const) {
    expect([path, (await send(path, 'web', events, {})).status]).toEqual([path, 200])
    expect([path, (await send(path, 'api', events, {})).status]).toEqual([path, 403])
  }
  const bulk = (index: string) => `{"index":{"_index":"${index}"}}\n{"a":1}\n`
  const type = { 'content-type': 'application/x-ndjson' }
  expect((await send('/_bulk', '', bulk('web'), type)).body.errors).toBe(false)
  const before = await ask<{ tables: [{ columns: [[number]] }] }>(service, 'POST', '/v1/datasets/_apl', {
    body: { apl: 'api | count' },
  })
  for (const method of ['POST', 'PUT'] as const) {
    for (const path of ['/_bulk', '/api/_bulk', '/v1/ingest/api/elastic/_bulk', '/v1/ingest/api/elastic/web/_bulk']) {
      const { status, body } = await send(path, '', bulk('api'), type, method)
      expect([method, path, status === 403 || (status === 200 && body.errors)]).toEqual([method, path, true])
    }
  }
  const after = await ask<{ tables: [{ columns: [[number]] }] }>(service, 'POST', '/v1/datasets/_apl', {
    body: { apl: 'api | count' },
  })
  expect(after.body.tables[0].columns).toEqual(before.body.tables[0].columns)
})

test('tokens are for whoever has a capability for tokens', async () => {
  expect(await statuses('GET', '/v2/tokens')).toEqual(ok([]))
  expect(await statuses('POST', '/v2/tokens', {})).toEqual(ok([], 422))
  const one = '/v2/tokens/tok_0123456789ab'
  expect(await statuses('GET', one)).toEqual(ok([], 404))
  expect(await statuses('POST', `${one}/regenerate`, { existingTokenExpiresAt: '2026-01-01T00:00:00Z' })).toEqual(ok([], 404))
  expect(await statuses('DELETE', one)).toEqual(ok([], 404))
  expect(await statuses('GET', '/v2/export')).toEqual(ok([]))
  expect(await statuses('GET', '/v2/export/records')).toEqual(ok([]))
  expect(await statuses('GET', '/v2/export/events/absent')).toEqual(ok([], 400))
})

test('notifiers are for whoever has a capability for notifiers', async () => {
  const one = '/v2/notifiers/ntf_0123456789ab'
  expect(await statuses('GET', '/v2/notifiers')).toEqual(ok([]))
  expect(await statuses('POST', '/v2/notifiers', {})).toEqual(ok([], 422))
  expect(await statuses('GET', one)).toEqual(ok([], 404))
  expect(await statuses('GET', `${one}/deliveries`)).toEqual(ok([], 404))
  expect(await statuses('PUT', one, {})).toEqual(ok([], 404))
  expect(await statuses('POST', `${one}/test`)).toEqual(ok([], 404))
  expect(await statuses('POST', `${one}/regenerate`)).toEqual(ok([], 404))
  expect(await statuses('DELETE', one)).toEqual(ok([], 404))
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
