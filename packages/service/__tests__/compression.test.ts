/**
 * Answers in the encoding that their reader asks for.
 */
import { request as send } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from '@jest/globals'
import Fastify from 'fastify'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { createLog } from '../../runtime/src/log.ts'
import { compressAnswers, encodingFor } from '../src/http/compression.ts'
import { addErrorAnswers } from '../src/http/error-answers.ts'
import { readCases } from './cases.ts'
import { created } from './http.ts'
import { ingestEach } from './query/ask.ts'

const CASES = readCases<{ accepted: [accepted: string | null, encoding: string | null][] }>(import.meta.url)

const service = serviceForTests()
beforeAll(async () => {
  await ingestEach(service, 'web', 3_000, (n) => ({ n, text: 'the same text in every event' }))
  for (let i = 0; i < 10; i++) await created(service, { description: 'a long description '.repeat(10) })
})

interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** Without fetch, which decompresses by itself. */
function read(path: string, headers: Record<string, string>, body?: object): Promise<Received> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${service.token}`
    const options = { method: body ? 'POST' : 'GET', headers: { authorization, 'content-type': 'application/json', ...headers } }
    const request = send(service.url + path, options, async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes })
    })
    request.on('error', reject).end(body && JSON.stringify(body))
  })
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }
const QUERY = { apl: 'web | project n, text | limit 3000', startTime: 'now-1h', endTime: 'now+1h' }

test.each([
  ['a list', '/v2/annotations', undefined],
  ['a long answer of a query', '/v1/datasets/_apl?format=tabular', QUERY],
  ['the document', '/openapi.json', undefined],
  ['the metrics', '/metrics', undefined],
])('%s comes as its reader asks', async (_, path, body) => {
  const plain = await read(path, { 'accept-encoding': 'identity' }, body)
  expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).toEqual([200, undefined, 'accept-encoding'])
  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, bytes } = await read(path, { 'accept-encoding': encoding }, body)
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
    const decoded = DECODERS[encoding](bytes)
    if (path === '/v2/annotations' || path === '/openapi.json') expect(decoded.equals(plain.bytes)).toBe(true)
    expect(decoded.length).toBeGreaterThan(plain.bytes.length / 2)
  }
})

test('a reader that leaves before the first bytes is no fault of the service; an answer that fails is', async () => {
  const lines: string[] = []
  await using app = Fastify()
  app.decorate('methodsByUrl', new Map())
  addErrorAnswers(
    app,
    createLog((line) => lines.push(line)),
  )
  compressAnswers(app)
  const source = new Readable({ read: () => undefined })
  app.post('/slow', async (_request, reply) => reply.type('text/plain').send(source))
  app.get('/broken', async (_request, reply) => reply.type('text/plain').send(new Readable().destroy(new Error('broken'))))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const asked = send(`${url}/slow`, { method: 'POST', headers: { 'accept-encoding': 'br', 'content-type': 'application/json' } })
  asked.on('error', () => undefined).end('{}')
  while (source.listenerCount('data') === 0) await sleep(5)
  asked.destroy()
  await new Promise((resolve) => source.once('close', resolve))
  await sleep(50)
  expect(lines).toEqual([])
  const { status } = await fetch(`${url}/broken`, { headers: { 'accept-encoding': 'br' } })
  expect([status, lines.length, lines[0]]).toEqual([500, 1, expect.stringContaining('broken')])
})

test('the page and its files were compressed when they were built', async () => {
  const plain = await read('/', { 'accept-encoding': 'identity' })
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(String(plain.bytes))?.[1] ?? ''
  for (const path of [script, /href="(\/assets\/[^"]+\.css)"/.exec(String(plain.bytes))?.[1] ?? '']) {
    const asIs = await read(path, { 'accept-encoding': 'identity' })
    for (const encoding of ['br', 'gzip'] as const) {
      const { headers, bytes } = await read(path, { 'accept-encoding': encoding })
      if (asIs.bytes.length < 1_024) continue
      expect([headers['content-encoding'], headers['content-type']]).toEqual([encoding, asIs.headers['content-type']])
      expect(DECODERS[encoding](bytes).equals(asIs.bytes)).toBe(true)
      expect(bytes.length).toBeLessThan(asIs.bytes.length / 2)
    }
  }
})

test('short answers are left as they are', async () => {
  const { headers } = await read('/v2/user', { 'accept-encoding': 'gzip, br' })
  expect(headers['content-encoding']).toBeUndefined()
})

test('the document is not sent to who has it', async () => {
  const { headers } = await read('/openapi.json', {})
  expect(headers.etag).toMatch(/^W\/"[\w-]+"$/)
  for (const known of [`"other", ${headers.etag}`, String(headers.etag).replace('W/', ''), '*']) {
    const again = await read('/openapi.json', { 'if-none-match': String(known) })
    expect([known, again.status, again.bytes.length]).toEqual([known, 304, 0])
  }
  expect((await read('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200)
})

test.each(CASES.accepted)('of %j the answer is %j', (accepted, encoding) => {
  expect(encodingFor(accepted ?? undefined) ?? null).toBe(encoding)
})
