/** The page of releases, and what Home says of them: what hurts is seen without a click, and what does not is not red. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { audit } from './support/audit.ts'
import { chartOf, markOn, panelOf } from './support/charts.ts'
import { expectSoon } from './support/wait.ts'

const MINUTE = 60_000
const nowMs = Date.now()
const ago = (minutes: number) => new Date(nowMs - minutes * MINUTE).toISOString()

/** 200 requests a minute, of which every so manieth fails. */
function requests(from: number, until: number, failsEvery: number, version: string): object[] {
  return Array.from({ length: (from - until) * 200 }, (_, at) => ({
    _time: new Date(nowMs - from * MINUTE + (at * MINUTE) / 200).toISOString(),
    status: at % failsEvery === 0 ? 500 : 200,
    version,
  }))
}

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', requests(90, 20, 100, '2.14.1'))
  await ingest(service, 'web', requests(20, 0, 30, '2.15.0'))
  await ingest(service, 'api', requests(90, 0, 100, '7.3.2'))
  for (const dataset of ['db', 'jobs', 'old-cron']) await ingest(service, dataset, [{ _time: ago(5) }])
  await annotate(service, { datasets: ['old-cron'], type: 'maintenance', title: 'Disks', time: ago(40 * 60), open: true })
  const url = 'https://ci.example.com/runs/7'
  const bad = await annotate(service, { datasets: ['web'], type: 'production-deploy', title: 'web 2.15.0', time: ago(20), url })
  await annotate(service, { datasets: ['api'], type: 'staging-deploy', title: 'api 7.3.2', time: ago(18) })
  await annotate(service, { datasets: ['web'], type: 'production-deploy', title: 'web 2.15.1', time: ago(1), open: true })
  await annotate(service, { datasets: ['web'], type: 'incident', title: 'Checkout fails', time: ago(200), open: true })
  for (const until = Date.now() + 40_000; Date.now() < until; ) {
    const judged = await send<Annotation[]>(service, 'GET', '/v2/annotations?verdict=worse')
    if (judged.some(({ id }) => id === bad.id)) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the release was not judged')
})

/** The texts of a row: sign and release, what it did, service, environment, age, who. */
const cellsOf = (page: Page, name: string) => page.getByRole('row', { name }).locator('th, td').allTextContents()

testInBrowser('each release says in one row whether it hurt, what, where and who', async () => {
  await using page = await openPage(service, '/releases')
  await expectSoon(
    () => cellsOf(page, 'web 2.15.0'),
    [
      '●hurts nowweb 2.15.0',
      expect.stringMatching(/^Errors (?:tripled|rose 3\.\d-fold): 1 → 3\.\d+ % \d+ failing requests$/),
      ...['web', 'production'],
      expect.stringMatching(/^2\d min$/),
      'operator',
    ],
  )
  expect((await cellsOf(page, 'web 2.15.1')).slice(0, 2)).toEqual([
    '◐openweb 2.15.1',
    expect.stringMatching(/^Going out for \d min\. Verdict 10 min after it is out\.\s*$/),
  ])
  // Production alone, until somebody asks for more.
  await page.getByText('2 releases').waitFor()
  const delivery = page.getByRole('region', { name: 'Delivery' })
  expect(await delivery.textContent()).toMatch(/Change failure rate100 %.*1 of 1, from none/)
  await page.getByRole('button', { name: 'production' }).click()
  await page.getByRole('row', { name: 'api 7.3.2' }).waitFor()
  expect(await delivery.textContent()).toMatch(/Change failure rate50 %.*1 of 2, from none/)
  await page.getByRole('button', { name: 'staging' }).click()
  await page.getByText('1 release', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?environment=staging')
  await page.locator('summary', { hasText: 'Last 30 days' }).click()
  await page.getByRole('button', { name: 'Last 90 days' }).click()
  await page.getByText('these 90 days').waitFor()
})

testInBrowser('one click asks which release hurt most, and each leads to its failing requests and its charts', async () => {
  await using page = await openPage(service, '/releases')
  await page.getByRole('button', { name: 'Hurt 1' }).click()
  await page.getByText('1 of 2 releases').waitFor()
  await page.locator('summary', { hasText: 'Order: By harm' }).waitFor()
  const words = (await page.getByRole('link', { name: /failing requests/ }).textContent()) ?? ''
  await page.getByRole('searchbox').fill('nobody')
  await page.getByText('0 of 2 releases').waitFor()
  await page.getByRole('searchbox').fill('verdict:worse operator errors')
  // Anywhere in its row.
  await page.getByRole('cell', { name: /^Errors/ }).click({ position: { x: 5, y: 5 }, force: true })
  await panelOf(page).getByRole('heading', { name: 'web 2.15.0' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: words }).click()
  await page.waitForURL((url) => url.pathname === '/' && url.search.includes('startTime='))
})

testInBrowser('Home says what hurts now in one card, without a click, and draws what it hurt first and red', async () => {
  await using page = await openPage(service)
  const card = page.getByRole('region', { name: 'Hurts now: web 2.15.0' })
  await card.waitFor()
  expect(await page.locator('.hurt-card').count()).toBe(1)
  const said = /^web 2\.15\.0production, 2\d min ago.*Errors (?:tripled|rose \S+): 1 → 3\.\d+ %Since \d\d:\d\d\. It goes on\./
  await expectSoon(async () => said.test((await card.textContent()) ?? ''), true)
  // Its hotfix and its incident are told in it.
  expect(await card.locator('.is-open').allTextContents()).toEqual([
    expect.stringMatching(/web 2\.15\.1 going out for \d min/),
    expect.stringMatching(/Checkout fails, 3 h 2\d min/),
  ])
  await expectSoon(
    async () => /^Errors 3\.\d % was 1 %$/.test((await page.locator('.pane-heads p').first().textContent()) ?? ''),
    true,
  )
  expect(await page.locator('.mark.is-harmful').textContent()).toContain('●')
  const colorOf = (name: RegExp) => markOn(page, 'web', name).evaluate((one) => getComputedStyle(one).borderColor)
  expect(await colorOf(/^web 2\.15\.0/)).toBe('rgb(180, 35, 24)')
  for (const name of [/^Checkout fails/, /^web 2\.15\.1/]) expect(await colorOf(name)).toBe('rgb(138, 82, 0)')
  await card.getByRole('button', { name: /^Errors/ }).click()
  // Who cannot see the charts hears the same.
  await panelOf(page)
    .getByRole('heading', { name: /^web 2\.15\.0 ?: Errors (?:tripled|rose)/ })
    .waitFor()
  await chartOf(page, 'web: Errors 3\\.\\d %, Traffic \\d+/min, \\d annotations\\. web 2\\.15\\.0: Errors').waitFor()
})

testInBrowser('the failing requests of what hurts are a click away', async () => {
  await using page = await openPage(service)
  const link = page.getByRole('region', { name: /^Hurts now/ }).getByRole('link', { name: /^See the \d+ failing requests$/ })
  const [count] = /\d+/.exec((await link.textContent()) ?? '') ?? []
  await link.click()
  await page.getByRole('region', { name: 'Events' }).getByText(`${count} events`).waitFor()
})

testInBrowser(
  'while a release goes out nothing is said of it, and what was left open asks, and takes no chart away',
  async () => {
    await using page = await openPage(service)
    const names = () => page.locator('.time-chart h2, .services tbody button:first-child').allTextContents()
    await expectSoon(names, ['web', 'api', 'db', 'jobs', 'old-cron'])
    await page.getByRole('button', { name: 'Disks, 1 d 16 h: still on?' }).waitFor()
    await page.getByRole('button', { name: /^web 2\.15\.1 going out/ }).click()
    const panel = page.getByRole('complementary', { name: 'Selected annotations' })
    await panel.getByRole('region', { name: 'Summary' }).getByText('Going out').waitFor()
    await panel.getByRole('button', { name: 'Close now' }).waitFor()
    expect(await panel.getByRole('region', { name: 'Before and after' }).count()).toBe(0)
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  testInBrowser(`what hurt and what goes on is accessible, in ${colorScheme}`, async () => {
    for (const path of ['/releases', '/']) {
      await using page = await openPage(service, path, { colorScheme })
      const error = page.getByText(/Errors (?:tripled|rose)/)
      await error.first().waitFor()
      expect(await audit(page)).toEqual([])
    }
  })
}

testInBrowser('on a phone nothing is cut, and the charts begin in the upper half', async () => {
  await using page = await openPage(service, '/releases', { viewport: { width: 390, height: 844 } })
  const row = page.getByRole('row', { name: 'web 2.15.0' })
  await row.waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await row.getByRole('link', { name: /failing requests/ }).isVisible()).toBe(true)
  await page.goto(`${service.url}/?datasets=web`)
  const chart = page.locator('.time-chart').first()
  await chart.waitFor()
  expect((await chart.boundingBox())?.y).toBeLessThan(422)
})
