/** Saved views over HTTP: what is kept, who sees it, and what is refused. */
import type { NewSavedView, SavedView } from '@deployment-annotations/contract/saved-view'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { readCases } from './cases.ts'
import { ask, CRUD, tokenWith } from './http.ts'

const PATH = '/v2/saved-views'
const { view: VIEW, defaults } = readCases<{ view: NewSavedView; defaults: object }>(import.meta.url)
const SHORT = { name: 'short', startTime: '2026-01-01T00:00:00Z', endTime: 'now' }
const TIMES = { createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) }

const chart = (dataset: string) => ({ title: `Of ${dataset}`, aplQuery: `['${dataset}'] | count`, datasets: [dataset] })

const service = serviceForTests()

const save = (body: object, token?: string) => ask<SavedView>(service, 'POST', PATH, { body, token })
const list = async (token?: string) => (await ask<SavedView[]>(service, 'GET', PATH, { token })).body
const tokenOfWeb = (views: readonly string[] = CRUD) =>
  tokenWith(service, { datasetCapabilities: { web: { query: ['read'] } }, orgCapabilities: { views } })

test('the queries of views are starred queries, each chart one, for who sees the view', async () => {
  const path = '/v2/apl-starred-queries'
  const starred = async (token?: string) =>
    (await ask<{ name: string }[]>(service, 'GET', `${path}?limit=100&who=all`, { token })).body
  const { body: one } = await save({ ...SHORT, name: 'starred one', aplQuery: "['web'] | count", datasets: ['web'] })
  await save({ ...SHORT, name: 'starred two', charts: [chart('web'), chart('api')] })
  await save({ ...SHORT, name: 'starred none' })
  const query = { kind: 'apl', who: 'tok_operator' }
  expect((await starred()).filter(({ name }) => name.startsWith('starred'))).toEqual([
    { ...query, id: one.id, name: 'starred one', dataset: 'web', query: { apl: "['web'] | count" } },
    { ...query, id: expect.any(String), name: 'starred two: Of web', dataset: 'web', query: { apl: "['web'] | count" } },
    { ...query, id: expect.any(String), name: 'starred two: Of api', dataset: 'api', query: { apl: "['api'] | count" } },
  ])
  const limited = await tokenOfWeb(['read'])
  expect((await starred(limited)).map(({ name }) => name)).toEqual(['starred one'])
  const other = await tokenWith(service, ['query|read'])
  expect((await ask(service, 'GET', path, { token: other })).status).toBe(403)
  for (const { id } of await list()) await ask(service, 'DELETE', `${PATH}/${id}`)
})

test('a view is saved, listed, changed in part and deleted', async () => {
  const { status, body: made } = await save(VIEW)
  expect(status).toBe(201)
  expect(made).toEqual({
    ...VIEW,
    ...TIMES,
    charts: [],
    version: 1,
    id: expect.stringMatching(/^view_/),
    createdBy: 'tok_operator',
  })
  const { body: other } = await save({ ...SHORT, aplQuery: null })
  expect(other).toMatchObject({ ...SHORT, ...defaults })
  expect(await list()).toEqual([made, other])

  const one = `${PATH}/${made.id}`
  const changed = await ask<SavedView>(service, 'PUT', one, { body: { name: 'other', compareWith: '', endTime: null } })
  expect(changed.body).toEqual({ ...made, name: 'other', compareWith: '', version: 2, updatedAt: expect.any(String) })
  expect((await ask(service, 'GET', one)).body).toEqual(changed.body)
  for (const { id } of [made, other]) expect((await ask(service, 'DELETE', `${PATH}/${id}`)).status).toBe(204)
  expect(await list()).toEqual([])
  for (const method of ['GET', 'DELETE']) {
    const message = `saved view "${made.id}" not found`
    expect(await ask(service, method, one)).toMatchObject({ status: 404, body: { message } })
  }
})

test('lists have a bound', async () => {
  for (const [message, members] of [
    ['columns must ', { columns: Array(101).fill('status') }],
    ['charts must', { charts: Array.from({ length: 25 }, () => chart('web')) }],
  ] as const)
    expect(await save({ ...SHORT, ...members })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(message) },
    })
})

test('a view has several charts, in their order, and is about the datasets of each', async () => {
  const charts = [chart('web'), { ...chart('api'), order: [{ field: 'Count', desc: false }] }]
  const { body: made } = await save({ ...SHORT, charts })
  expect(made).toMatchObject({ charts, aplQuery: '', datasets: [] })
  const one = `${PATH}/${made.id}`
  const turned = await ask<SavedView>(service, 'PUT', one, { body: { charts: [...charts].reverse() } })
  expect(turned.body.charts.map(({ title }) => title)).toEqual(['Of api', 'Of web'])
  const token = await tokenOfWeb()
  expect((await ask(service, 'GET', one, { token })).status).toBe(404)
  expect((await save({ ...SHORT, charts }, token)).status).toBe(403)
  const unseen = await save(SHORT, token)
  expect(unseen).toMatchObject({ status: 422, body: { message: expect.stringContaining('datasets must have at least 1 item') } })
  await ask(service, 'PUT', one, { body: { charts: [chart('web')] } })
  expect((await ask(service, 'GET', one, { token })).status).toBe(200)
  expect((await save({ ...SHORT, charts: [chart('web')] }, token)).status).toBe(201)
})

test('of two changes of the same version the later one is refused, and without a version none is', async () => {
  const { body: made } = await save(VIEW)
  const one = `${PATH}/${made.id}`
  const change = (body: object) => ask<SavedView & { message: string }>(service, 'PUT', one, { body })
  const both = await Promise.all([change({ compareWith: '1h', version: 1 }), change({ compareWith: '7d', version: 1 })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = both.find(({ status }) => status === 409)?.body.message
  expect(refused).toBe(`saved view "${made.id}" was changed meanwhile: it has version 2, and the change was made of version 1`)
  expect((await change({ name: 'whichever' })).body.version).toBe(3)
  expect((await change({ name: 'known', version: 3 })).body).toMatchObject({ name: 'known', version: 4 })
})
