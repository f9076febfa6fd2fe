/** What a token that names datasets is offered: no button that the service would refuse. */
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { markMiddle } from './support/charts.ts'
import { savedViews } from './support/menus.ts'
import { NEW_YEAR } from './support/times.ts'

const CRUD = ['create', 'read', 'update', 'delete']
const time = '2026-01-01T12:00:00Z'

const service = serviceForTests()
let token: string
beforeAll(async () => {
  for (const name of ['web', 'api', 'jobs']) await ingest(service, name, [{ _time: time, status: 200 }])
  await annotate(service, { datasets: ['web'], type: 'deploy', time, title: 'Of web' })
  await annotate(service, { datasets: ['web', 'api'], type: 'deploy', time: '2026-01-01T18:00:00Z', title: 'Of both' })
  const made = await send<{ token: string }>(service, 'POST', '/v2/tokens', {
    name: 'of web',
    datasetCapabilities: { web: { query: ['read'], trim: ['update'] }, jobs: { ingest: ['create'] } },
    orgCapabilities: { annotations: CRUD, datasets: CRUD, views: CRUD },
  })
  token = made.token
})

const buttons = (page: OpenPage, scope: string) => page.locator(scope).getByRole('button')
const signedIn = (page: OpenPage) => page.locator('header.top summary', { hasText: 'of web' }).waitFor()

testInBrowser('an annotation is changed only by who reaches all of its datasets', async () => {
  await using page = await openPage(service, '/annotations', { token })
  await signedIn(page)
  const row = (title: string) => page.getByRole('row').filter({ hasText: title })
  await row('Of web').locator('summary').waitFor()
  expect(await row('Of both').locator('summary').count()).toBe(0)
  await page.getByRole('link', { name: 'Of both' }).click()
  const panel = page.getByRole('complementary')
  await panel.getByRole('heading', { name: 'Of both' }).waitFor()
  expect(await buttons(page, '.panel-actions').count()).toBe(0)
})

testInBrowser(
  'charts are of the datasets that it reaches, and what is on the page is saved and marked by who reaches all of it',
  async () => {
    await using page = await openPage(service, `/?${NEW_YEAR}`, { token, expectedErrors: /403/ })
    // Before it knows whose token it has, the page asks for more than that may read.
    await signedIn(page)
    await page.locator('figcaption').getByText('1 event').waitFor()
    await page.locator('.services').getByRole('button', { name: 'jobs', exact: true }).click()
    await page.getByRole('group', { name: /^Chart of jobs/ }).waitFor()
    await page.getByText('may see annotations, but not events').waitFor()
    expect(await page.getByRole('group', { name: /^Chart of api/ }).count()).toBe(0)
    await page.goto(`${service.url}/?filters=n+%3D%3D+1&${NEW_YEAR}&datasets=web,api`)
    await signedIn(page)
    await markMiddle(page, 'api')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await markMiddle(page, 'web')
    await page.getByRole('dialog', { name: 'New annotation' }).waitFor()
    await page.keyboard.press('Escape')
    await savedViews(page).locator('summary').click()
    await savedViews(page).getByRole('link', { name: 'All saved views' }).waitFor()
    expect(await buttons(page, '.saved-views').count()).toBe(0)
  },
)

testInBrowser('events are trimmed where the token may trim', async () => {
  await using page = await openPage(service, '/datasets', { token })
  await signedIn(page)
  const menu = (name: string) => page.locator('details', { hasText: `Actions on ${name}` })
  for (const name of ['web', 'jobs']) await menu(name).locator('summary').press('Enter')
  await menu('jobs').getByRole('button', { name: 'Delete' }).waitFor()
  expect(await menu('web').locator('button', { hasText: 'Trim' }).count()).toBe(1)
  expect(await menu('jobs').locator('button', { hasText: 'Trim' }).count()).toBe(0)
})
