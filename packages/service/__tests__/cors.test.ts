/** What pages of other origins may send from a browser: by the headers, and in Chromium by a page that another service served. */
import { expect, test } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { disposedAfterTests, serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { readCases } from './cases.ts'
import { countEvents } from './query/ask.ts'

const other = serviceForTests()
const service = disposedAfterTests(() => startService({ args: ['--cors-origins', `https://app.example.com, ${other.url}`] }))

async function askFrom(of: { url: string }, origin: string, call: string) {
  const [method = '', path = ''] = call.split(' ')
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,x-any' }
  const { status, headers } = await fetch(of.url + path, { method, headers: asked })
  return [status, Object.fromEntries([...headers].filter(([name]) => /^access-control|^vary$/.test(name)))]
}

const CASES = readCases<[origin: string, call: string, status: number, headers: Record<string, string>][]>(import.meta.url)

test.each(CASES)('%s asks %s: %i', async (of, call, status, headers) => {
  const origin = of === 'page' ? other.url : of
  const named = 'access-control-expose-headers' in headers && { 'access-control-allow-origin': origin }
  expect(await askFrom(service, origin, call)).toEqual([status, { ...headers, ...named }])
})

test('by default no page of another origin is answered, and with a star every one is', async () => {
  expect(await askFrom(other, 'https://app.example.com', 'OPTIONS /v1/traces')).toEqual([405, {}])
  await using all = await startService({ args: ['--cors-origins', '*'] })
  expect((await askFrom(all, 'https://any.example', 'OPTIONS /v1/traces'))[0]).toBe(204)
})

testInBrowser('a page sends events, spans and annotations, reads what came of them, and queries nothing', async () => {
  const expectedErrors = /CORS policy|ERR_FAILED|422|404/
  await using page = await openPage(other, '/livez', { token: null, alsoAsks: service.url, expectedErrors })
  const send = (path: string, body: object, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', ...more }
    const ask = async ([url, init]: readonly [string, RequestInit]) =>
      fetch(url, init).then(({ status, headers: of }) => ({ status, ...Object.fromEntries(of) }), String)
    return page.evaluate(ask, [
      service.url + path,
      { method: 'POST', body: JSON.stringify(body), headers, keepalive: true },
    ] as const)
  }
  expect(await send('/v1/datasets/web/ingest', [{ a: 1 }])).toMatchObject({ status: 200, 'x-axiom-trace-id': expect.anything() })
  const spans = { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'click' }] }] }] }
  expect(await send('/v1/traces', spans, { 'x-axiom-dataset': 'web' })).toMatchObject({ status: 200 })
  expect(await countEvents(service, 'web')).toBe(2)
  const long = { title: 'x'.repeat(256), description: 'y'.repeat(512), url: `https://x.example/${'z'.repeat(300)}` }
  const made = await send('/v2/annotations', { datasets: ['web'], type: 'deploy', ...long }, { 'annotation-key': 'page' })
  expect(made).toMatchObject({ status: 201, 'annotation-key': 'page', vary: 'origin, accept-encoding' })
  expect(await send('/v2/annotations', {})).toMatchObject({ status: 422 })
  expect(await send('/v1/datasets/_apl?format=tabular', { apl: 'web | count' })).toMatch(/Failed to fetch/)
})
