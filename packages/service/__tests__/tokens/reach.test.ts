/**
 * The reach of a token that is limited to one dataset, for each operation of the OpenAPI document: what belongs to another dataset is
 * neither answered nor changed, whoever adds an operation.
 */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { DATASET_CAPABILITIES, ORG_CAPABILITIES } from '../../../contract/src/permission.ts'
import { ask, created, MONITOR, make, makeToken, tokenWith } from '../http.ts'
import { apl, ingest } from '../query/ask.ts'

const HIDDEN = 'hidden-dataset'

interface Operation {
  security?: object[]
}
interface Document {
  components: { schemas: Record<string, { properties: Record<string, { propertyNames?: { pattern: string } }> }> }
}
interface Asked {
  method: string
  path: string
  operation: Operation
}

const service = serviceForTests({ args: ['--allow-private-notifications'] })
let operations: Asked[]
let limited = ''
/** What belongs to the other dataset, by the beginning of the paths that have its id. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  for (const name of ['web', HIDDEN]) await ingest(service, name, [{ from: name }])
  ids['/v2/annotations'] = (await created(service, { datasets: [HIDDEN] })).id
  const monitor = { ...MONITOR, name: HIDDEN, aplQuery: `['${HIDDEN}'] | count` }
  ids['/v2/monitors'] = (await make(service, '/v2/monitors', { ...monitor, disabled: true })).id
  ids['/v2/vfields'] = (await make(service, '/v2/vfields', { dataset: HIDDEN, name: 'v', expression: "'x'" })).id
  const properties = { webhook: { url: 'http://127.0.0.1:9/' } }
  const only = { name: HIDDEN, datasets: [HIDDEN] }
  ids['/v2/notifiers'] = (await make(service, '/v2/notifiers', { ...only, properties, events: ['failure'] })).id
  ids['/v2/integrations'] = (await make(service, '/v2/integrations', { platform: 'generic', datasets: [HIDDEN] })).id
  ids['/v2/saved-views'] = (await make(service, '/v2/saved-views', { ...only, startTime: 'now-1h', endTime: 'now' })).id
  const hidden = { name: 'of the hidden one', datasetCapabilities: { [HIDDEN]: { query: ['read'] } } }
  ids['/v2/tokens'] = (await makeToken(service, hidden)).id
  const ofWeb = { datasetCapabilities: { web: DATASET_CAPABILITIES }, orgCapabilities: ORG_CAPABILITIES }
  limited = await tokenWith(service, { name: 'of web', ...ofWeb })
  const document = (await ask<{ paths: Record<string, Record<string, Operation>> }>(service, 'GET', '/openapi.json')).body
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}, 60_000)

/** @returns the path with what belongs to the other dataset in the place of its parameters; `undefined` where nothing does */
function pathOfHidden(path: string): string | undefined {
  const [, id] = Object.entries(ids).find(([root]) => path.startsWith(root)) ?? []
  const filled = path.replaceAll('{name}', HIDDEN).replaceAll('{index}', HIDDEN).replaceAll('{field}', 'x')
  if (!filled.includes('{')) return filled
  return id === undefined ? undefined : filled.replaceAll(/\{\w+\}/g, id)
}

const needsToken = ({ operation }: Asked) => operation.security?.some((scheme) => 'token' in scheme) ?? false

/** What has an id that belongs to no dataset, or is refused without a look at it. */
const WITHOUT_DATASET = ['/v2/orgs/{id}', '/v1/datasets/_history/{id}', '/v2/export/events/{table}']

test('every operation about one thing is tried with one of another dataset', () => {
  const others = operations.filter(needsToken).filter(({ path }) => pathOfHidden(path) === undefined)
  expect(others.map(({ path }) => path)).toEqual(WITHOUT_DATASET)
})

test('what belongs to another dataset is answered as what is not there', async () => {
  const absentOf = (text: string) => Object.values(ids).reduce((all, id) => all.replaceAll(id, `${id.slice(0, -4)}0000`), text)
  for (const { method, path } of operations.filter(needsToken)) {
    const hidden = pathOfHidden(path) ?? ''
    const absent = absentOf(hidden)
    if (absent === hidden) continue
    const [one, other] = await Promise.all(
      [hidden, absent].map((to) =>
        ask(service, method, to, { token: limited, ...(method === 'PUT' && { body: { name: 'n' } }) }),
      ),
    )
    expect([method, path, one?.status, absentOf(JSON.stringify(one?.body))]).toEqual([
      method,
      path,
      other?.status,
      JSON.stringify(other?.body),
    ])
  }
})

test('a token of one dataset reads nothing of another, and changes nothing there', async () => {
  const before = await Promise.all(Object.entries(ids).map(([root, id]) => ask(service, 'GET', `${root}/${id}`)))
  let count = 0
  for (const { method, path } of operations.filter(needsToken)) {
    const hidden = pathOfHidden(path)
    if (hidden === undefined) continue
    count++
    const { status, body } = await ask(service, method, hidden, { token: limited, ...(method !== 'GET' && { body: {} }) })
    const isAboutHidden = hidden !== path
    // Lists are answered, without what is not reached; what is about the other dataset is not.
    if (isAboutHidden) expect([method, path, status, status >= 400 && status < 500]).toEqual([method, path, status, true])
    expect([method, path, JSON.stringify(body).includes('of the hidden one')]).toEqual([method, path, false])
    if (method === 'GET' && !isAboutHidden) expect([path, JSON.stringify(body).includes(HIDDEN)]).toEqual([path, false])
  }
  expect(count).toBeGreaterThan(40)
  const after = await Promise.all(Object.entries(ids).map(([root, id]) => ask(service, 'GET', `${root}/${id}`)))
  expect(after.map(({ status, body }) => [status, body])).toEqual(before.map(({ body }) => [200, body]))
  expect((await ask(service, 'GET', `/v2/datasets/${HIDDEN}`)).status).toBe(200)
})

test('a dataset that is made again under the name of one that was deleted is another one for tokens', async () => {
  await ingest(service, 'reborn', [{ a: 1 }])
  const { token, id } = await makeToken(service, {
    name: 'of reborn',
    datasetCapabilities: { reborn: { query: ['read'], ingest: ['create'] }, web: { query: ['read'] } },
    orgCapabilities: { annotations: ['read'] },
  })
  const read = async (name: string) => (await apl({ ...service, token }, `${name} | count`)).status
  expect([await read('reborn'), await read('web')]).toEqual([200, 200])
  expect((await ask(service, 'DELETE', '/v2/datasets/reborn')).status).toBe(204)
  await ingest(service, 'reborn', [{ secret: 1 }])
  expect([await read('reborn'), await read('web')]).toEqual([403, 200])
  expect((await ask(service, 'POST', '/v1/datasets/reborn/ingest', { token, body: [{}] })).status).toBe(403)
  const { body } = await ask<{ datasetCapabilities: object }>(service, 'GET', `/v2/tokens/${id}`)
  expect(Object.keys(body.datasetCapabilities)).toEqual(['reborn (deleted)', 'web'])
  const { schemas } = (await ask<Document>(service, 'GET', '/openapi.json')).body.components
  const documented = new RegExp(schemas.Token?.properties.datasetCapabilities?.propertyNames?.pattern ?? '')
  for (const dataset of [...Object.keys(body.datasetCapabilities), '*']) expect(dataset).toMatch(documented)
  expect('reborn (gone)').not.toMatch(documented)
})
