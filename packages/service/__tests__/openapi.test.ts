import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from '@jest/globals'
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { runServiceCommand } from '../../../__tests__/support/service.ts'
import { deliver, genericEvent, makeIntegration, signGeneric } from '../../edge/__tests__/platforms/webhooks.ts'
import { readCases } from './cases.ts'
import { type Answer, ask, create, created, MONITOR, make, VALID } from './http.ts'
import { listRoutes, startWithoutStore } from './in-process.ts'

interface Operation {
  tags: string[]
  security: object[]
  responses: Record<string, { content?: Record<string, { schema?: object }> }>
  parameters?: { name: string; in: string }[]
}
interface Document {
  openapi: string
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

const CASES = readCases<{ page: string[]; parameters: string[] }>(import.meta.url)

const service = serviceForTests()
let document: Document
let validator: Ajv2020
beforeAll(async () => {
  document = (await ask<Document>(service, 'GET', '/openapi.json', { token: null })).body
  validator = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/ } }).addSchema(
    document,
    'api',
  )
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** What is wrong with an answer by its documented schema; empty if nothing is. */
function problemsOf(path: string, method: string, answer: Answer): unknown[] {
  const documented = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status]
  if (!documented) return [`${method} ${path} does not document ${answer.status}`]
  if (!documented.content) return answer.body === '' ? [] : [`${method} ${path} ${answer.status} documents no body`]
  const pointer = ['paths', path, method.toLowerCase(), 'responses', answer.status, 'content', 'application/json', 'schema']
  const validate = validator.getSchema(
    `api#/${pointer.map((part) => encodeURIComponent(String(part).replaceAll('/', '~1'))).join('/')}`,
  )
  return validate?.(answer.body) ? [] : [path, method, answer.status, answer.body, validate?.errors]
}

/** All that stands under `schema`, and what it refers to. */
function schemasIn(value: unknown): AnySchema[] {
  if (typeof value !== 'object' || value === null) return []
  const { schema, schemas, ...others } = value as Record<string, unknown> & { schema?: AnySchema; schemas?: AnySchema[] }
  return [...(schema ? [schema] : []), ...Object.values(schemas ?? {}), ...Object.values(others).flatMap(schemasIn)]
}

// The service itself does not look, because each start would take longer.
test('every schema is one', () => {
  const schemas = schemasIn(document)
  expect(schemas.length).toBeGreaterThan(100)
  expect(schemas.filter((schema) => !validator.validateSchema(schema))).toEqual([])
  expect(validator.validateSchema({ type: 'strnig' })).toBe(false)
})

test('the document is OpenAPI 3.1 and anybody may read it', async () => {
  const { status, headers } = await ask(service, 'GET', '/openapi.json', { token: null })
  expect({ status, type: headers.get('content-type')?.split(';')[0] }).toEqual({ status: 200, type: 'application/json' })
  expect(document.openapi).toBe('3.1.0')
})

test('each tag of an operation is declared, with what it is about', () => {
  const used = operations().flatMap(({ operation }) => operation.tags)
  expect(document.tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort())
  expect(document.tags.filter(({ description }) => description === '')).toEqual([])
})

test('generators of clients can make one of it', () => {
  const all = operations().filter(({ path }) => !CASES.page.includes(`GET ${path}`))
  const ids = all.map(({ operation }) => (operation as { operationId?: string }).operationId)
  expect(ids.filter((id) => !/^[a-z]\w+$/.test(id ?? ''))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  expect(document).toMatchObject({ servers: [{ url: '/' }] })
  // In Go the function that makes a Thing is called NewThing.
  const titles = [...JSON.stringify(document).matchAll(/"title":"([A-Z]\w+)"/g)].map(([, title = '']) => title)
  expect(titles.filter((title) => titles.includes(title.replace(/^New/, '')) && title.startsWith('New'))).toEqual([])
  // A schema of null alone becomes a type that is not there, unless it is one of several.
  expect(JSON.stringify(document)).not.toMatch(/"(?:additionalProperties|\w+)":\{"type":"null"\}/)
})

/** Operations of Elasticsearch, Grafana's annotations, Graphite's events, and of those that take marks as others do: they are their interfaces, and described there. */
const OF_OTHERS =
  / (\/v1\/ingest\/\{name\}\/elastic)?(\/?$|\/_license$|\/_xpack$|\/_cat\/|\/_cluster\/|\/_ilm\/|\/_data_stream\/|\/_\w*template\/|\/\{index\}\/(_doc|_create|events))| \/(api|1|graphql|v2\/applications)(\/|$)| \/(events\/get_data|render|version)$/

async function listOurs(): Promise<string[]> {
  return (await listRoutes()).map(({ method, path }) => `${method} ${path}`).filter((route) => !CASES.page.includes(route))
}

test('what Elasticsearch and Grafana describe needs a token too, but for what is asked before one is given', async () => {
  const routes = (await listOurs()).filter((route) => OF_OTHERS.test(route))
  expect(routes.length).toBeGreaterThan(25)
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    const { status } = await ask(service, method, path.replace(/\{\w+\}/g, 'web'), { token: null })
    expect([route, status]).toEqual([route, ['/api/health', '/api/frontend/settings'].includes(path) ? 200 : 401])
  }
})

test('every route of the server but those of the page and of others is in the document, and nothing else', async () => {
  const served = (await listOurs()).filter((route) => !OF_OTHERS.test(route))
  expect(
    operations()
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  ).toEqual(served.sort())
  expect(served.length).toBeGreaterThan(60)
})

test('what needs a token is documented to need one, and does', async () => {
  for (const { path, method, operation } of operations()) {
    const answer = await ask(service, method, path.replace('{id}', 'ann_1').replace('{name}', 'web').replace('{index}', 'web'), {
      token: null,
    })
    expect([method, path, answer.status]).toEqual([method, path, operation.security.length > 0 ? 401 : 200])
    expect(problemsOf(path, method, answer)).toEqual([])
  }
})

test('what includes all members refuses another word as it is documented', async () => {
  const taking = operations().filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'include'))
  expect(taking.length).toBeGreaterThan(5)
  for (const { path, method } of taking) {
    const named = path.replace('{id}', path.includes('tokens') ? 'tok_operator' : 'ann_1').replace('{name}', 'web')
    const answer = await ask(service, method, `${named}?include=some`, method === 'GET' ? {} : { body: {} })
    expect([method, path, answer.status]).toEqual([method, path, 422])
    expect(problemsOf(path, method, answer)).toEqual([])
  }
})

/** By the paths of the document, of which one without parameters counts more. */
function documentedPath(path: string): string {
  const asked = path.replace(/\?.*/, '')
  const matches = (documented: string) => new RegExp(`^${documented.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked)
  return asked in document.paths ? asked : (Object.keys(document.paths).find(matches) ?? asked)
}

test('every answer is as documented', async () => {
  const { stdout } = await runServiceCommand(['token', 'create', '--permission', 'query|read', '--data', service.dataDir])
  const weak = { token: stdout.trim() }
  const [list, tokens, monitors, hook] = ['/v2/annotations', '/v2/tokens', '/v2/monitors', '/v1/integrations/generic']
  const monitor = { ...MONITOR, aplQuery: 'print x = 1.5', datasets: ['web'] }
  const ids: Record<string, string> = {
    annotation: (await created(service, { title: 't', endTime: '2099-01-02' })).id,
    monitor: (await make(service, monitors, monitor)).id,
    view: (await make(service, '/v2/saved-views', { name: 'v', startTime: 'now-1h', endTime: 'now' })).id,
    integration: await makeIntegration(service, 'generic'),
  }
  const key = { 'idempotency-key': 'documented' }
  await create(service, { title: 'x' }, { headers: key })
  /** Each with its status; a name in braces is the id of what is there. */
  const requests = readFileSync(new URL('openapi-answers.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const asked: [string, string, number, Promise<Answer>][] = [
    ...requests.map((line): [string, string, number, Promise<Answer>] => {
      const [, status = '', method = '', named = '', body] = /^(\d+) (\w+) (\S+)(?: (.*))?$/.exec(line) ?? []
      const path = named.replace(/\{(\w+)\}/, (_, of: string) => ids[of] ?? '')
      return [documentedPath(path), method, Number(status), ask(service, method, path, { body })]
    }),
    [list, 'POST', 403, create(service, {}, weak)],
    [list, 'POST', 413, create(service, { title: 'x'.repeat(300_000) })],
    [list, 'POST', 415, ask(service, 'POST', list, { body: VALID, headers: { 'content-type': 'text/csv' } })],
    [list, 'POST', 422, create(service, { title: 'y' }, { headers: key })],
    [list, 'GET', 403, ask(service, 'GET', list, weak)],
    [tokens, 'POST', 403, ask(service, 'POST', tokens, { ...weak, body: {} })],
    ['/v2/user', 'GET', 200, ask(service, 'GET', '/v2/user', weak)],
    ['/v2/language', 'GET', 200, ask(service, 'GET', '/v2/language', weak)],
    [hook, 'POST', 200, deliver(service, 'generic', signGeneric(genericEvent('started', '2026-03-01T12:00:00Z')))],
    [hook, 'POST', 401, deliver(service, 'generic', { body: '{}', headers: { 'x-signature-256': 'sha256=x' } })],
    [hook, 'POST', 422, deliver(service, 'generic', signGeneric({}))],
    [monitors, 'POST', 403, ask(service, 'POST', monitors, { body: monitor, ...weak })],
  ]
  for (const [path, method, status, asking] of asked) {
    const answer = await asking
    expect([method, path, answer.status]).toEqual([method, path, status])
    expect(problemsOf(path, method, answer)).toEqual([])
  }
  for (const [path, id] of [
    [list, ids.annotation],
    [monitors, ids.monitor],
  ] as const)
    expect(problemsOf(`${path}/{id}`, 'DELETE', await ask(service, 'DELETE', `${path}/${id}`))).toEqual([])
})

test('faults and busy stores are answered as documented', async () => {
  let fault: unknown = new Error('x')
  await using server = await startWithoutStore({
    onAnnotationsRead() {
      throw fault
    },
  })
  expect(problemsOf('/v2/annotations/{id}', 'GET', await ask(server, 'GET', '/v2/annotations/ann_1'))).toEqual([])
  const { ServiceError } = await import('../../runtime/src/errors.ts')
  fault = new ServiceError('overloaded', 'busy')
  const busy = await ask(server, 'GET', '/v2/annotations/ann_1')
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1'])
  expect(problemsOf('/v2/annotations/{id}', 'GET', busy)).toEqual([])
})

test('the parameters of the list are documented', () => {
  const parameters = document.paths['/v2/annotations']?.get?.parameters
  expect(parameters?.map(({ name, in: place }) => `${place} ${name}`)).toEqual(CASES.parameters)
})
