import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { readCases } from './cases.ts'
import { ask, created, get, VALID } from './http.ts'
import { insertAnnotations, startWithoutStore } from './in-process.ts'
import { exchange } from './raw.ts'

const service = serviceForTests()

const CASES = readCases<{
  absent: [method: string, path: string][]
  unread: [path: string, type?: string][]
  impossible: [method: string, path: string, allowed: string][]
  any: string[]
  malformed: [body: string, status: number, message: string][]
}>(import.meta.url)

const TRACE_ID = /^[0-9a-f]{32}$/

test.each(CASES.absent)('there is nothing at %s %s: 404 in the error form', async (method, path) => {
  const { status, body, headers } = await ask(service, method, path)
  expect({ status, body }).toEqual({ status: 404, body: { code: 404, message: expect.stringContaining(path) } })
  expect(headers.get('x-axiom-trace-id')).toMatch(TRACE_ID)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
})

test.each(CASES.unread)('nobody reads a body at %s: 404 that says so, whatever it is', async (path, type) => {
  for (const body of ['{', 'x'.repeat(300_000)]) {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      body: Buffer.from(body),
    })
    const answer = (await response.json()) as { message: string }
    expect([response.status, answer.message]).toEqual([404, expect.stringContaining(`"${path}" not found`)])
  }
})

test('a wrong method at a path that has a name of a dataset in it is 405 before its body is read', async () => {
  const answer = await ask(service, 'PUT', '/v1/datasets/_apl', { body: '{', headers: { 'content-type': 'text/plain' } })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
})

test.each(CASES.impossible)('%s %s is not possible: 405 that says what is', async (method, path, allowed) => {
  const { status, headers, body } = await ask(service, method, path)
  expect(status).toBe(405)
  expect(headers.get('allow')?.split(', ').sort()).toEqual(allowed.split(', ').sort())
  expect(body).toEqual({ code: 405, message: expect.stringContaining(method) })
})

test.each(CASES.malformed)('the body %j is malformed, or none', async (body, status, message) => {
  const answer = await ask(service, 'POST', '/v2/annotations', { body })
  expect(answer).toMatchObject({ status, body: { code: expect.any(Number), message: expect.stringContaining(message) } })
})

test('a body that is not UTF-8 is 400, not stored with replacements', async () => {
  const bytes = Buffer.from('{"datasets":["web"],"type":"deploy","title":"\xff"}', 'latin1')
  const response = await fetch(`${service.url}/v2/annotations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: bytes,
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ code: 400, message: 'the body is not JSON: it is not valid UTF-8' })
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])(
  'a body of type %s: 415 that says what is read',
  async (type) => {
    const answer = await ask(service, 'POST', '/v2/annotations', { body: VALID, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 415, body: { code: 415, message: expect.any(String) } })
  },
)

test('a compressed body: 415', async () => {
  const answer = await ask(service, 'POST', '/v2/annotations', { body: VALID, headers: { 'content-encoding': 'gzip' } })
  expect(answer).toMatchObject({ status: 415, body: { message: expect.stringContaining('"gzip"') } })
})

test.each(['application/json; charset=utf-8', 'Application/JSON'])('a body of type %s is read', async (type) => {
  expect((await ask(service, 'POST', '/v2/annotations', { body: VALID, headers: { 'content-type': type } })).status).toBe(201)
})

test('a delete that names a type and has no body works', async () => {
  const { id } = await created(service)
  for (const [type, status] of [
    ['application/json', 204],
    ['text/plain', 404],
  ] as const) {
    expect((await ask(service, 'DELETE', `/v2/annotations/${id}`, { headers: { 'content-type': type } })).status).toBe(status)
  }
})

test('a body over the limit: 413', async () => {
  const answer = await ask(service, 'POST', '/v2/annotations', { body: { ...VALID, description: 'x'.repeat(300_000) } })
  expect(answer).toMatchObject({ status: 413, body: { code: 413 } })
})

test('a path that cannot be decoded: 400 in the error form', async () => {
  const { status, body, headers } = await ask(service, 'GET', '/v2/annotations/%zz')
  expect({ status, body }).toEqual({ status: 400, body: { code: 400, message: expect.any(String) } })
  expect(headers.get('x-axiom-trace-id')).toMatch(TRACE_ID)
})

test('every answer has a trace id of its own, which the caller cannot choose', async () => {
  const headers = { 'x-axiom-trace-id': 'mine', 'x-request-id': 'mine', 'request-id': 'mine' }
  const answers = await Promise.all(CASES.any.map((path) => ask(service, 'GET', path, { headers })))
  const ids = answers.map((answer) => answer.headers.get('x-axiom-trace-id'))
  for (const id of ids) expect(id).toMatch(TRACE_ID)
  expect(new Set(ids).size).toBe(CASES.any.length)
})

test('an organization id and unknown headers are ignored', async () => {
  const answer = await ask(service, 'GET', '/v2/annotations', { headers: { 'x-axiom-org-id': 'mine', 'x-more': 'y' } })
  expect(answer.status).toBe(200)
})

test('a fault is 500 with the trace id and nothing internal; the log has its cause', async () => {
  const fault = new Error('outer', { cause: new Error('the secret inner reason') })
  await using server = await startWithoutStore({
    onAnnotationsRead() {
      throw fault
    },
  })
  const { status, body, headers } = await get(server, 'ann_1')
  const traceId = headers.get('x-axiom-trace-id') ?? 'none'
  expect({ status, body }).toEqual({ status: 500, body: { code: 500, message: expect.stringContaining(traceId) } })
  expect(JSON.stringify(body)).not.toMatch(/outer|secret|at /)
  const line = server.lines.map((text) => JSON.parse(text)).find(({ event }) => event === 'error')
  expect(line).toMatchObject({ traceId, cause: expect.stringContaining('the secret inner reason') })
})

test('a failure halfway through a long list cuts the answer, so that no part is taken for the whole', async () => {
  // Each page is a query within a query; other parts of the service read annotations too, when it starts.
  let queries = Number.NEGATIVE_INFINITY
  await using server = await startWithoutStore({
    onAnnotationsRead() {
      if (++queries > 4) throw new Error('the disk is gone')
    },
  })
  await insertAnnotations(server.records, 10_001, () => ({}))
  queries = 0
  await expect(ask(server, 'GET', '/v2/annotations')).rejects.toThrow()
  expect(server.lines.join('')).toContain('the disk is gone')
  expect(server.lines.map((text) => JSON.parse(text)).at(-1)).toMatchObject({ event: 'request', status: 500 })
})

test('bytes that are not HTTP: 400 in the error form, and the service goes on', async () => {
  const answer = await exchange(service, 'this is not HTTP\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\n/)
  expect(answer).toMatch(/\r\nx-axiom-trace-id: [0-9a-f]{32}\r\n/)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ code: 400, message: expect.any(String) })
  expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
})

test('giant headers: 431 in the error form', async () => {
  expect(await exchange(service, `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(100_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  )
})

test('the token is checked before the body is read', async () => {
  const head =
    'POST /v2/annotations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  expect(await exchange(service, head, 'message')).toMatch(/^HTTP\/1\.1 401 /)
})

test('any number of looks at its health are one look at the store', async () => {
  let looks = 0
  let answer = () => {}
  await using watched = await startWithoutStore({
    check: () => {
      looks++
      return new Promise((resolve) => {
        answer = () => resolve(undefined)
      })
    },
  })
  const asked = Array.from({ length: 50 }, () => watched.app.inject('/healthz'))
  while (looks === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 50))
  answer()
  for (const { statusCode } of await Promise.all(asked)) expect(statusCode).toBe(200)
  expect(looks).toBe(1)
})

test('changes that wait by the thousand do not make it look unhealthy', async () => {
  const { id } = await created(service)
  let done = 0
  const changes = Array.from({ length: 2_000 }, async (_, i) => {
    const { status } = await ask(service, 'PUT', `/v2/annotations/${id}`, { body: { title: `the ${i}th` } })
    expect(status).toBe(200)
    done++
  })
  while (done === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
  // The system's queue of new connections holds 511; on a busy machine it resets some of the others, and the service never sees them.
  const failures = (await Promise.allSettled(changes)).flatMap((settled) =>
    settled.status === 'rejected' ? [settled.reason] : [],
  )
  expect(failures.filter((failure) => failure.cause?.code !== 'ECONNRESET')).toEqual([])
  expect(done).toBeGreaterThan(500)
})
