/**
 * Clients that send or read in drops, over sockets, with limits that a test can wait for.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { ask } from './http.ts'
import { insertAnnotations, startWithoutStore } from './in-process.ts'

const LIMITS = { bodyMs: 400, bodyBytes: 1_000, answerMs: 400 }
const BODY = JSON.stringify({ datasets: ['web'], type: 'deploy', title: 'slow' })

const HEADERS = 'GET / HTTP/1.1\r\nX-More:'

function open(url: string, head: readonly string[]): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return socket
}

function post({ url, token }: { url: string; token: string }, bytes: number): Socket {
  const lines = [
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ]
  return open(url, ['POST /v2/annotations HTTP/1.1', ...lines])
}

/** Sends a drop from time to time until the other side has had enough. @returns what it said */
async function drip(socket: Socket, everyMs: number, first = ''): Promise<string> {
  socket.write(first)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  const timer = setInterval(() => socket.write(' '), everyMs)
  await closed
  clearInterval(timer)
  return answer
}

test('who sends a body by drops is told 408 and cut off', async () => {
  await using service = await startWithoutStore({ slowClients: LIMITS })
  const answer = await drip(post(service, 10_000), 50)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
    code: 408,
    message: expect.stringContaining('less than 1000 bytes of the body came in 0.4 s'),
  })
})

test('who pauses, and then sends all of it, is answered', async () => {
  await using service = await startWithoutStore({ slowClients: { ...LIMITS, bodyMs: 20_000 } })
  const socket = post(service, BODY.length)
  await sleep(300)
  socket.write(BODY)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 201 /)
  socket.destroy()
})

test('a request that is fast enough but never ends is told 408 when its time is over', async () => {
  // Long before the 30 s after which Node would look by itself; otherwise this test is not over in its time.
  await using service = await startWithoutStore({ slowClients: { ...LIMITS, bodyBytes: 1 }, requestMsMax: 1_500 })
  const answers = await Promise.all([
    drip(post(service, 100_000), 20),
    drip(connect(Number(new URL(service.url).port), '127.0.0.1'), 20, HEADERS),
  ])
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
}, 20_000)

test('who does not take an answer is cut off, and one who takes it is not', async () => {
  await using service = await startWithoutStore({ slowClients: LIMITS })
  const description = 'x'.repeat(500)
  await insertAnnotations(service.records, 30_000, () => ({ description }))
  const socket = open(service.url, ['GET /v2/annotations HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${service.token}`])
  socket.pause()
  const logged = () => service.lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request')
  while (logged().length === 0) await sleep(20)
  expect(logged()).toMatchObject([{ path: '/v2/annotations', status: 499 }])
  expect((await ask<unknown[]>(service, 'GET', '/v2/annotations')).body).toHaveLength(30_000)
  socket.destroy()
})
