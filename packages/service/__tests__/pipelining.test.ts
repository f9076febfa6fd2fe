/**
 * Strangers who send many requests on one connection without waiting for an answer, or without reading any: others are served as
 * before, and the memory stays bounded. Each was seen to stop or to end a service. And a request that a stop meets half sent.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { until } from '../../../__tests__/support/until.ts'
import { ask, VALID } from './http.ts'
import { exchange } from './raw.ts'

const service = serviceForTests()

const GET = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`

function attack(connections: number, requests: number, { reads }: { reads: boolean }): Socket[] {
  return Array.from({ length: connections }, () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined).write(GET('/openapi.json').repeat(requests))
    return reads ? socket.resume() : socket.pause()
  })
}

async function msOfUser(): Promise<number> {
  const startedMs = performance.now()
  expect((await ask(service, 'GET', '/v2/user')).status).toBe(200)
  return performance.now() - startedMs
}

const residentMib = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1_024

test('thousands of requests of connections that are gone delay nobody', async () => {
  const sockets = attack(20, 1_000, { reads: true })
  await sleep(300)
  for (const socket of sockets) socket.destroy()
  expect(await msOfUser()).toBeLessThan(1_000)
})

test('answers that nobody reads are not made', async () => {
  const before = residentMib()
  const sockets = attack(50, 200, { reads: false })
  for (let i = 0; i < 10; i++) {
    await sleep(200)
    expect(await msOfUser()).toBeLessThan(1_000)
  }
  // One of each connection, and the one that asks.
  const metrics = await ask<string>(service, 'GET', '/metrics')
  expect(Number(/^annotation_service_http_requests_active (\d+)/m.exec(metrics.body)?.[1])).toBeLessThanOrEqual(51)
  expect(residentMib() - before).toBeLessThan(256)
  for (const socket of sockets) socket.destroy()
})

const numbersOf = (text: string) => [...text.matchAll(/"ann_(\d+) /g)].map(([, number]) => Number(number))

test('requests that come at once on a connection are each answered, in their order, however their bytes are cut', async () => {
  const bearer = `Authorization: Bearer ${service.token}\r\n`
  const body = JSON.stringify(VALID)
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const requests = [
    GET('/v2/annotations/ann_1%20', bearer),
    `POST /v2/annotations HTTP/1.1\r\nHost: localhost\r\n${bearer}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    GET('/v2/annotations/ann_2%20', bearer),
    `POST /v2/annotations HTTP/1.1\r\nHost: localhost\r\n${bearer}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
    GET('/v2/annotations/ann_3%20', `${bearer}Connection: close\r\n`),
  ].join('')
  const whole = await exchange(service, requests)
  expect([...whole.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['400', '201', '400', '201', '400'])
  expect(numbersOf(whole)).toEqual([1, 2, 3])
  // Each byte by itself, and cuts through the middle of the ends that separate requests.
  for (const size of [1, 7, 64]) {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', noDelay: true })
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('error', reject).on('close', () => resolve(received))
      const send = async () => {
        for (let at = 0; at < requests.length; at += size) {
          socket.write(requests.slice(at, at + size))
          await new Promise((next) => setImmediate(next))
        }
      }
      void send()
    })
    expect([size, [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].length, numbersOf(text)]).toEqual([size, 5, [1, 2, 3]])
  }
})

/** A body of so many bytes, each in a chunk of its own. */
const tinyChunks = (body: string) => `${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`
const postChunks = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.token}\r\nContent-Type: ${type}\r\nX-Axiom-Dataset: web\r\nTransfer-Encoding: chunked\r\n\r\n`

test('a body in chunks of a byte each is read as any other, and so is the request after it', async () => {
  const events = Array.from({ length: 2_000 }, (_, i) => `{"i":${i}}\n`).join('')
  const text = await exchange(
    service,
    `${postChunks('/v1/ingest/web', 'application/x-ndjson')}${tinyChunks(events)}${GET('/v2/annotations/ann_1%20', 'Connection: close\r\n')}`,
  )
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '401'])
  expect(text).toContain('"ingested":2000')
})

test('bodies of tiny chunks that are still under way take little memory', async () => {
  const before = residentMib()
  const unfinished = postChunks('/v1/logs', 'application/x-protobuf') + '1\r\nx\r\n'.repeat(20_000)
  const sockets = Array.from({ length: 300 }, () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined)
    socket.resume().write(unfinished)
    return socket
  })
  for (let i = 0; i < 10; i++) {
    await sleep(300)
    await msOfUser()
  }
  expect(residentMib() - before).toBeLessThan(256)
  for (const socket of sockets) socket.destroy()
})

test('every request of a connection is logged', async () => {
  const before = service.requests.length
  const [socket] = attack(1, 20, { reads: true })
  await service.waitForRequests(before + 20)
  socket?.destroy()
})

test('a stop lets a request under way end, and accepts no more', async () => {
  const own = await startService()
  const body = JSON.stringify(VALID)
  const head = `Host: localhost\r\nAuthorization: Bearer ${own.token}\r\nContent-Type: application/json`
  const half = connect(Number(new URL(own.url).port), '127.0.0.1')
  half.write(`POST /v2/annotations HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`)
  await sleep(300)
  const ended = own.stop()
  await until('that no more is accepted', async () => (await ask(own, 'GET', '/healthz').catch(() => undefined)) === undefined)
  half.write(body.slice(10))
  expect(String(await once(half, 'data'))).toContain(' 201 ')
  expect(await ended).toEqual({ exitCode: 0, signal: null })
})
