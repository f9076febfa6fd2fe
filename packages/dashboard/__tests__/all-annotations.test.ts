/** The page of all annotations: found, paged through, shown on their charts, changed and deleted; and the timeline of them. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, listAll, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { markOn } from './support/charts.ts'
import { cellsOf } from './support/resources.ts'
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

const rows = (page: Page) => page.getByRole('region', { name: 'Annotations' }).getByRole('row')
const titles = (page: Page) => cellsOf(page, 2)
const status = (page: Page) => page.getByRole('main').getByRole('status').first()

testInBrowser('all annotations are listed, the newest first, page by page', async () => {
  await using page = await openPage(service, '/annotations?utc=true')
  await status(page).getByText('1–50 of 61').waitFor()
  expect(await rows(page).count()).toBe(51)
  expect((await titles(page)).slice(0, 2)).toEqual([HOSTILE, 'Release 59'])
  await page.getByRole('button', { name: 'Older' }).click()
  await status(page).getByText('51–61 of 61').waitFor()
  expect((await titles(page)).at(-1)).toBe('Release 0')
  // What was written is shown as text, and leads nowhere but to http.
  const links = await page
    .getByRole('main')
    .locator('a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  expect(links.filter((href) => href.startsWith('javascript'))).toEqual([])
  expect(await page.title()).toBe('Annotations · Annotations')
})

testInBrowser('they are found by words, dataset and type, and the address shares what was looked for', async () => {
  await using page = await openPage(service, '/annotations')
  await status(page).waitFor()
  await page.getByRole('searchbox', { name: 'Find' }).fill('disk FULL')
  await status(page).getByText('1–6 of 6').waitFor()
  await page.locator('summary', { hasText: /^Datasets:/ }).click()
  await page.getByRole('group', { name: 'Datasets to list' }).getByRole('checkbox', { name: 'payments' }).check()
  await status(page).getByText('1–2 of 2').waitFor()
  expect(await titles(page)).toEqual(['Release 30', 'Release 0'])
  await using shared = await openPage(service, page.url().slice(service.url.length))
  await status(shared).getByText('1–2 of 2').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText(/^Types:/).click()
  await page.getByRole('group', { name: 'Types to list' }).getByRole('checkbox', { name: 'incident' }).check()
  await status(page).getByText('1–6 of 6').waitFor()
  await page.getByRole('searchbox', { name: 'Find' }).fill('nothing like it')
  await status(page).getByText('No annotations match.').waitFor()
})

testInBrowser('an annotation is shown on its chart, and going back keeps what was looked for', async () => {
  await using page = await openPage(service, '/annotations?text=Release+41&utc=true')
  await page.getByRole('link', { name: 'Release 41', exact: true }).click()
  await markOn(page, 'shop', /^Release 41/).waitFor()
  await page.getByRole('complementary').getByRole('heading', { name: 'Release 41' }).waitFor()
  await page.getByRole('link', { name: 'Annotations', exact: true }).click()
  await expectSoon(() => titles(page), ['Release 41'])
})

testInBrowser('an annotation is changed and deleted in the list', async () => {
  const { id } = await annotate(service, { datasets: ['shop'], type: 'deploy', time: at(200), title: 'To be changed' })
  await using page = await openPage(service, '/annotations')
  await page.getByRole('button', { name: 'Change To be changed' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Changed', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete Changed' }).click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('link', { name: 'Changed', exact: true }).waitFor({ state: 'detached' })
  expect((await listAll(service)).filter((one) => one.id === id)).toEqual([])
})

testInBrowser('the timeline has spans to scale, a row for each dataset or type', async () => {
  await using page = await openPage(service, '/annotations?types=incident&utc=true')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.waitFor()
  const names = () => timeline.locator('.timeline-name').allTextContents()
  await expectSoon(names, ['payments', 'shop'])
  // 50 hours from the first to the last start, and four hours each.
  const parts = await timeline
    .locator('.timeline-span')
    .evaluateAll((all) => all.map((one) => one.clientWidth / (one.parentElement?.clientWidth ?? 1)))
  for (const part of parts) expect(Math.abs(part - 4 / (54 * 1.04))).toBeLessThan(0.01)
  await timeline.getByRole('combobox').selectOption('type')
  await expectSoon(names, ['incident'])
})

testInBrowser('a token that may only read sees the list without buttons', async () => {
  await using page = await openPage(service, '/annotations', { token: await tokenWith(service, 'annotations|read') })
  await status(page).getByText('of 61').waitFor()
  await expectSoon(() => page.getByRole('button', { name: /^(Change|Delete) / }).count(), 0)
})

testInBrowser('an address that is none is told to be none', async () => {
  await using page = await openPage(service, '/nope', { expectedErrors: /404/ })
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  await page.getByRole('link', { name: 'Go to the charts' }).click()
  await page.getByRole('button', { name: 'Query', exact: true }).waitFor()
  const answer = await fetch(`${service.url}/nope`)
  expect([answer.status, await answer.json()]).toMatchObject([404, { message: expect.stringContaining('not found') }])
})
