/**
 * Pages of the list of annotations: which part is answered, and the link to the rest.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { createClient } from '../../client/src/index.ts'
import { ask, created, list } from './http.ts'

const service = serviceForTests()
beforeAll(async () => {
  for (let i = 0; i < 7; i++) {
    // Two at a time have one time.
    await created(service, { datasets: ['paged'], title: `${i}`, time: `2026-01-01T00:0${i >> 1}:00Z` })
    await created(service, { datasets: ['other'], time: `2026-01-01T00:0${i >> 1}:00Z` })
  }
})

const titlesOf = (page: readonly Annotation[]) => page.map(({ title }) => title)

/** Follows the links from page to page, as any program that knows them does. */
async function walk(query: string): Promise<(string | undefined)[][]> {
  const pages: (string | undefined)[][] = []
  for (let at: string | undefined = query; at !== undefined; ) {
    const { status, body, headers } = await list(service, at)
    if (status !== 200) throw new Error(`${at} answered ${status} ${body.message}`)
    pages.push(titlesOf(body))
    at = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return pages
}

test('links lead through all pages, each annotation once, in either order', async () => {
  const whole = titlesOf((await list(service, '?datasets=paged')).body)
  const ascending = await walk('?datasets=paged&pageSize=3')
  expect(ascending.map((page) => page.length)).toEqual([3, 3, 1])
  expect(ascending.flat()).toEqual(whole)
  expect((await walk('?datasets=paged&pageSize=2&order=desc')).flat()).toEqual(whole.toReversed())
  expect(await walk('?datasets=paged&pageSize=7')).toEqual([whole])
  // An offset with a plus, as some clients write it, is still one on the second page.
  const from = '2026-01-01T02:01:00+02:00'
  expect((await walk(`?datasets=paged&pageSize=1&start=${encodeURIComponent(from)}`)).flat()).toEqual(whole.slice(2))
  expect((await walk(`?datasets=paged&pageSize=1&start=${from}`)).flat()).toEqual(whole.slice(2))
})

test('without a limit the list is whole, and has no link', async () => {
  const { body, headers } = await list(service, '?datasets=paged')
  expect([body.length, headers.get('link')]).toEqual([7, null])
})

test.each([
  ['pageSize=0', 422, 'pageSize must be a number from 1 to 10000, got "0"'],
  ['pageSize=10001', 422, 'pageSize must be'],
  ['pageSize=many', 422, 'pageSize must be'],
  ['order=up', 422, 'order must be one of asc, desc, got "up"'],
  ['pageCursor=nowhere', 400, 'pageCursor must be one that a list gave, got "nowhere"'],
])('what cannot be a page is refused: %s', async (query, status, message) => {
  const answer = await list(service, `?${query}`)
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)])
})

test('a cursor beyond all times is the end of the list', async () => {
  expect((await list(service, '?pageCursor=9999999999999999999.ann_x&pageSize=2')).body).toEqual([])
  expect((await list(service, '?pageCursor=-9999999999999999999.ann_x&pageSize=2')).body).toHaveLength(2)
})

test('the client reads page by page, and no more than are wanted', async () => {
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const pages: (string | undefined)[][] = []
  for await (const page of client.annotations.pages({ datasets: ['paged'] }, { pageSize: 3, order: 'desc' }))
    pages.push(titlesOf(page))
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
  expect(pages[2]).toEqual(titlesOf((await list(service, '?datasets=paged')).body).slice(0, 1))
  for await (const page of client.annotations.pages({ datasets: ['paged'] }, { pageSize: 2 })) {
    expect(page).toHaveLength(2)
    break
  }
})

test("Grafana's door answers the latest, whatever their number and tags", async () => {
  const texts = async (query: string) =>
    (await ask<{ text: string }[]>(service, 'GET', `/api/annotations?${query}`)).body.map(({ text }) => text)
  const whole = titlesOf((await list(service, '?datasets=paged')).body).toReversed()
  expect(await texts('tags=paged')).toEqual(whole)
  expect(await texts('tags=paged&limit=3')).toEqual(whole.slice(0, 3))
  expect(await texts('limit=5')).toHaveLength(5)
})
