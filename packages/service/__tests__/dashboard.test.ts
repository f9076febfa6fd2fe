/** How the service serves the dashboard: what a browser is told about the page, and what it cannot be asked for. */
import { expect, test } from '@jest/globals'
import { folderForTests, serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { readCases } from './cases.ts'
import { startWithoutStore } from './in-process.ts'

const CASES = readCases<{ headers: object; notServed: string[] }>(import.meta.url)
const service = serviceForTests()
const empty = folderForTests('no-page')

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })

test.each(['/', '/monitors', '/tokens', '/?datasets=web'])('%s is the page, under a strict policy', async (path) => {
  const answer = await get(path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(Object.fromEntries(answer.headers)).toMatchObject(CASES.headers)
  expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style|style=|http/)
})

test.each([
  ['range', 'bytes=99999999-'],
  ['if-match', '"another"'],
  ['if-unmodified-since', 'Mon, 01 Jan 2001 00:00:00 GMT'],
])('%s is nothing that the page knows: the whole file is answered', async (name, value) => {
  const answer = await get('/', { [name]: value })
  expect([answer.status, await answer.text()]).toEqual([200, await (await get('/')).text()])
})

test('scripts and styles may be cached forever, because their names change with them', async () => {
  const page = await (await get('/')).text()
  for (const [, path = ''] of page.matchAll(/(?:src|href)="(\/assets\/main-[^"]+)"/g)) {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await get('/assets/icon.svg')).headers.get('content-type')).toMatch('image/svg+xml')
})

test('a page that did not change is not sent again', async () => {
  const etag = (await get('/')).headers.get('etag') ?? ''
  expect((await get('/', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304)
})

test.each(CASES.notServed)('%s is not served', async (path) => {
  const answer = await get(path)
  expect([400, 404]).toContain(answer.status)
  expect(await answer.json()).toMatchObject({ code: answer.status, message: expect.any(String) })
})

test('the answers of the interface are not guessed at either', async () => {
  expect((await get('/v2/annotations')).headers.get('x-content-type-options')).toBe('nosniff')
})

test('a service whose page is not built says how it is', async () => {
  await using server = await startWithoutStore({ dashboardDir: empty })
  const answer = await fetch(server.url)
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { code: 503, message: 'the dashboard is not built: run `npm run build -- dashboard`' },
  ])
})
