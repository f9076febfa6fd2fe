import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../__tests__/support/service.ts'
import { createLog } from '../src/log.ts'
import { ask, create, get } from './http.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('each request is one line: when, what, how it went, who, and the trace id of its answer', async () => {
  const before = service.requests.length
  const answer = await create(service, { title: 'not for the log' })
  const line = (await service.waitForRequests(before + 1)).at(-1)
  expect(line).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    event: 'request',
    method: 'POST',
    path: '/v2/annotations',
    status: 201,
    durationMs: expect.any(Number),
    traceId: answer.headers.get('x-axiom-trace-id'),
    tokenId: 'tok_operator',
    tokenName: 'given at start',
  })
  expect(service.stderr).not.toContain('not for the log')
})

test('refused, unknown and unreadable requests are logged too, without a token that is not known', async () => {
  const before = service.requests.length
  await get(service, 'foo')
  await ask(service, 'GET', '/nothing')
  await ask(service, 'GET', '/v2/annotations/%zz')
  await ask(service, 'GET', '/v2/annotations', { token: 'wrong' })
  const lines = (await service.waitForRequests(before + 4)).slice(before)
  expect(lines.map(({ path, status, tokenId }) => [path, status, tokenId])).toEqual([
    ['/v2/annotations/foo', 400, 'tok_operator'],
    ['/nothing', 404, undefined],
    ['/v2/annotations/%zz', 400, undefined],
    ['/v2/annotations', 401, undefined],
  ])
})

test('queries are not logged', async () => {
  const before = service.requests.length
  await ask(service, 'GET', '/v2/annotations?datasets=hidden-name')
  expect((await service.waitForRequests(before + 1)).at(-1)?.path).toBe('/v2/annotations')
  expect(service.stderr).not.toContain('hidden-name')
})

test('a hostile path or header cannot forge a line', async () => {
  const before = service.requests.length
  const forged = '{"event":"request","status":200}'
  for (const path of [`/%0a${encodeURIComponent(forged)}`, `/"}\u0085${forged}`, '/\x9b2J\x1b[2J', `/${'x'.repeat(5_000)}`]) {
    await exchange(
      Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: \x9b${forged}\r\nConnection: close\r\n\r\n`, 'latin1'),
    )
  }
  await ask(service, 'GET', '/healthz')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const lines = service.stderr.split('\n').slice(0, -1)
  expect(service.requests.length).toBeGreaterThan(before)
  for (const line of lines) {
    const entry = JSON.parse(line) as Record<string, unknown>
    expect(entry).toMatchObject({
      time: expect.any(String),
      event: expect.any(String),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(line.length).toBeLessThan(1_000)
    expect(line).toMatch(/^[\x20-\x7e]*$/)
  }
})

test('line ends and controls of every kind are escaped', () => {
  const lines: string[] = []
  createLog((line) => lines.push(line))({ event: 'x', path: '\n\r\u2028\u2029\u0085\x9b\x7f\x1b\0' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[\x20-\x7e]*\n$/)
  expect(JSON.parse(lines[0] ?? '').path).toBe('\n\r\u2028\u2029\u0085\x9b\x7f\x1b\0')
})

test('a caller that leaves early is logged as gone', async () => {
  const before = service.requests.length
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const head = `POST /v2/annotations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.destroy()
  expect((await service.waitForRequests(before + 1)).at(-1)).toMatchObject({ method: 'POST', status: 499 })
  await ask(service, 'GET', '/healthz')
  await service.waitForRequests(before + 2)
  expect(service.stderr).not.toContain('"event":"error"')
})

function exchange(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
  })
}
