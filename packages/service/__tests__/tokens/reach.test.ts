/**
 * The reach of a token that is limited to one dataset, for each operation of the OpenAPI document: what belongs to another dataset is
 * neither answered nor changed, whoever adds an operation.
 */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { DATASET_CAPABILITIES, ORG_CAPABILITIES } from '../../../contract/src/permission.ts'
import { numberOf } from '../../src/wire/ids.ts'
import { readCases } from '../cases.ts'
import { ask, created, MONITOR, make, makeToken, tokenWith } from '../http.ts'
import { listRoutes } from '../in-process.ts'
import { apl, countEvents, ingest } from '../query/ask.ts'

const HIDDEN = 'hidden-dataset'
/** In each thing of the other dataset, and in no request. */
const SECRET = 'of the hidden one'
const { naming, bulk, logs } = readCases<{ naming: object; bulk: string; logs: object }>(import.meta.url)

interface Schema {
  properties?: Record<string, unknown>
  $ref?: string
}
interface Operation {
  security?: object[]
  requestBody?: { content: Record<string, { schema: Schema }> }
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
/** Those of other protocols, which the document leaves out. */
let doors: Asked[]
let schemas: Record<string, Schema>
let limited = ''
/** What belongs to the other dataset, by the beginning of the paths that have its id. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  for (const name of ['web', HIDDEN]) await ingest(service, name, [{ from: name, ...(name === HIDDEN && { SECRET }) }])
  ids['/v2/annotations'] = (await created(service, { datasets: [HIDDEN], title: SECRET })).id
  const monitor = { ...MONITOR, name: SECRET, aplQuery: `['${HIDDEN}'] | count` }
  ids['/v2/monitors'] = (await make(service, '/v2/monitors', { ...monitor, disabled: true })).id
  ids['/v2/vfields'] = (await make(service, '/v2/vfields', { dataset: HIDDEN, name: 'v', expression: `'${SECRET}'` })).id
  const properties = { webhook: { url: 'http://127.0.0.1:9/' } }
  const only = { name: SECRET, datasets: [HIDDEN] }
  ids['/v2/notifiers'] = (await make(service, '/v2/notifiers', { ...only, properties, events: ['failure'] })).id
  ids['/v2/integrations'] = (await make(service, '/v2/integrations', { platform: 'generic', ...only })).id
  ids['/v2/saved-views'] = (await make(service, '/v2/saved-views', { ...only, startTime: 'now-1h', endTime: 'now' })).id
  const hidden = { name: SECRET, datasetCapabilities: { [HIDDEN]: { query: ['read'] } } }
  ids['/v2/tokens'] = (await makeToken(service, hidden)).id
  const ofWeb = { datasetCapabilities: { web: DATASET_CAPABILITIES }, orgCapabilities: ORG_CAPABILITIES }
  limited = await tokenWith(service, { name: 'of web', ...ofWeb })
  type Whole = Document & { paths: Record<string, Record<string, Operation>> }
  const document = (await ask<Whole>(service, 'GET', '/openapi.json')).body
  schemas = document.components.schemas as Record<string, Schema>
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const isKnown = (route: Asked) => operations.some(({ method, path }) => method === route.method && path === route.path)
  doors = (await listRoutes()).map((route) => ({ ...route, operation: {} })).filter((route) => !isKnown(route))
}, 60_000)

/** @returns the path with what belongs to the other dataset in the place of its parameters; `undefined` where nothing does */
function pathOfHidden(path: string): string | undefined {
  const [, id] = Object.entries(ids).find(([root]) => path.startsWith(root)) ?? []
  const filled = path
    .replaceAll('{name}', HIDDEN)
    .replaceAll('{number}', String(numberOf(ids['/v2/annotations'] ?? '')))
    .replaceAll('{index}', HIDDEN)
    .replaceAll('{field}', 'x')
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

/** @returns what there is about the other dataset, and how many events it has */
async function aboutHidden() {
  const lists = [...Object.keys(ids), '/v2/datasets'].map(async (root) => {
    const { body } = await ask<object[]>(service, 'GET', root)
    return body.filter((one) => JSON.stringify(one).includes(HIDDEN))
  })
  return [await Promise.all(lists), await countEvents(service, HIDDEN)]
}

/** @returns bodies that are about the other dataset, as far as an operation takes them */
function bodiesOf({ method, operation }: Asked): unknown[] {
  if (method === 'GET') return [undefined]
  const { schema } = Object.values(operation.requestBody?.content ?? {})[0] ?? {}
  const { properties } = schema?.$ref === undefined ? (schema ?? {}) : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const taken = Object.entries(naming).filter(([member]) => !properties || member in properties)
  return [{}, Object.fromEntries(taken), bulk, logs]
}

test('a token of one dataset reads nothing of another, and changes nothing there, whatever it names at whichever address', async () => {
  const before = await aboutHidden()
  const query = new URLSearchParams(Object.entries(naming).map(([name, value]): [string, string] => [name, String(value)]))
  let count = 0
  for (const asked of [...operations.filter(needsToken), ...doors]) {
    const { method, path } = asked
    const hidden = pathOfHidden(path)
    if (hidden === undefined) continue
    count++
    // What is about the other dataset is not answered; lists are, without what is not reached.
    const isAboutHidden = hidden !== path && !doors.includes(asked)
    for (const body of bodiesOf(asked)) {
      for (const search of method === 'GET' ? ['', `?${query}`] : ['']) {
        const headers = { 'x-axiom-dataset': HIDDEN }
        const { status, body: answer } = await ask(service, method, hidden + search, { token: limited, body, headers })
        const shown = JSON.stringify(answer)
        expect([method, path, body, status < 500, shown.includes(SECRET)]).toEqual([method, path, body, true, false])
        const isRefused = status >= 400 || (body === bulk && shown.includes('"errors":true'))
        if (isAboutHidden) expect([method, path, body, isRefused]).toEqual([method, path, body, true])
        if (method === 'GET' && hidden + search === path) expect([path, shown.includes(HIDDEN)]).toEqual([path, false])
      }
    }
  }
  expect(count).toBeGreaterThan(120)
  expect(await aboutHidden()).toEqual(before)
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
