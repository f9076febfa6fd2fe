/**
 * The document promises what the service keeps: a request that it allows is not refused for its form, and one that it forbids is.
 */
import { readFileSync } from 'node:fs'
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import { beforeAll, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ask, created, MONITOR, make, makeToken, VALID } from './http.ts'

interface Operation {
  requestBody?: { required?: boolean; content: Record<string, object> }
  parameters?: { name: string; in: string; required?: boolean }[]
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const service = serviceForTests()
let paths: Record<string, Record<string, Operation>>
let validator: Ajv2020
let ids: Record<string, string>
beforeAll(async () => {
  const { body } = await ask<{ paths: typeof paths }>(service, 'GET', '/openapi.json', { token: null })
  paths = body.paths
  validator = new Ajv2020({ strict: false, formats: { 'date-time': DATE_TIME } }).addSchema(body, 'api')
  ids = {
    annotations: (await created(service)).id,
    monitors: (await make(service, '/v2/monitors', { ...MONITOR, aplQuery: 'print 1', datasets: ['web'] })).id,
    tokens: (await makeToken(service, ['query|read'])).id,
  }
  await ask(service, 'POST', '/v2/datasets', { body: { name: 'web' } })
})

function isValid(pointer: readonly (string | number)[], value: unknown): boolean {
  const path = pointer.map((part) => encodeURIComponent(String(part).replaceAll('/', '~1'))).join('/')
  const validate = validator.getSchema(`api#/${path}`)
  if (!validate) throw new Error(`the document has no ${path}`)
  return validate(value) === true
}

const allowsBody = (method: string, path: string, body: unknown) =>
  isValid(['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'], body)

function allowsParameter(method: string, path: string, name: string, value: string): boolean {
  const index = paths[path]?.[method]?.parameters?.findIndex((parameter) => parameter.name === name) ?? -1
  return isValid(['paths', path, method, 'parameters', index, 'schema'], value)
}

const places = (path: string) => path.replace('{id}', ids[path.split('/')[2] ?? ''] ?? '').replace('{name}', 'web')
const isAccepted = ({ status }: { status: number }) => status >= 200 && status < 300
let count = 0
/** Resources by names of their own, so that none is there already. */
const fresh = (body: object) => ('name' in body && body.name === 'new' ? { ...body, name: `new-${count++}` } : body)

const annotations = '/v2/annotations'

/**
 * In `openapi-strictness.txt`, for each endpoint and members that go with each body, what a body may have besides and what not; and for an
 * endpoint and its whole body, which values a parameter may have.
 */
const cases = readFileSync(new URL('openapi-strictness.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n\n')
  .flatMap((section) => {
    const [head = '', ...lines] = section.split('\n')
    const [, method = '', path = '', body] = /^(get|post|put) (\S+)(?: (.*))?$/.exec(head) ?? []
    return lines.map((line) => {
      const [, verb, more = '', said = ''] = /^(takes|refuses) (.*?)(?: -- (.*))?$/.exec(line) ?? []
      return { method, path, body: body && JSON.parse(body), more, said, isAllowed: verb === 'takes' }
    })
  })
const isParameter = ({ more }: { more: string }) => !more.startsWith('{')

test.each(cases.filter((one) => !isParameter(one)))(
  '$method $path $body $more: the document and the service agree',
  async ({ method, path, body, more, said, isAllowed }) => {
    const sent = fresh({ ...body, ...JSON.parse(more) })
    const answer = await ask<ErrorBody>(service, method.toUpperCase(), places(path), { body: sent })
    const found = { document: allowsBody(method, path, sent), service: isAccepted(answer) }
    expect(found).toEqual({ document: isAllowed, service: isAllowed })
    if (said !== '') expect(answer.body.message).toContain(said)
  },
)

test.each(cases.filter(isParameter))(
  '$method $path?$more: the document and the service agree',
  async ({ method, path, body, more, isAllowed }) => {
    const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(more) ?? []
    const answer = await ask(service, method.toUpperCase(), `${places(path)}?${new URLSearchParams({ [name]: value })}`, { body })
    const found = { document: allowsParameter(method, path, name, value), service: isAccepted(answer) }
    expect(found).toEqual({ document: isAllowed, service: isAllowed })
  },
)

test.each([
  ['a key', true],
  ['', false],
  ['x'.repeat(255), true],
  ['x'.repeat(256), false],
])('the Idempotency-Key %j: the document and the service agree', async (key, isAllowed) => {
  const answer = await ask(service, 'POST', annotations, { body: VALID, headers: { 'idempotency-key': key } })
  const document = allowsParameter('post', annotations, 'idempotency-key', key)
  expect({ document, service: isAccepted(answer) }).toEqual({ document: isAllowed, service: isAllowed })
})

/** How the bulk API says the same. */
interface ElasticError {
  error?: { reason: string }
}

/** Requests that say nothing but that something is to be done. */
const ACTS = /^\/v2\/notifiers\/\{id\}\/(?:test|regenerate)$|\/vacuum$/

test('whatever sends something must send it', async () => {
  const bodies = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      (method === 'post' || method === 'put') && !ACTS.test(path) ? [[path, method, requestBody?.required]] : [],
    ),
  )
  expect(bodies.filter(([, , required]) => required !== true)).toEqual([])
  for (const [path, method] of bodies.filter(([at]) => !String(at).startsWith('/v1/integrations/'))) {
    const { status, body } = await ask<ErrorBody & ElasticError>(service, String(method).toUpperCase(), places(String(path)))
    expect([path, status, body.error?.reason ?? body.message]).toEqual([
      path,
      422,
      expect.stringMatching(/the body is required|there is no body/),
    ])
  }
})
