/** The page of all annotations: found, shown on their charts, changed and deleted. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, listAll, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { markOn } from './support/charts.ts'
import { act, namesIn } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const HOSTILE = '<img src=x onerror="document.title=1"> [click](javascript:document.title=2)'
const START_MS = Date.UTC(2026, 0, 1)
const at = (hour: number) => new Date(START_MS + hour * 3_600_000).toISOString()

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'shop', [{ _time: at(1), status: 200 }])
  for (let n = 0; n < 60; n++) {
    await annotate(service, {
      datasets: [n % 3 === 0 ? 'payments' : 'shop'],
      type: n % 10 === 0 ? 'incident' : 'deploy',
      time: at(n),
      ...(n % 10 === 0 && { endTime: at(n + 4), description: 'The disk was full' }),
      title: `Release ${n}`,
      url: `https://example.com/releases/${n}`,
    })
  }
  await annotate(service, {
    datasets: ['shop'],
    type: 'deploy',
    time: at(100),
    title: HOSTILE,
    url: 'javascript:document.title=3',
  })
})

const titles = namesIn
const status = (page: Page) => page.getByRole('main').getByRole('status').last()
const find = (page: Page) => page.getByRole('searchbox', { name: 'Find an annotation' })

testInBrowser('all annotations are listed, the newest first, fifty at a time', async () => {
  await using page = await openPage(service, '/annotations?utc=true')
  await status(page).getByText('50 of 61').waitFor()
  expect((await titles(page)).length).toBe(50)
  expect((await titles(page)).slice(0, 2)).toEqual([HOSTILE, 'Release 59'])
  await page.getByRole('button', { name: 'Show more' }).click()
  await expectSoon(async () => (await titles(page)).at(-1), 'Release 0')
  // What was written is shown as text, and leads nowhere but to http.
  const links = await page
    .getByRole('main')
    .locator('a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  expect(links.filter((href) => href.startsWith('javascript'))).toEqual([])
  expect(await page.title()).toBe('Annotations · Annotations')
})

testInBrowser('they are found by words, a dataset, a type or a time, and the address shares what was looked for', async () => {
  await using page = await openPage(service, '/annotations')
  await status(page).waitFor()
  await find(page).fill('disk FULL')
  await status(page).getByText('6 of 6').waitFor()
  await find(page).fill('disk FULL payments')
  await status(page).getByText('2 of 2').waitFor()
  expect(await titles(page)).toEqual(['Release 30', 'Release 0'])
  await using shared = await openPage(service, page.url().slice(service.url.length))
  await status(shared).getByText('2 of 2').waitFor()
  await find(page).fill('incident')
  await status(page).getByText('6 of 6').waitFor()
  await find(page).fill('nothing like it')
  await status(page).getByText('None of the annotations is like that.').waitFor()
  await page.getByRole('combobox', { name: 'From' }).selectOption('last 7 days')
  await page.getByText('No annotations yet.').waitFor()
})

testInBrowser('an annotation is shown on its chart, and going back keeps what was looked for', async () => {
  await using page = await openPage(service, '/annotations?text=Release+41&utc=true')
  await page.getByRole('link', { name: 'Release 41', exact: true }).click()
  await markOn(page, 'shop', /^Release 41/).waitFor()
  await page.getByRole('complementary').getByRole('heading', { name: 'Release 41' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Annotations', exact: true }).click()
  await expectSoon(() => titles(page), ['Release 41'])
})

testInBrowser('an annotation is created, changed and deleted in the list', async () => {
  await using page = await openPage(service, '/annotations')
  await page.getByRole('button', { name: 'New annotation' }).click()
  await page.getByLabel('Type', { exact: true }).fill('deploy')
  await page.getByLabel('Title').fill('To be changed')
  await page.getByRole('checkbox', { name: 'shop' }).check()
  await page.getByLabel(/^Time, or start/).fill('2027-01-01T00:00')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('link', { name: 'To be changed', exact: true }).waitFor()
  await act(page, 'To be changed', 'Change')
  await page.getByLabel('Title').fill('Changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Changed', exact: true }).waitFor()
  await act(page, 'Changed', 'Delete')
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('link', { name: 'Changed', exact: true }).waitFor({ state: 'detached' })
  expect(await listAll(service)).toHaveLength(61)
})

testInBrowser('a token that may only read sees the list without buttons', async () => {
  await using page = await openPage(service, '/annotations', { token: await tokenWith(service, 'annotations|read') })
  await status(page).getByText('of 61').waitFor()
  await expectSoon(() => page.locator('main summary, main .primary').count(), 0)
})

testInBrowser('an address that is none is told to be none', async () => {
  await using page = await openPage(service, '/nope', { expectedErrors: /404/ })
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  await page.getByRole('link', { name: 'Go to the charts' }).click()
  await page.getByRole('button', { name: 'Share' }).waitFor()
  const answer = await fetch(`${service.url}/nope`)
  expect([answer.status, await answer.json()]).toMatchObject([404, { message: expect.stringContaining('not found') }])
})
