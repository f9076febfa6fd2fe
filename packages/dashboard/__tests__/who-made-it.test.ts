/** Who made an annotation: in the list, as a filter of it, and in the panel; names only for who may see them. */
import type { MadeToken } from '@deployment-annotations/contract/token'
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { namesIn } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const HOSTILE = '<img src=x onerror="document.title=1">, ci'
const READER = { name: 'reader', permissions: ['annotations|read'] }
const CI = { name: 'ci', permissions: ['annotations|create'] }
const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString()

const service = serviceForTests()
let reader: MadeToken
let ci: MadeToken
let anew: MadeToken
beforeAll(async () => {
  const token = (body: object) => send<MadeToken>(service, 'POST', '/v2/tokens', body)
  await ingest(service, 'shop', [{ _time: at(1), status: 200 }])
  reader = await token(READER)
  ci = await token(CI)
  const annotateAs = (by: Pick<MadeToken, 'token'>, title: string, hour: number) =>
    annotate({ ...service, token: by.token }, { datasets: ['shop'], type: 'deploy', time: at(hour), title })
  await annotateAs(ci, 'by ci', 1)
  const existingTokenExpiresAt = new Date(Date.now() + 3_600_000).toISOString()
  anew = await send<MadeToken>(service, 'POST', `/v2/tokens/${ci.id}/regenerate`, { existingTokenExpiresAt })
  await annotateAs(anew, 'by ci, made anew', 2)
  await annotateAs(service, 'by hand', 3)
  await annotateAs(await token({ ...CI, name: HOSTILE }), 'by an odd name', 4)
  const gone = await token({ ...CI, name: 'gone' })
  await annotateAs(gone, 'by one that is gone', 5)
  await send(service, 'DELETE', `/v2/tokens/${gone.id}`)
})

const titles = namesIn
const makers = (page: Page) => page.locator('td[data-label="Created by"]').allTextContents()
const find = (page: Page) => page.getByRole('searchbox')
const GONE = /^tok_[0-9a-f]{12}$/

testInBrowser('the list says who made each annotation, by name, and by id where there is none', async () => {
  await using page = await openPage(service, '/annotations?utc=true')
  await expectSoon(() => makers(page), [expect.stringMatching(GONE), HOSTILE, 'operator', 'ci', 'ci'])
  expect(await page.title()).toBe('Annotations · Annotations')
})

testInBrowser(
  'who made it finds it: a regenerated token is the same maker, and ids stand for names that one may not see',
  async () => {
    await using page = await openPage(service, '/annotations')
    await find(page).fill('anew ci')
    await expectSoon(() => titles(page), ['by ci, made anew'])
    await find(page).fill('onerror')
    await expectSoon(() => titles(page), ['by an odd name'])
    await using other = await openPage(service, '/annotations', { token: reader.token })
    await expectSoon(async () => (await makers(other)).slice(2), ['tok_operator', anew.id, ci.id])
    await find(other).fill(ci.id)
    await expectSoon(() => titles(other), ['by ci'])
  },
)

testInBrowser('the panel says who made the annotation, and when', async () => {
  await using page = await openPage(service, '/annotations?utc=true&text=hand')
  await page.getByRole('link', { name: 'by hand' }).click()
  const panel = page.getByRole('complementary')
  const fact = (name: string) => panel.locator(`dt:text-is("${name}") + dd`)
  await expectSoon(() => fact('Created by').textContent(), 'operator')
  await expectSoon(() => fact('Created by').getAttribute('title'), 'tok_operator')
  await expectSoon(
    async () =>
      Math.abs(Date.parse((await fact('Created at').locator('time').getAttribute('datetime')) ?? '') - Date.now()) < 600_000,
    true,
  )
})

testInBrowser('names that cannot be read are said to be missing, and ids stand for them', async () => {
  await using page = await openPage(service, '/', { expectedErrors: /500/ })
  await page.route('**/v2/monitors', (route) => route.fulfill({ status: 500, json: { code: 500, message: 'no monitors today' } }))
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Annotations', exact: true }).click()
  await page.getByText('no monitors today').waitFor()
  await expectSoon(async () => (await makers(page)).slice(2), ['tok_operator', anew.id, ci.id])
})
