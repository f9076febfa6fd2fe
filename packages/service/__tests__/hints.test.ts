/** What an answer about one annotation says in headers, for who reads a log. */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ask, change, create, tokenWith } from './http.ts'

const service = serviceForTests()
beforeAll(async () => {
  await ask(service, 'POST', '/v2/datasets', { body: { name: 'web' } })
})

const warningOf = async (members: object, token?: string) =>
  (await create(service, members, token === undefined ? {} : { token })).headers.get('annotation-warning')

test('a dataset that does not exist is named, with the nearest that does', async () => {
  expect(await warningOf({ datasets: ['wbe'] })).toBe('there is no dataset "wbe": did you mean "web"?')
  expect(await warningOf({ datasets: ['web', 'payments'] })).toBe('the dataset "payments" does not exist yet')
  expect(await warningOf({ datasets: ['orders', 'carts', 'wbe'] })).toBe(
    'the datasets "orders" and "carts" do not exist yet; there is no dataset "wbe": did you mean "web"?',
  )
})

test('that a dataset is not there yet is said once, and a name that looks misspelled each time', async () => {
  const warnings = []
  for (let mark = 0; mark < 2; mark++) warnings.push(await warningOf({ datasets: ['queue', 'wbe'] }))
  const hint = 'there is no dataset "wbe": did you mean "web"?'
  expect(warnings).toEqual([`the dataset "queue" does not exist yet; ${hint}`, hint])
})

test('of many that do not exist a few are named', async () => {
  const datasets = Array.from({ length: 8 }, (_, n) => `missing-${n}-of-them`)
  expect(await warningOf({ datasets })).toMatch(
    /^the datasets ("missing-\d-of-them", ){3}"missing-\d-of-them" and "missing-\d-of-them" do not exist yet; and 3 more$/,
  )
})

test('where all exist nothing is said', async () => {
  expect(await warningOf({ datasets: ['web'] })).toBeNull()
})

test('who may not list datasets is not told which there are', async () => {
  expect(await warningOf({ datasets: ['wbe'] }, await tokenWith(service, ['annotations|create']))).toBeNull()
})

test('creates and changes link to the page that shows the annotation', async () => {
  const span = { time: '2026-01-01T12:00:00Z', endTime: '2026-01-01T13:00:00Z' }
  const created = await create(service, { datasets: ['web', 'api'], ...span })
  const changed = await change(service, created.body.id, { title: 'Release' })
  const linkOf = (answer: { headers: Headers }) =>
    /^<(.*)>; rel="alternate"; type="text\/html"$/.exec(answer.headers.get('link') ?? '')?.[1]
  const search = `?datasets=web,api&startTime=2026-01-01T11:00:00.000Z&endTime=2026-01-01T14:00:00.000Z&annotations=${created.body.id}`
  // Relative, so that it is right behind a proxy that serves all of this below a path.
  expect(new URL(linkOf(created) ?? '', 'https://example.org/marks/v2/annotations').href).toBe(
    `https://example.org/marks/${search}`,
  )
  expect(new URL(linkOf(changed) ?? '', `https://example.org/v2/annotations/${created.body.id}`).href).toBe(
    `https://example.org/${search}`,
  )
})
