import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ask, tokenWith } from '../http.ts'
import { apl } from '../query/ask.ts'

const CASES = readCases<{ mixed: { lines: (object | string)[]; answer: unknown[] }[] }>(import.meta.url)

const service = serviceForTests()

const NDJSON = { 'content-type': 'application/x-ndjson' }
const basic = (secret: string) => `Basic ${Buffer.from(`shipper:${secret}`).toString('base64')}`

interface BulkAnswer {
  took: number
  errors: boolean
  items: Record<string, { _index?: string; _id?: string; status: number; error?: { type: string; reason: string } }>[]
  error?: { type: string; reason: string }
  status?: number
}

const lines = (...values: (object | string)[]) =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('')

function bulk(path: string, body: string, headers: Record<string, string> = {}, method = 'POST') {
  return ask<BulkAnswer>(service, method, path, { body, headers: { ...NDJSON, ...headers } })
}

const matchesOf = async (dataset: string) => (await apl(service, dataset, {}, 'legacy')).body.matches

describe('a bulk request', () => {
  test('stores documents under the path of a dataset, whatever index they name, with the time of @timestamp or timestamp', async () => {
    const body = lines(
      { index: { _index: 'my.index-2026.11', _id: '1' } },
      { '@timestamp': '2026-11-20T10:00:00.000000001Z', message: 'one' },
      { create: {} },
      { timestamp: '2026-11-20T10:00:01Z', message: 'two', n: 0 },
    ).replace('"n":0', '"n":9007199254740993')
    const answer = await bulk('/v1/ingest/shop/elastic/_bulk', body)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        errors: false,
        items: [{ index: { _index: 'my.index-2026.11', _id: '1', status: 201 } }, { create: { status: 201 } }],
      },
    })
    expect(answer.headers.get('x-elastic-product')).toBe('Elasticsearch')
    expect(await matchesOf('shop | sort by _time asc')).toMatchObject([
      { _time: '2026-11-20T10:00:00.000000001Z', data: { message: 'one', _id: '1' } },
      { _time: '2026-11-20T10:00:01Z', data: { message: 'two', n: 9007199254740993n } },
    ])
  })

  test('at the root takes an index for a dataset, by PUT as well, and one in the path for items without', async () => {
    const body = lines(
      { index: { _index: 'first' } },
      { a: 1 },
      { index: { _index: 'second' } },
      { a: 2 },
      { index: {} },
      { a: 3 },
    )
    expect((await bulk('/third/_bulk', body, {}, 'PUT')).body).toMatchObject({ errors: false, items: [{}, {}, {}] })
    for (const [name, a] of [
      ['first', 1],
      ['second', 2],
      ['third', 3],
    ]) {
      expect((await matchesOf(String(name))).map(({ data }) => data.a)).toEqual([a])
    }
  })

  test('answers each item by itself: what cannot be stored has a reason, and the rest is stored', async () => {
    const body = lines(...CASES.mixed.flatMap((item) => item.lines))
    const { status, body: answer } = await bulk('/_bulk', body)
    const outcomes = answer.items.map((item) =>
      Object.entries(item).flatMap(([action, it]) => [action, it.status, ...(it.error ? [it.error.type] : [])]),
    )
    expect([status, answer.errors, outcomes]).toEqual([200, true, CASES.mixed.map((item) => item.answer)])
    expect(answer.items[1]?.create?.error?.reason).toBe('the number 1e400 is larger than a 64-bit float; send it as a string')
    expect((await matchesOf('mixed')).map(({ data }) => data.n).sort()).toEqual([1, 6])
  })

  test.each([
    ['a line that is no action', lines({ a: 1 }, { b: 2 }), /^line 1: expected an action/],
    ['an action without its document', lines({ create: { _index: 'x' } }), /^line 1: the action create has no document/],
  ])('with %s is refused whole', async (_, body, reason) => {
    const { status, body: answer } = await bulk('/_bulk', body)
    expect([status, answer.status, answer.error?.reason]).toEqual([400, 400, expect.stringMatching(reason)])
  })

  test('is taken compressed, and stored once where it repeats its Idempotency-Key', async () => {
    const body = gzipSync(lines({ create: {} }, { a: 1 }))
    for (let i = 0; i < 2; i++) {
      const response = await fetch(`${service.url}/v1/ingest/packed/elastic/_bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.token}`, 'content-encoding': 'gzip', 'idempotency-key': 'k' },
        body,
      })
      expect(response.status).toBe(200)
    }
    expect(await matchesOf('packed')).toHaveLength(1)
  })

  test('with a key that is none is refused whole, whether anything in it could be stored or not', async () => {
    for (const body of [lines({ delete: {} }), lines({ create: {} }, { a: 1 })]) {
      const answer = await bulk('/v1/ingest/keyed/elastic/_bulk', body, { 'idempotency-key': 'k'.repeat(300) })
      expect([answer.status, answer.body.error?.reason]).toEqual([400, expect.stringContaining('Idempotency-Key')])
    }
  })

  test('of too many items is refused', async () => {
    const { status, body } = await bulk('/v1/ingest/lots/elastic/_bulk', '{"create":{}}\n{}\n'.repeat(200_001))
    expect([status, body.error?.reason]).toEqual([413, expect.stringMatching(/more than 50000 items/)])
  })

  test('of more items than failures are listed has an answer for each', async () => {
    const body = Array.from({ length: 10_050 }, (_, n) => `{"create":{}}\n${n % 2 === 0 ? '{"n":1e400}' : `{"n":${n}}`}\n`).join(
      '',
    )
    const { body: answer } = await bulk('/v1/ingest/lots/elastic/_bulk', body)
    const statuses = answer.items.map(({ create }) => create?.status)
    expect(statuses).toHaveLength(10_050)
    expect(statuses.every((status, n) => status === (n % 2 === 0 ? 400 : 201))).toBe(true)
  })
})

describe('a single document', () => {
  const send = (method: string, path: string, body: string) => ask<Record<string, unknown>>(service, method, path, { body })

  test('is stored, over several lines as well, with its id where the path has one', async () => {
    const answer = await send('POST', '/single/_doc', '{\n  "@timestamp": "2026-11-20T10:00:00Z",\r\n  "n": 9007199254740993\n}')
    expect(answer).toMatchObject({ status: 201, body: { _index: 'single', result: 'created', _id: expect.any(String) } })
    expect(await send('PUT', '/single/_create/7', '{"n":1}')).toMatchObject({ status: 201, body: { _id: '7' } })
    expect(await send('PUT', '/v1/ingest/single/elastic/some.index/_doc/8', '{"n":2}')).toMatchObject({ status: 201 })
    // As rsyslog sends, whose documents are of the type `events` unless told otherwise.
    expect(await send('POST', '/v1/ingest/single/elastic/system/events', '{"n":3}')).toMatchObject({ status: 201 })
    const stored = (await matchesOf('single | sort by n asc')).map(({ data }) => data)
    expect(stored).toMatchObject([{ n: 1, _id: '7' }, { n: 2, _id: '8' }, { n: 3 }, { n: 9007199254740993n }])
  })

  test('that is none is refused with its reason', async () => {
    const refused = await send('POST', '/single/_doc', '[1]')
    expect(refused).toMatchObject({ status: 400, body: { error: { reason: expect.stringMatching(/not a JSON object/) } } })
    expect((await send('POST', '/no.dataset/_doc', '{}')).status).toBe(400)
  })
})

test('templates, lifecycles and data streams are acknowledged, with a warning that they have no effect', async () => {
  for (const path of [
    '/_template/telegraf',
    '/v1/ingest/shop/elastic/_index_template/filebeat',
    '/_ilm/policy/beats',
    '/v1/ingest/shop/elastic/_data_stream/filebeat-8.17.0',
  ]) {
    const answer = await ask(service, 'PUT', path, { body: '{"mappings":{}}' })
    expect([answer.status, answer.body]).toEqual([200, { acknowledged: true }])
    expect(answer.headers.get('warning')).toMatch(/^299 Elasticsearch-\S+ "templates and lifecycles have no effect here/)
  }
})

describe('credentials', () => {
  const send = (authorization: string, path = '/v1/ingest/creds/elastic/_bulk') =>
    bulk(path, lines({ create: {} }, { a: 1 }), { authorization })

  test('the token may come as a password, or as the second part of an API key', async () => {
    const apiKey = `ApiKey ${Buffer.from(`axiom:${service.token}`).toString('base64')}`
    for (const authorization of [basic(service.token), apiKey]) expect((await send(authorization)).status).toBe(200)
  })

  test('it still needs the permission to ingest', async () => {
    const answer = await send(basic(await tokenWith(service, ['query|read'])))
    expect([answer.status, answer.body.error?.type]).toEqual([403, 'security_exception'])
  })

  test('a wrong one, and none, are refused without asking a browser for a password', async () => {
    for (const authorization of [basic('xapt-ffffffffffffffffffffffffffffffff'), 'Basic ?', '']) {
      const { status, headers } = await send(authorization)
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)])
    }
  })

  test('no other endpoint takes a password', async () => {
    const headers = { authorization: basic(service.token) }
    for (const path of ['/v2/user', '/v2/annotations', '/v2/tokens']) {
      expect((await ask(service, 'GET', path, { headers })).status).toBe(401)
    }
    expect((await ask(service, 'POST', '/v1/ingest/creds', { body: [{}], headers })).status).toBe(401)
  })
})

describe('what clients ask first', () => {
  test.each(['', '/v1/ingest/shop/elastic'])('is answered below "%s"', async (base) => {
    const headers = { authorization: basic(service.token) }
    const get = (path: string) => ask<Record<string, unknown>>(service, 'GET', base + path, { headers })
    for (const path of base === '' ? ['/'] : ['', '/']) {
      expect((await get(path)).body).toMatchObject({ version: { number: expect.stringMatching(/^8\./) } })
      const head = await fetch(service.url + base + path, { method: 'HEAD', headers })
      expect([head.status, head.headers.get('x-elastic-product')]).toEqual([200, 'Elasticsearch'])
    }
    expect((await get('/_license')).body).toMatchObject({ license: { type: 'basic', status: 'active' } })
    expect((await get('/_xpack')).body).toMatchObject({ license: { status: 'active' } })
    expect((await get('/_cluster/health')).body).toMatchObject({ status: 'green' })
    expect((await get('/_cat/health')).status).toBe(200)
    expect((await get('/_index_template/filebeat')).status).toBe(404)
  })

  test('at the root a browser gets the page, and so does who has no token', async () => {
    const page = await ask(service, 'GET', '/', { headers: { accept: 'text/html,*/*' } })
    const stranger = await ask(service, 'GET', '/', { token: null })
    for (const { headers } of [page, stranger]) expect(headers.get('content-type')).toMatch(/^text\/html/)
  })
})
