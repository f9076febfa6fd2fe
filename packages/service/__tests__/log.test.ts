/**
 * The log as an operator reads it: one JSON object a line on standard error, with a level, without secrets, never forged or lost.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { NODE_24 } from '../../../__tests__/support/service.ts'
import { until } from '../../../__tests__/support/until.ts'
import { createLog } from '../../runtime/src/log.ts'
import { RateLimitedLog } from '../src/http/request-log.ts'
import { ask, create, get, tokenWith } from './http.ts'
import { startWithoutStore } from './in-process.ts'
import { exchange } from './raw.ts'

const service = serviceForTests()

test('each request is one line: when, what, how it went, who, and the trace id of its answer', async () => {
  const before = service.requests.length
  const answer = await create(service, { title: 'not for the log' })
  const line = (await service.waitForRequests(before + 1)).at(-1)
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    event: 'request',
    method: 'POST',
    path: '/v2/annotations',
    status: 201,
    durationMs: expect.any(Number),
    traceId: answer.headers.get('x-axiom-trace-id'),
    address: '127.0.0.1',
    createdId: answer.body.id,
    tokenId: 'tok_operator',
    tokenName: 'operator',
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

test('what fails here is an error, and what is refused to a caller is not', async () => {
  await using server = await startWithoutStore({
    onAnnotationsRead() {
      throw new Error('no space left', { cause: new Error('the disk') })
    },
  })
  expect((await get(server, 'ann_00000000000000000000000000')).status).toBe(500)
  expect((await ask(server, 'GET', '/healthz')).status).toBe(503)
  expect((await ask(server, 'GET', '/nothing')).status).toBe(404)
  expect((await ask(server, 'POST', '/v1/integrations/github', { headers: { 'x-hub-signature-256': 'x' } })).status).toBe(401)
  await sleep(50)
  const entries = server.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries.map(({ level, event, status }) => [level, event, status])).toEqual([
    ['error', 'error', undefined],
    ['error', 'request', 500],
    ['error', 'error', undefined],
    ['error', 'request', 503],
    ['info', 'request', 404],
    ['warn', 'webhook-refused', undefined],
    ['info', 'request', 401],
  ])
  expect(entries[0]?.cause).toMatch(/no space left[\s\S]*caused by: Error: the disk/)
})

test('connections on which nothing comes in time are a line or two of the log, however many they are', async () => {
  const COUNT = 200
  await using server = await startWithoutStore({ requestMsMax: 300 })
  const idle = Array.from({ length: COUNT }, () => connect(Number(new URL(server.url).port), '127.0.0.1'))
  const answers = await Promise.all(idle.map(async (socket) => String((await once(socket, 'data'))[0])))
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  const lines = () => server.lines.map((line) => JSON.parse(line) as { event: string; count?: number; traceId?: string })
  const told = () => lines().reduce((sum, { count = 1 }) => sum + count, 0)
  await until('all are counted', async () => told() >= COUNT)
  expect(told()).toBe(COUNT)
  const [first, ...sums] = lines()
  expect(first).toMatchObject({ event: 'unreadable-request', status: 408, reason: 'ERR_HTTP_REQUEST_TIMEOUT' })
  // The answer that it is about can be found by it.
  expect(answers.filter((answer) => answer.includes(first?.traceId ?? 'none'))).toHaveLength(1)
  expect(sums.length).toBeLessThan(5)
  for (const sum of sums)
    expect(sum).toEqual({
      level: 'info',
      time: expect.any(String),
      event: 'unreadable-request',
      status: 408,
      reason: 'ERR_HTTP_REQUEST_TIMEOUT',
      count: expect.any(Number),
    })
})

test('what is summed up and not written yet is when the service ends', () => {
  const lines: object[] = []
  const summed = new RateLimitedLog({ info: (entry) => lines.push(entry) })
  for (const traceId of ['a', 'b', 'c']) summed.info({ event: 'x' }, { traceId })
  summed.flush()
  summed.flush()
  expect(lines).toEqual([
    { event: 'x', traceId: 'a' },
    { event: 'x', count: 2 },
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
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: \x9b${forged}\r\nConnection: close\r\n\r\n`
    await exchange(service, Buffer.from(request, 'latin1')).catch(() => undefined)
  }
  await ask(service, 'GET', '/healthz')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const lines = service.stderr.split('\n').slice(0, -1)
  expect(service.requests.length).toBeGreaterThan(before)
  for (const line of lines) {
    const entry = JSON.parse(line) as Record<string, unknown>
    expect(entry).toMatchObject({
      level: 'info',
      time: expect.any(String),
      event: expect.any(String),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(line.length).toBeLessThan(1_000)
    expect(line).toMatch(/^[\x20-\x7e]*$/)
  }
})

test('secrets are in no line, whatever becomes of the request', async () => {
  const before = service.requests.length
  const headers = { 'x-hub-signature-256': 'sha256=5ec4e7' }
  await ask(service, 'GET', '/v2/user')
  await ask(service, 'GET', '/v2/user', { token: 'xapt-wrong-5ec4e7' })
  await ask(service, 'POST', '/v1/integrations/github', { token: 'xapt-wrong-5ec4e7', headers, body: { secret: '5ec4e7' } })
  const made = await tokenWith(service, ['annotations|read'])
  await ask(service, 'GET', `/v2/annotations?token=${made}&start=${made}`, { token: made })
  await create(service, { title: made, type: made })
  await ask(service, 'GET', '/v2/annotations', { token: null, headers: { authorization: `Basic ${made}` } })
  await service.waitForRequests(before + 7)
  expect(service.stderr).not.toContain('5ec4e7')
  expect(service.stderr).not.toContain(service.token)
  expect(made).toMatch(/^xaat-/)
  expect(service.stderr).not.toContain(made)
})

test('line ends and controls of every kind are escaped', () => {
  const lines: string[] = []
  createLog((line) => lines.push(line)).info({ event: 'x', path: '\n\r\u2028\u2029\u0085\x9b\x7f\x1b\0' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[\x20-\x7e]*\n$/)
  expect(JSON.parse(lines[0] ?? '').path).toBe('\n\r\u2028\u2029\u0085\x9b\x7f\x1b\0')
})

test('a caller that leaves early is logged as gone', async () => {
  const before = service.requests.length
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const head = `POST /v2/annotations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.token}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.destroy()
  expect((await service.waitForRequests(before + 1)).at(-1)).toMatchObject({ method: 'POST', status: 499 })
  await ask(service, 'GET', '/healthz')
  await service.waitForRequests(before + 2)
  expect(service.stderr).not.toContain('"event":"error"')
})

const LOG = join(import.meta.dirname, '../../runtime/src/log.ts')

/**
 * Runs a module that has `log`.
 * @returns its lines, read once it has written all of `stdout` or has ended
 */
async function runWithLog(code: string, stdout = ''): Promise<Record<string, unknown>[]> {
  const head = `import { openLog } from ${JSON.stringify(LOG)}\nconst log = openLog()\n`
  const child = spawn(NODE_24, ['--input-type=module', '--eval', head + code], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  for await (const part of child.stdout.setEncoding('utf8')) if (part === stdout) break
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  await ended
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
}

const WRITE_MANY = `for (let n = 0; n < 20_000; n++) log.info({ event: 'request', n })\n`
const MANY = Array.from({ length: 20_000 }, (_, n) => n)

test('a crash has a line, and none of those before it is lost', async () => {
  const code = `${WRITE_MANY}setImmediate(() => { throw new Error('boom', { cause: new Error('a bug') }) })`
  const lines = await runWithLog(
    `process.stdout.write('begin')\nawait new Promise((resolve) => setTimeout(resolve, 50))\n${code}`,
    'begin',
  )
  expect(lines.slice(0, -1).map(({ n }) => n)).toEqual(MANY)
  expect(lines.at(-1)).toMatchObject({
    level: 'error',
    event: 'crash',
    cause: expect.stringMatching(/boom[\s\S]*caused by: Error: a bug/),
  })
})

test('a process that ends itself has written its lines', async () => {
  const lines = await runWithLog(`process.stdout.write('begin')\n${WRITE_MANY}process.exit(1)`, 'begin')
  expect(lines.map(({ n }) => n)).toEqual(MANY)
})

const KILL = `process.kill(process.pid, 'SIGKILL')\n`

test('the first line of a turn is written at once, and those after it at the end of the turn', async () => {
  const lines = `for (let n = 0; n < 3; n++) log.info({ event: 'request', n })\n`
  expect((await runWithLog(lines + KILL)).map(({ n }) => n)).toEqual([0])
  // A turn is over when the next one begins, in which a line is again the first.
  const later = `await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))\n`
  expect((await runWithLog(lines + later + lines + KILL)).map(({ n }) => n)).toEqual([0, 1, 2, 0])
})

test('a log reader that does not read holds nothing up, and gets every line once it does', async () => {
  const lines = await runWithLog(`${WRITE_MANY}setTimeout(() => process.stdout.write('alive'), 50)`, 'alive')
  expect(lines.map(({ n }) => n)).toEqual(MANY)
})

test('of more lines than can wait for a reader, the rest is counted', async () => {
  const lines = await runWithLog(
    `for (let n = 0; n < 30_000; n++) log.info({ event: 'request', n, path: 'x'.repeat(1_000) })
process.stdout.write('alive')
setTimeout(() => log.info({ event: 'request', n: 30_000 }), 3_000)`,
    'alive',
  )
  const lost = lines.find(({ event }) => event === 'log-lines-lost')
  expect(lost).toMatchObject({ level: 'warn', count: expect.any(Number) })
  expect(lines.length + Number(lost?.count)).toBe(30_002)
  expect(lines.at(-1)?.n).toBe(30_000)
})

test('a log reader that goes away does not take the service with it', async () => {
  using data = mkdtempDisposableSync(join(tmpdir(), 'annotation-log-'))
  const flags = ['--host', '127.0.0.1', '--port', '0', '--data', data.path, '--token', 'xapt-for-this-run-only']
  const child = spawn(NODE_24, [join(import.meta.dirname, '../lib/main.js'), ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const url = await readyUrl(child)
    child.stderr.destroy()
    for (let n = 0; n < 5; n++) expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(child.exitCode).toBe(null)
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill()
    await ended
  }
  expect(child.exitCode).toBe(0)
})

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`the service ended with ${code}`)))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => resolve(/http:\S+/.exec(text)?.[0] ?? ''))
  })
}
