/** What pages of other origins may send from a browser, and what they may not: by the headers, and by Chromium. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { type Listening, listen } from '../../../__tests__/support/listen.ts'
import { type RunningService, startService } from '../../../__tests__/support/service.ts'
import { ask } from './http.ts'
import { countEvents } from './query/ask.ts'

const pages = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>'),
)
let [origin, listening] = ['', undefined as Listening | undefined]
let service: RunningService
beforeAll(async () => {
  listening = await listen(pages)
  origin = listening.url
  service = await startService({ args: ['--cors-origins', `https://app.example.com, ${origin}`] })
})
afterAll(async () => {
  await listening?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const preflight = async (to: { url: string }, path: string, from: string, wanted: Record<string, string> = {}) => {
  const headers = { origin: from, 'access-control-request-method': 'POST', ...wanted }
  return fetch(to.url + path, { method: 'OPTIONS', headers })
}
const SENT = [
  '/v1/datasets/web/ingest',
  '/v1/ingest/web',
  '/v1/traces',
  '/v1/logs',
  '/v1/metrics',
  '/v2/annotations',
  '/v2/annotations/ann_x?include=all',
]
const OTHERS = [
  '/v1/datasets',
  '/v1/datasets/_apl?format=tabular',
  '/v2/tokens',
  '/v2/user',
  '/_bulk',
  '/api/annotations',
  '/',
  '/v2/annotationsx',
]

test('a preflight is answered for the origins that are named, and where pages send', async () => {
  for (const path of SENT) {
    const { status, headers } = await preflight(service, path, origin, {
      'access-control-request-headers': 'authorization,x-any',
    })
    expect([path, status, Object.fromEntries([...headers].filter(([name]) => /^access-control|^vary/.test(name)))]).toEqual([
      path,
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': 'authorization,x-any',
        'access-control-expose-headers': '*',
        'access-control-max-age': '7200',
        vary: 'origin',
      },
    ])
  }
  const shown = async (path: string, from: string) =>
    (await preflight(service, path, from)).headers.get('access-control-allow-origin')
  for (const path of OTHERS) expect([path, await shown(path, origin)]).toEqual([path, null])
  for (const other of ['null', 'https://evil.example', 'http://app.example.com', `${origin}.evil.example`])
    expect([other, await shown('/v1/traces', other)]).toEqual([other, null])
  expect(await shown('/v1/traces', 'https://app.example.com')).toBe('https://app.example.com')
})

test('errors can be read by pages too, and answers depend on the origin for every cache', async () => {
  const list = await fetch(`${service.url}/v2/annotations`, { headers: { origin } })
  expect([list.status, list.headers.get('access-control-allow-origin'), list.headers.get('vary')]).toEqual([
    401,
    origin,
    'origin',
  ])
  const long = { headers: { origin, 'accept-encoding': 'gzip', authorization: `Bearer ${service.token}` } }
  for (let n = 0; n < 20; n++)
    await ask(service, 'POST', '/v2/annotations', { body: { datasets: ['long'], type: 'deploy', title: 'x'.repeat(99) } })
  expect((await fetch(`${service.url}/v2/annotations?datasets=long`, long)).headers.get('vary')).toBe('origin, accept-encoding')
  expect((await fetch(`${service.url}/v2/annotations`)).headers.get('vary')).toBe('origin')
})

test('by default no page of another origin is answered, and with a star every one is', async () => {
  await using none = await startService()
  const refused = await preflight(none, '/v1/traces', origin)
  expect([refused.status, refused.headers.get('access-control-allow-origin'), refused.headers.get('vary')]).toEqual([
    405,
    null,
    null,
  ])
  await using all = await startService({ args: ['--cors-origins', '*'] })
  expect((await preflight(all, '/v1/traces', origin)).headers.get('access-control-allow-origin')).toBe(origin)
})

testInBrowser(
  'a page of another origin sends events, spans and annotations, reads what came of them, and queries nothing',
  async () => {
    await using page = await openPage({ ...service, url: origin }, '/', {
      token: null,
      alsoAsks: service.url,
      expectedErrors: /CORS policy|ERR_FAILED|422/,
    })
    const send = (path: string, body: unknown, more: Record<string, string> = {}) =>
      page.evaluate(
        async ([url, text, headers]) => {
          try {
            const answer = await fetch(url, { method: 'POST', body: text, headers, keepalive: true })
            return [answer.status, Object.keys(Object.fromEntries(answer.headers))] as [number, string[]]
          } catch (error) {
            return String(error)
          }
        },
        [
          service.url + path,
          JSON.stringify(body),
          { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', ...more },
        ] as const,
      )
    expect(await send('/v1/datasets/web/ingest', [{ a: 1 }])).toEqual([200, expect.arrayContaining(['x-axiom-trace-id'])])
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'click' }] }] }] }
    expect(await send('/v1/traces', spans, { 'x-axiom-dataset': 'web' })).toMatchObject([200, expect.anything()])
    const mark = { datasets: ['web'], type: 'deploy' }
    expect(await send('/v2/annotations', mark, { 'annotation-key': 'page' })).toEqual([
      201,
      expect.arrayContaining(['annotation-key', 'link']),
    ])
    expect(await send('/v2/annotations', {})).toMatchObject([422, expect.anything()])
    expect(await countEvents(service, 'web')).toBe(2)
    expect(await send('/v1/datasets/_apl?format=tabular', { apl: 'web | count' })).toMatch(/Failed to fetch/)
  },
)
