/** The page of releases, and what Home says of them: what hurts is seen without a click, and what does not is not red. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { chartOf, markOn, panelOf } from './support/charts.ts'
import { ago, requests, untilWorse } from './support/shop.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', requests({ from: 90, until: 20, version: '2.14.1' }))
  await ingest(service, 'web', requests({ from: 20, version: '2.15.0' }))
  await ingest(service, 'api', requests({ from: 90, version: '7.3.2' }))
  for (const dataset of ['db', 'jobs', 'old-cron']) await ingest(service, dataset, [{ _time: ago(5) }])
  await annotate(service, { datasets: ['old-cron'], type: 'maintenance', title: 'Disks', time: ago(40 * 60), open: true })
  const url = 'https://ci.example.com/runs/7'
  await annotate(service, { datasets: ['web'], type: 'production-deploy', title: 'web 2.15.0', time: ago(20), url })
  await annotate(service, { datasets: ['api'], type: 'staging-deploy', title: 'api 7.3.2', time: ago(18) })
  await annotate(service, { datasets: ['web'], type: 'production-deploy', title: 'web 2.15.1', time: ago(1), open: true })
  await annotate(service, { datasets: ['web'], type: 'incident', title: 'Checkout fails', time: ago(200), open: true })
  await untilWorse(service)
})

/** The texts of a row: sign and release, what it did, service, environment, age, who. */
const cellsOf = (page: Page, name: string) => page.getByRole('row', { name }).locator('th, td').allTextContents()

testInBrowser('each release says in one row whether it hurt, what, where and who', async () => {
  await using page = await openPage(service, '/releases')
  await expectSoon(
    () => cellsOf(page, 'web 2.15.0'),
    [
      '●hurts nowweb 2.15.0',
      expect.stringMatching(/^Errors rose 2\.\d-fold: 1 → 2\.\d+ %, nearly all on \/checkout \d+ failing requests$/),
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

testInBrowser('words find a release, and each leads to its failing requests and its charts', async () => {
  await using page = await openPage(service, '/releases')
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
  const said = /^web 2\.15\.0production, 2\d min ago.*Errors rose \S+: 1 → 2\.\d+ %.*Since \d\d:\d\d\. .* It goes on\./
  await expectSoon(async () => said.test((await card.textContent()) ?? ''), true)
  // Its hotfix and its incident are told in it.
  expect(await card.locator('.is-open').allTextContents()).toEqual([
    expect.stringMatching(/web 2\.15\.1 going out for \d min/),
    expect.stringMatching(/Checkout fails, 3 h 2\d min/),
  ])
  await expectSoon(
    async () => /^Errors [23](?:\.\d)? % was 1 %$/.test((await page.locator('.pane-heads p').first().textContent()) ?? ''),
    true,
  )
  expect(await page.locator('.mark.is-harmful').textContent()).toContain('●')
  const colorOf = (name: RegExp) => markOn(page, 'web', name).evaluate((one) => getComputedStyle(one).borderColor)
  expect(await colorOf(/^web 2\.15\.0/)).toBe('rgb(180, 35, 24)')
  for (const name of [/^Checkout fails/, /^web 2\.15\.1/]) expect(await colorOf(name)).toBe('rgb(138, 82, 0)')
  await card.getByRole('button', { name: /^Errors/ }).click()
  // Who cannot see the charts hears the same.
  await panelOf(page)
    .getByRole('heading', { name: /^web 2\.15\.0 ?: Errors rose/ })
    .waitFor()
  await chartOf(page, 'web: Errors \\d\\S* %, .*\\d annotations\\. web 2\\.15\\.0: Errors').waitFor()
})

testInBrowser(
  'while a release goes out nothing is said of it, and what was left open asks, and takes no chart away',
  async () => {
    await using page = await openPage(service)
    const names = () => page.locator('.time-chart h2, .services tbody button:first-child').allTextContents()
    await expectSoon(names, ['web', 'api', 'db', 'jobs', 'old-cron'])
    await page.getByRole('button', { name: 'Disks, 1 d 16 h: still on?' }).waitFor()
    await page.getByRole('button', { name: /^web 2\.15\.1 going out/ }).click()
    const panel = panelOf(page)
    await panel.getByRole('region', { name: 'Summary' }).getByText('Going out').waitFor()
    await panel.getByRole('button', { name: 'Close now' }).waitFor()
  },
)

testInBrowser('on a phone the way to the requests is seen, and the charts begin in the upper half', async () => {
  await using page = await openPage(service, '/releases', { viewport: { width: 390, height: 844 } })
  const row = page.getByRole('row', { name: 'web 2.15.0' })
  await row.waitFor()
  expect(await row.getByRole('link', { name: /failing requests/ }).isVisible()).toBe(true)
  await page.goto(`${service.url}/?datasets=web`)
  const chart = page.locator('.time-chart').first()
  await chart.waitFor()
  expect((await chart.boundingBox())?.y).toBeLessThan(422)
})
