/**
 * What shippers send that cannot be installed here, as their documentation and sources have it: each from what it asks first to its events.
 */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { apl } from '../query/ask.ts'

const service = serviceForTests()

const BULK = '{"create":{"_index":"shipped"}}\n{"@timestamp":"2026-11-20T10:00:00.123Z","message":"hello"}\n'
const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'
const LOG = { message: 'hello', host: { name: 'h' } }

interface Request {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const basic = () => ({ authorization: `Basic ${base64(`any:${service.token}`)}` })
const apiKey = () => ({ authorization: `ApiKey ${base64(`any:${service.token}`)}` })
const bearer = () => ({ authorization: `Bearer ${service.token}` })

const FILTER = 'filter_path=errors,items.*.error,items.*.status'
const SHIPPERS: Record<string, { credentials: () => Record<string, string>; requests: (dataset: string) => Request[] }> = {
  filebeat: {
    credentials: apiKey,
    requests: (dataset) => [
      { method: 'GET', path: `/v1/ingest/${dataset}/elastic/` },
      { method: 'GET', path: `/v1/ingest/${dataset}/elastic/_license?human=false` },
      {
        method: 'POST',
        path: `/v1/ingest/${dataset}/elastic/_bulk?${FILTER}`,
        headers: { 'content-type': `${JSON_TYPE}; charset=UTF-8`, 'content-encoding': 'gzip' },
        body: gzipSync(BULK.replace('shipped', 'filebeat-8.12.1')),
      },
    ],
  },
  logstash: {
    credentials: basic,
    requests: (dataset) => [
      { method: 'HEAD', path: `/v1/ingest/${dataset}/elastic/` },
      { method: 'GET', path: `/v1/ingest/${dataset}/elastic/_license` },
      {
        method: 'POST',
        path: `/v1/ingest/${dataset}/elastic/_bulk?${FILTER}`,
        headers: { 'content-type': JSON_TYPE },
        body: BULK.replace('{"create":{', '{"create":{"routing":null,'),
      },
    ],
  },
  fluentd: {
    credentials: basic,
    requests: (dataset) => [
      { method: 'GET', path: '/' },
      {
        method: 'POST',
        path: '/_bulk',
        headers: { 'content-type': NDJSON },
        body: BULK.replace('create', 'index').replace('shipped', dataset),
      },
    ],
  },
  'fluent-bit-es': {
    credentials: basic,
    requests: (dataset) => [
      {
        method: 'POST',
        path: `/v1/ingest/${dataset}/elastic/_bulk`,
        headers: { 'content-type': NDJSON },
        body: BULK,
      },
    ],
  },
  'fluent-bit': {
    credentials: bearer,
    requests: (dataset) => [
      {
        method: 'POST',
        path: `/v1/ingest/${dataset}`,
        headers: { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' },
        body: gzipSync(JSON.stringify([{ _time: '2026-11-20T10:00:00.123000Z', ...LOG }])),
      },
    ],
  },
  vector: {
    credentials: bearer,
    requests: (dataset) => [
      {
        method: 'POST',
        path: `/v1/ingest/${dataset}?timestamp-field=timestamp`,
        headers: { 'content-type': JSON_TYPE, 'content-encoding': 'zstd' },
        body: zstdCompressSync(JSON.stringify([{ ...LOG, timestamp: '2026-11-20T10:00:00.123Z' }])),
      },
    ],
  },
  'vector-elasticsearch': {
    credentials: basic,
    requests: (dataset) => [
      { method: 'GET', path: `/v1/ingest/${dataset}/elastic/_cluster/health` },
      {
        method: 'POST',
        path: `/v1/ingest/${dataset}/elastic/_bulk?timeout=60s`,
        headers: { 'content-type': NDJSON },
        body: BULK,
      },
    ],
  },
}

test.each(Object.keys(SHIPPERS))('%s is answered what it asks first, and its event arrives with its time', async (name) => {
  const { credentials, requests } = SHIPPERS[name] as (typeof SHIPPERS)[string]
  for (const { method, path, headers, body } of requests(name)) {
    const response = await fetch(service.url + path, {
      method,
      headers: { 'user-agent': name, ...credentials(), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
    const text = await response.text()
    expect([method, path, response.status, text.includes('"errors":true')]).toEqual([method, path, 200, false])
  }
  const { matches } = (await apl(service, `['${name}']`, {}, 'legacy')).body
  expect(matches).toMatchObject([{ _time: '2026-11-20T10:00:00.123Z', data: { message: 'hello' } }])
})
