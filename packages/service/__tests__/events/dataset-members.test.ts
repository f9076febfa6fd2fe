import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask, tokenWith } from '../http.ts'
import { send } from './send.ts'

const service = serviceForTests()

interface Info {
  numEvents: number
  fields: { name: string; type: string }[]
}

let made = 0
async function newDataset(members: object = {}): Promise<string> {
  const name = `members-${made++}`
  const { status } = await ask(service, 'POST', '/v2/datasets', { body: { name, ...members } })
  expect(status).toBe(200)
  return name
}
const fieldsOf = async (dataset: string) =>
  (await ask<Info['fields']>(service, 'GET', `/v2/datasets/${dataset}/fields`)).body
    .filter(({ name }) => !name.startsWith('_'))
    .map(({ name, type }) => `${name}: ${type}`)

test('a kind and an edge deployment are kept and shown, also after a start; another kind is refused', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'dataset-members-'))
  const members = { kind: 'otel:traces:v1', edgeDeployment: 'cloud.eu-central-1.aws' }
  {
    await using first = await startService({ dataDir: folder.path })
    await ask(first, 'POST', '/v2/datasets', { body: { name: 'spans', ...members } })
  }
  await using again = await startService({ dataDir: folder.path })
  expect((await ask(again, 'GET', '/v2/datasets/spans')).body).toMatchObject({ ...members, canWrite: true, mapFields: [] })
  const refused = await ask(again, 'POST', '/v2/datasets', { body: { name: 'm', kind: 'otel:metrics:v1' } })
  expect(refused).toMatchObject({ status: 422, body: { code: 606, message: expect.stringContaining('got "otel:metrics:v1"') } })
})

test('a dataset names the fields that get a column or an index, and which may be times, by who may change it', async () => {
  const name = await newDataset({ indexedFields: ['tenant'], strictTime: true })
  const timeField = async () => (await send(service, '{"ts":1714979289}', { dataset: name })).headers.get('event-time-field')
  const change = (body: object, token?: string) => ask(service, 'PUT', `/v2/datasets/${name}`, { body, token })
  expect(await timeField()).toBe(null)
  expect(await change({ description: 'other' })).toMatchObject({ body: { indexedFields: ['tenant'], strictTime: true } })
  expect((await change({ indexedFields: [], strictTime: false })).body).toMatchObject({ description: 'other', indexedFields: [] })
  expect(await timeField()).toBe('ts')
  expect(await change({ indexedFields: Array(17).fill('tenant') })).toMatchObject({ status: 422 })
  expect(await change({ indexedFields: ['tenant'] }, await tokenWith(service, ['datasets|read']))).toMatchObject({ status: 403 })
})

test('a token that may not send events is told so by the dataset', async () => {
  const name = await newDataset()
  const token = await tokenWith(service, ['datasets|read'])
  expect((await ask(service, 'GET', `/v2/datasets/${name}`, { token })).body).toMatchObject({ canWrite: false })
})

test('the fields of all datasets come at once', async () => {
  const name = await newDataset()
  await send(service, '[{"geo":{"city":"Oslo"},"n":1}]', { dataset: name })
  const { body } = await ask<{ datasetName: string; fields: object[] }[]>(service, 'GET', '/v1/datasets/_fields')
  const { fields } = body.find(({ datasetName }) => datasetName === name) ?? { fields: [] }
  expect(fields).toEqual((await ask(service, 'GET', `/v2/datasets/${name}/fields`)).body)
  expect(fields.at(-1)).toEqual({ name: 'n', type: 'integer', unit: '', hidden: false, description: '' })
})

test('a dataset says how much it holds, from the moment that events are acknowledged', async () => {
  const name = await newDataset()
  expect((await ask(service, 'GET', `/v1/datasets/${name}/info`)).body).toMatchObject({ name, numEvents: 0 })
  const times = ['2026-01-01T00:00:00.5Z', '2026-01-02T00:00:00Z']
  await send(service, JSON.stringify(times.map((_time, n) => ({ _time, n }))), { dataset: name })
  const { body } = await ask<Info>(service, 'GET', `/v1/datasets/${name}/info`)
  expect(body).toMatchObject({ numEvents: 2, numFields: 3, minTime: times[0], maxTime: times[1], who: 'tok_operator' })
  expect(body.fields.map((field) => field.name)).toEqual(['_sysTime', '_time', 'n'])
  expect(await ask(service, 'GET', '/v1/datasets/none/info')).toMatchObject({
    status: 404,
    body: { message: 'dataset "none" not found' },
  })
})

test('map fields are created, listed, replaced and deleted', async () => {
  const name = await newDataset()
  const path = `/v2/datasets/${name}/mapfields`
  const status = async (method: string, more = '', body?: unknown) =>
    (await ask(service, method, path + more, body === undefined ? {} : { body })).status
  expect((await ask(service, 'POST', path, { body: { name: 'headers' } })).body).toEqual({ name: 'headers' })
  expect([
    await status('POST', '', { name: 'headers' }),
    await status('POST', '', { name: '__mine' }),
    await status('PUT', '', ['a', 'a']),
    await status('DELETE', '/other'),
  ]).toEqual([409, 422, 422, 404])
  expect((await ask(service, 'PUT', path, { body: ['headers', 'tags', 'geo.ids'] })).body).toEqual(['headers', 'tags', 'geo.ids'])
  expect(await status('DELETE', '/tags')).toBe(204)
  expect((await ask(service, 'GET', path)).body).toEqual(['headers', 'geo.ids'])
  expect((await ask(service, 'GET', `/v2/datasets/${name}`)).body).toMatchObject({ mapFields: ['headers', 'geo.ids'] })
})

test('keys in a map field are no fields, and are found all the same', async () => {
  const name = await newDataset()
  const event = { id: 1, headers: { 'x-a.b': 'y', deep: { n: [1, 2] } }, geo: { ids: { 7: true }, city: 'Oslo' } }
  await ask(service, 'PUT', `/v2/datasets/${name}/mapfields`, { body: ['headers', 'geo.ids'] })
  await send(service, JSON.stringify([event]), { dataset: name })
  expect(await fieldsOf(name)).toEqual(['geo.city: string', 'geo.ids: map[string]', 'headers: map[string]', 'id: integer'])
  const find = async (where: string) => {
    const { body } = await ask(service, 'POST', '/v1/datasets/_apl', { body: { apl: `['${name}'] | where ${where}` } })
    return (body as { matches?: { data: object }[] }).matches?.map(({ data }) => data)
  }
  expect(await find("headers['x-a.b'] == 'y'")).toEqual([event])
  expect(await find('headers.deep.n[1] == 2')).toEqual([event])
  expect(await find("geo.ids['7'] == true")).toEqual([event])
  expect(await find('headers.nothing == 1')).toEqual([])
})

test('what was stored as a map stays one, and later events have fields again', async () => {
  const name = await newDataset()
  const path = `/v2/datasets/${name}/mapfields`
  await ask(service, 'POST', path, { body: { name: 'foo' } })
  await send(service, '[{"foo":{"a":1}}]', { dataset: name })
  await ask(service, 'DELETE', `${path}/foo`)
  await send(service, '[{"foo":{"b":2}},{"bar":{"c":3}}]', { dataset: name })
  expect(await fieldsOf(name)).toEqual(['bar.c: integer', 'foo: map[string]', 'foo.b: integer'])
  const apl = `['${name}'] | where isnotnull(foo) | project foo, b = foo.b | sort by b asc`
  const { body } = await ask(service, 'POST', '/v1/datasets/_apl', { body: { apl } })
  expect((body as { tables: { columns: unknown[][] }[] }).tables[0]?.columns).toEqual([
    [{ a: 1 }, { b: 2 }],
    [null, 2],
  ])
})

test('a map does not use up the fields of its dataset', async () => {
  const name = await newDataset()
  await ask(service, 'PUT', `/v2/datasets/${name}/mapfields`, { body: ['ids'] })
  const ids = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`id-${n}`, n]))
  expect((await send(service, JSON.stringify([{ ids }]), { dataset: name })).body).toMatchObject({ ingested: 1, failed: 0 })
  expect(await fieldsOf(name)).toEqual(['ids: map[string]'])
})
