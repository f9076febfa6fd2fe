/**
 * Requests that are much work, at every operation: none keeps the main thread from others for long. Wide, deep, repeated, pumped and
 * compressed bodies, and in the long form every text that an operation takes, pumped by everything that is special anywhere.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests, serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { isLong } from '../../../__tests__/support/long.ts'
import { build, type Pieces } from '../../../__tests__/support/pieces.ts'
import { field } from '../../edge/__tests__/otlp/otlp.ts'
import { readCases } from './cases.ts'
import { ask } from './http.ts'

/** Processor time, because other programs run beside the tests. */
const TURN_MS_MAX = 250

interface Case {
  what: string
  path: string
  type?: string
  gzip?: boolean
  within?: readonly number[]
  body?: Pieces
  apl?: Pieces
  isLong?: boolean
}
type Properties = Record<string, { maxLength?: number }>
interface Operation {
  requestBody?: { content: Record<string, { schema: { properties?: Properties; $ref?: string } }> }
  parameters?: { name: string; in: string }[]
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: Properties }> }
}
const CASES = readCases<{ requests: Case[]; shapes: Pieces[]; pumped: string[]; valid: Record<string, object> }>(import.meta.url)
/** In characters; the headers of a request have 16 kB. */
const [BODY_PUMP, QUERY_PUMP] = [200_000, 2_000]

const turns = join(folderForTests('turns'), 'ms')
appendFileSync(turns, '')
const NODE_OPTIONS = `--require ${join(import.meta.dirname, 'turns.cjs')}`
const service = serviceForTests({ env: { NODE_OPTIONS, TURNS_FILE: turns } })
beforeAll(async () => {
  await ask(service, 'POST', '/v2/datasets', { body: { name: 'web' } })
  await ask(service, 'POST', '/v1/ingest/web', { body: [{ a: 'x' }] })
})

/** @returns the milliseconds of the longest turn of the main thread while this is sent and answered */
async function longestTurn(send: () => Promise<unknown>): Promise<number> {
  await sleep(20)
  const before = readFileSync(turns).length
  await send()
  await sleep(20)
  return Math.max(0, ...readFileSync(turns, 'utf8').slice(before).split('\n').map(Number))
}

async function send(method: string, path: string, body?: string | Uint8Array, headers = {}): Promise<number> {
  const authorization = `Bearer ${service.token}`
  const sent = { method, headers: { authorization, 'content-type': 'application/json', ...headers }, ...(body && { body }) }
  const answer = await fetch(service.url + path, sent as RequestInit)
  await answer.arrayBuffer()
  return answer.status
}

const QUERY = '/v1/datasets/_apl?format=tabular'

test.each(CASES.requests.filter((one) => isLong || !one.isLong))('$what', async ({ path = QUERY, type, gzip, within, ...of }) => {
  const text = of.apl ? JSON.stringify({ apl: build(of.apl) }) : build(of.body ?? [])
  const bytes = within?.reduceRight<Buffer>((inner, id) => field(id, inner), Buffer.from(text, 'hex')) ?? Buffer.from(text)
  const headers = {
    'x-axiom-dataset': 'web',
    ...(type && { 'content-type': type }),
    ...(within && { 'content-type': 'application/x-protobuf' }),
    ...(gzip && { 'content-encoding': 'gzip' }),
  }
  let status = 0
  const ms = await longestTurn(async () => {
    status = await send('POST', path, gzip ? gzipSync(bytes) : bytes, headers)
  })
  expect(ms).toBeLessThanOrEqual(TURN_MS_MAX)
  expect([200, 201, 400, 413, 422, 432]).toContain(status)
})

type Sent = [query: string, body?: string]

/** @returns requests of an operation: in the short form instead of what it takes, in the long form also inside of it */
function requestsOf(key: string, { requestBody, parameters = [] }: Operation, { components }: Document): Sent[] {
  const shapes = CASES.shapes.map((shape): Sent => ['', build(shape)])
  const instead = requestBody ? shapes : []
  if (!isLong) return instead
  const { $ref = '', ...inside } = requestBody?.content['application/json']?.schema ?? {}
  const { properties = {} } = components.schemas[$ref.split('/').at(-1) ?? ''] ?? inside
  const pump = (text: string, length: number) => text.repeat(length / text.length)
  const queried = parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []))
  const valid = CASES.valid[key] ?? {}
  const pumped = CASES.pumped.flatMap((text) => [
    ...queried.map((name): Sent => [`?${new URLSearchParams({ [name]: pump(text, QUERY_PUMP) })}`]),
    ...Object.entries(properties).map(([name, { maxLength = BODY_PUMP }]): Sent => {
      return ['', JSON.stringify({ ...valid, [name]: pump(text, Math.min(maxLength, BODY_PUMP)) })]
    }),
  ])
  return [...instead, ...pumped]
}

test('every operation', async () => {
  const { body: document } = await ask<Document>(service, 'GET', '/openapi.json')
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      requests: requestsOf(`${method} ${path}`, operation, document),
    })),
  )
  const slow: [operation: string, ms: number][] = []
  for (const { path, method, requests } of all) {
    const url = path.replace('{name}', 'web').replace(/\{\w+\}/g, 'x')
    const ms = await longestTurn(async () => {
      for (const [query, body] of requests) await send(method.toUpperCase(), url + query, body)
    })
    if (ms > TURN_MS_MAX) slow.push([`${method} ${path}`, ms])
  }
  expect(all.length).toBeGreaterThan(60)
  expect(slow).toEqual([])
}, 900_000)
