import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { send } from './send.ts'
import { readStoredEvents } from './stored-events.ts'

const service = serviceForTests()

const EVENT = '[{"a":1}]'

describe('bodies', () => {
  test.each([
    ['an array', EVENT, 'application/json', 1],
    ['one object', '{"a":1}', 'application/json', 1],
    ['NDJSON under application/json', '{"a":1}\n{"a":2}\n', 'application/json; charset=utf-8', 2],
    ['NDJSON', '{"a":1}\n\n{"a":2}', 'application/x-ndjson', 2],
    ['CSV', 'a,b\n1,2\n3,4\n', 'text/csv', 2],
    ['an empty array', '[]', 'application/json', 0],
    ['a byte order mark', '\ufeff[{"a":1}]', 'application/json', 1],
    ['no content type', EVENT, null, 1],
  ])('%s is taken, at both paths', async (_, body, type, count) => {
    for (const path of ['/v1/datasets/bodies/ingest', '/v1/ingest/bodies']) {
      const answer = await send(service, Buffer.from(body), { path, type })
      expect(answer).toMatchObject({
        status: 200,
        body: {
          ingested: count,
          failed: 0,
          failures: [],
          processedBytes: Buffer.byteLength(body),
          blocksCreated: 0,
          walLength: count,
        },
      })
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(answer.headers.get('x-axiom-trace-id')).toBeTruthy()
    }
  })

  test.each([
    ['gzip', gzipSync(EVENT)],
    ['zstd', zstdCompressSync(EVENT)],
    ['deflate', deflateSync(EVENT)],
    ['br', brotliCompressSync(EVENT)],
    ['gzip, br', brotliCompressSync(gzipSync(EVENT))],
    ['identity', Buffer.from(EVENT)],
    ['1', Buffer.from(EVENT)],
  ])('Content-Encoding %s is undone', async (encoding, body) => {
    const { status, body: result } = await send(service, body, { headers: { 'content-encoding': encoding } })
    expect([status, result]).toEqual([200, expect.objectContaining({ ingested: 1, processedBytes: EVENT.length })])
  })

  test('headers and parameters decide how events are read', async () => {
    const labels = '{"env":"prod ü"}'
    const csv = await send(service, '02.01.2024|x\n', {
      dataset: 'options',
      type: 'text/csv',
      query: '?csv-delimiter=%7C&timestamp-field=at&timestamp-format=02.01.2006',
      headers: { 'x-axiom-csv-fields': 'at, b', 'x-axiom-event-labels': Buffer.from(labels).toString('latin1') },
    })
    expect(csv.body).toMatchObject({ ingested: 1, failures: [], processedBytes: 13 + Buffer.byteLength(labels) })
    const fields = await ask(service, 'GET', '/v2/datasets/options/fields')
    expect(fields.body).toMatchObject([
      { name: '_sysTime' },
      { name: '_time', type: 'datetime' },
      { name: 'b', type: 'string' },
      { name: 'env', type: 'string' },
    ])
  })
})

describe('refusals', () => {
  const zeros = Buffer.alloc(64 << 20, 0x20)
  test.each<[string, Buffer | string | undefined, object, number, string]>([
    [
      'a body that is not JSON',
      '[{"a":1},{"b":tru}]',
      {},
      400,
      "event 1 at byte 17 of the body: expected the word true, found '}'",
    ],
    ['a body that ends too early', '[{"a":1}', {}, 400, 'found the end of the body'],
    ['a number', '42', {}, 400, 'expected a JSON array of objects'],
    ['blanks', '  \n', {}, 400, 'holds no event'],
    ['no body', undefined, {}, 422, 'there is no body'],
    ['an empty body', '', {}, 422, 'there is no body'],
    ['another type', EVENT, { type: 'application/xml' }, 415, 'send application/json'],
    ['another charset', EVENT, { type: 'application/json; charset=latin1' }, 415, 'send UTF-8'],
    ['an unknown encoding', EVENT, { headers: { 'content-encoding': 'lzma' } }, 415, 'is not supported'],
    ['bytes that are not what the encoding says', EVENT, { headers: { 'content-encoding': 'gzip' } }, 400, 'not valid gzip'],
    ['a cut gzip', gzipSync(EVENT.repeat(9)).subarray(0, 20), { headers: { 'content-encoding': 'gzip' } }, 400, 'not valid gzip'],
    ['a gzip bomb', gzipSync(zeros), { headers: { 'content-encoding': 'gzip' } }, 413, 'at most 200 times'],
    ['a zstd bomb', zstdCompressSync(zeros), { headers: { 'content-encoding': 'zstd' } }, 413, 'at most 200 times'],
    ['an endless event', `[{"a":["${'x'.repeat(1_000_000)}"${',1'.repeat(20_000_000)}]}]`, {}, 413, 'event 0 has more than'],
    ['a name that is none', EVENT, { dataset: 'a_b' }, 400, 'name "a_b" in the path'],
    ['a layout that is none', EVENT, { query: '?timestamp-format=YYYY' }, 422, 'is not a Go time layout'],
    ['labels that are none', EVENT, { headers: { 'x-axiom-event-labels': '[1]' } }, 422, 'X-Axiom-Event-Labels cannot be used'],
    [
      'a delimiter of two characters',
      'a',
      { type: 'text/csv', query: '?csv-delimiter=ab' },
      422,
      'csv-delimiter must be one character',
    ],
  ])('%s', async (_, body, options, status, message) => {
    const from = performance.now()
    const answer = await send(service, body, { dataset: 'refused', ...options })
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)])
    expect(performance.now() - from).toBeLessThan(10_000)
    expect((await ask(service, 'GET', '/v2/datasets/refused')).status).toBe(404)
  })

  test('a client that goes away in the middle leaves nothing behind', async () => {
    const half = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('[{"a":1},'))
        setTimeout(() => controller.error(new Error('gone')), 100)
      },
    })
    await expect(send(service, half, { dataset: 'cut' })).rejects.toThrow()
    expect((await ask(service, 'GET', '/v2/datasets/cut')).status).toBe(404)
    expect((await send(service, EVENT, { dataset: 'cut' })).body.ingested).toBe(1)
  })
})

test('a key is answered once, with another body refused, and apart per dataset', async () => {
  const keyed = (body: string, dataset = 'keyed') => send(service, body, { dataset, headers: { 'idempotency-key': 'k-1' } })
  const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => keyed('[{"a":1},{"v":1e400}]')))
  for (const other of others) expect(other).toMatchObject({ status: 200, body: first?.body })
  expect(first?.body).toMatchObject({ ingested: 1, failed: 1 })
  expect(await keyed('[{"a":2}]')).toMatchObject({ status: 422, body: { message: expect.stringContaining('another body') } })
  expect(await keyed('[{"a":2}]', 'keyed-2')).toMatchObject({ status: 200 })
})

test('a token needs the permission, and any token may ask whose it is', async () => {
  await using other = await startService({ args: ['--strict-datasets'] })
  expect(await send({ ...other, url: other.url, token: 'xaat-wrong' }, EVENT)).toMatchObject({ status: 401 })
  expect(await send(other, EVENT)).toMatchObject({ status: 404, body: { message: 'dataset "web" not found' } })
  expect(await ask(other, 'POST', '/v1/datasets', { body: { name: 'web', description: 'd' } })).toMatchObject({
    status: 200,
    body: { id: 'web', name: 'web', kind: 'axiom:events:v1' },
  })
  expect(await send(other, EVENT)).toMatchObject({ status: 200 })
  expect(await ask(other, 'GET', '/v2/user')).toMatchObject({
    status: 200,
    body: { id: expect.any(String), name: expect.any(String) },
  })
  expect(await ask(other, 'GET', '/v2/user', { token: null })).toMatchObject({ status: 401 })
})

test('datasets are made, changed, trimmed and deleted, and stay so over a restart', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'datasets-'))
  await using kept = await startService({ dataDir: folder.path })
  const old = new Date(Date.now() - 40 * 86_400_000).toISOString()
  for (const root of ['/v1/datasets', '/v2/datasets']) {
    const name = `d-${root.slice(1, 3)}`
    expect(await ask(kept, 'POST', root, { body: { name } })).toMatchObject({ status: 200, body: { id: name, description: '' } })
    expect(await ask(kept, 'POST', root, { body: { name } })).toMatchObject({ status: 409, body: { code: 409 } })
    expect(await ask(kept, 'POST', root, { body: { name: 'a b' } })).toMatchObject({ status: 422 })
    expect(await ask(kept, 'PUT', `${root}/${name}`, { body: { description: 'new', retentionDays: 90 } })).toMatchObject({
      status: 200,
      body: { description: 'new', retentionDays: 90, useRetentionPeriod: true },
    })
    await send(kept, JSON.stringify([{ _time: old, n: 1 }, { n: 2 }]), { dataset: name })
    expect(await ask(kept, 'POST', `${root}/${name}/trim`, { body: { maxDuration: 'x' } })).toMatchObject({ status: 422 })
    expect(await ask(kept, 'POST', `${root}/${name}/trim`, { body: { maxDuration: '720h' } })).toMatchObject({ status: 200 })
    expect(await ask(kept, 'GET', `${root}/nope/fields`)).toMatchObject({ status: 404 })
  }
  await send(kept, EVENT, { dataset: 'gone' })
  expect((await ask(kept, 'DELETE', '/v2/datasets/gone')).status).toBe(204)
  expect(await ask(kept, 'DELETE', '/v2/datasets/gone')).toMatchObject({ status: 404 })
  await kept.stop()
  await using again = await startService({ dataDir: folder.path })
  expect(await ask(again, 'GET', '/v2/datasets')).toMatchObject({
    body: [
      { name: 'd-v1', description: 'new' },
      { name: 'd-v2', retentionDays: 90 },
    ],
  })
  expect(await ask(again, 'GET', '/v1/datasets/d-v2/fields')).toMatchObject({
    body: [{ name: '_sysTime' }, { name: '_time' }, { name: 'n', type: 'integer' }],
  })
  await again.stop()
  const stored = readStoredEvents(folder.path)
  expect(Object.entries(stored).map(([name, events]) => [name, events.map(({ data }) => data)])).toEqual([
    ['d-v1', ['{"n":2}']],
    ['d-v2', ['{"n":2}']],
  ])
})
