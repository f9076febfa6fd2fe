import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ask } from '../http.ts'
import { apl, type Body, ingest, post } from './ask.ts'

const CASES = readCases<{ queries: [text: string, rows: unknown[][]][] }>(import.meta.url)

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', [
    { method: 'GET', status: 200, ms: 1500 },
    { method: 'PUT', status: 503, ms: 250 },
  ])
  for (const [name, expression] of [
    ['seconds', 'ms / 1000.0'],
    ['failed', 'status >= 500'],
    ['method', 'tolower(method)'],
    ['later', 'not_yet + 1'],
  ]) {
    const { status } = await create({ name, expression })
    expect(status).toBe(200)
  }
})

interface VirtualField {
  id: string
  name: string
  message: string
}
const create = (members: object) => ask<VirtualField>(service, 'POST', '/v2/vfields', { body: { dataset: 'web', ...members } })

/** The rows of the first table, by their columns. */
async function rows(text: string): Promise<unknown[][]> {
  const { status, body } = await apl(service, text)
  expect([status, body.message]).toEqual([200, undefined])
  const columns = (body as Body).tables[0]?.columns ?? []
  return (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]))
}

test.each(CASES.queries)('%s', async (text, expected) => {
  expect(await rows(text)).toEqual(expected)
})

test('a query of whole events shows what is stored', async () => {
  const { body } = await apl(service, "['web'] | where failed")
  expect(body.matches.map(({ data }) => data)).toEqual([{ method: 'PUT', status: 503, ms: 250 }])
  expect(body.tables[0]?.fields.map(({ name }) => name)).toEqual(['_sysTime', '_time', 'method', 'ms', 'status'])
})

test('a legacy query names them too', async () => {
  const { body } = await post(service, '/v1/datasets/web/query', {
    filter: { op: '==', field: 'failed', value: true },
    aggregations: [{ op: 'max', field: 'seconds', alias: 's' }],
  })
  expect((body as Body).buckets.totals[0]?.aggregations).toEqual([{ op: 's', value: 0.25 }])
})

test('one that needs a field that no event has is named by the query that asks for it, and hurts no other', async () => {
  const { status, body } = await apl(service, "['web'] | where later > 1")
  expect([status, body.detail?.message]).toEqual([400, 'the virtual field "later" cannot be computed: invalid field: "not_yet"'])
  expect((await apl(service, "['web']")).status).toBe(200)
})

test('a name is taken once', async () => {
  const message = expect.stringContaining('there is a virtual field "failed" already')
  expect(await create({ name: 'failed', expression: 'ms' })).toMatchObject({ status: 409, body: { message } })
})

interface Named {
  datasetName: string
  fields: { name: string }[]
}
/** What an editor completes. */
const fieldsOfWeb = async () =>
  (await ask<Named[]>(service, 'GET', '/v1/datasets/_fields')).body.find(({ datasetName }) => datasetName === 'web')?.fields

test('editors are told of them once, in the place of a field of the same name', async () => {
  const { body: made } = await create({ name: 'status', expression: 'tostring(status)', type: 'string' })
  const named = (await fieldsOfWeb())?.map(({ name }) => name) ?? []
  expect(named.filter((name) => ['_time', 'failed', 'ms', 'status'].includes(name)).sort()).toEqual([
    '_time',
    'failed',
    'ms',
    'status',
  ])
  expect(await fieldsOfWeb()).toContainEqual(expect.objectContaining({ name: 'status', type: 'string' }))
  expect((await ask(service, 'DELETE', `/v2/vfields/${made.id}`)).status).toBe(204)
})

test('one is listed, read, replaced and deleted; what another query sees follows', async () => {
  const wanted = { dataset: 'web', name: 'cost', expression: 'ms * 2', description: 'in cents', type: 'number', unit: 'ct' }
  const { body: made } = await ask<VirtualField>(service, 'POST', '/v2/vfields', { body: wanted })
  expect(made).toEqual({ id: expect.stringMatching(/^vf_/), ...wanted })
  const one = `/v2/vfields/${made.id}`
  expect((await ask(service, 'GET', one)).body).toEqual(made)
  expect((await ask<VirtualField[]>(service, 'GET', '/v2/vfields?dataset=web')).body).toContainEqual(made)
  expect((await ask(service, 'GET', '/v2/vfields?dataset=none')).status).toBe(404)
  expect(await rows("['web'] | summarize max(cost)")).toEqual([[3000]])
  expect(await fieldsOfWeb()).toContainEqual({ name: 'cost', type: 'number', unit: 'ct', description: 'in cents', hidden: false })
  const changed = { dataset: 'web', name: 'price', expression: 'ms * 3' }
  expect((await ask(service, 'PUT', one, { body: changed })).body).toEqual({ id: made.id, ...changed })
  expect(await rows("['web'] | summarize max(price)")).toEqual([[4500]])
  expect((await apl(service, "['web'] | where cost > 1")).status).toBe(400)
  expect((await ask(service, 'PUT', one, { body: { ...changed, dataset: 'other' } })).status).toBe(422)
  expect((await ask(service, 'DELETE', one)).status).toBe(204)
  for (const method of ['GET', 'DELETE']) {
    expect(await ask(service, method, one)).toMatchObject({
      status: 404,
      body: { message: `virtual field ${made.id} not found` },
    })
  }
})
