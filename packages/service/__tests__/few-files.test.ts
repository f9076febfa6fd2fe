/**
 * A service that may open few files, and callers who take them all.
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { describeFailure } from '../../event-store/src/engine/engine-failures.ts'

const SCRIPT = 'packages/service/__tests__/few-files.cjs'
const service = serviceForTests({ script: SCRIPT, env: { FILES_MAX: '512' } })

async function open(count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(service.url).port), '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
  return sockets
}

/** One connection, which is kept: who comes later gets none. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

async function ask(method: string, path: string, body?: object): Promise<{ status: number | undefined; text: string }> {
  const headers = { authorization: `Bearer ${service.token}`, ...(body && { 'content-type': 'application/json' }) }
  const asked = request(`${service.url}${path}`, { method, agent, headers }).end(body && JSON.stringify(body))
  const [answer] = await once(asked, 'response')
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return { status: answer.statusCode, text }
}

test('callers who open as many connections as they can leave files to the engine', async () => {
  expect((await ask('POST', '/v1/datasets/web/ingest', [{ n: 1 }])).status).toBe(200)
  using stack = new DisposableStack()
  const sockets = await open(700)
  for (const socket of sockets) stack.defer(() => socket.destroy())
  await Promise.any(sockets.map((socket) => (socket.closed ? undefined : once(socket, 'close'))))
  expect((await ask('POST', '/v1/datasets/web/ingest', [{ n: 2 }])).status).toBe(200)
  expect((await ask('POST', '/v2/annotations', { datasets: ['web'], type: 'deploy' })).status).toBe(201)
  const query = { apl: "['web'] | count", startTime: 'now-1d', endTime: 'now' }
  const answer = await ask('POST', '/v1/datasets/_apl?format=tabular', query)
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"columns":[[2]]')])
  expect(await ask('GET', '/healthz')).toMatchObject({ status: 200 })
  expect(service.stderr).toContain('"event":"connections-refused"')
})

test('too few to work with are told at the start', async () => {
  await expect(startService({ script: SCRIPT, env: { FILES_MAX: '128' } })).rejects.toThrow(
    'error: this process may open 128 files, and needs 256 at least; raise the limit with ulimit -n 16384 or LimitNOFILE=',
  )
})

test('where there are none left, the answer says so', () => {
  const cause = new Error(
    'Code: 573. DB::ErrnoException: Cannot open epoll descriptor: , errno: 24, strerror: Too many open files.',
  )
  expect(describeFailure(cause, { kind: 'read', name: 'the store' })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    message: 'the service has no file handles left; its operator has to look at it',
  })
})
