/** What somebody sees who opens the page for the first time, on events as loggers and servers write them. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { expectSoon } from './support/wait.ts'

const MINUTE = 60_000
const nowMs = Date.now()
/** Less than five a minute where the last minute is not over. */
const TRAFFIC: unknown = expect.stringMatching(/^Traffic \d(\.\d+)?\/min$/)
const FIRST_BYTES_MAX = 100_000

const service = serviceForTests()
beforeAll(async () => {
  const times = Array.from({ length: 600 }, (_, n) => new Date(nowMs - (n + 1) * (MINUTE / 5)).toISOString())
  const fill = (dataset: string, make: (n: number) => object) =>
    ingest(
      service,
      dataset,
      times.map((_time, n) => ({ _time, ...make(n) })),
    )
  await fill('web', (n) => ({ 'http.status_code': n % 50 === 0 ? 500 : 200, duration_ms: 20 + (n % 10) }))
  await fill('worker', (n) => ({ severity: n % 20 === 0 ? 'ERROR' : 'INFO', field_10: n, field_2: n }))
  await fill('cron', () => ({ job: 'nightly' }))
  await annotate(service, { datasets: ['web', 'worker'], type: 'deploy', title: 'web 2', time: new Date(nowMs).toISOString() })
})

testInBrowser('errors, traffic and latency of each dataset, as far as they are known, and no log lines', async () => {
  await using page = await openPage(service)
  const chart = page.locator('.time-chart', { has: page.getByRole('heading', { name: 'web', exact: true }) })
  const heads = (): Promise<unknown> => chart.locator('.pane-heads p').allTextContents()
  await expectSoon(heads, [expect.stringMatching(/^Errors (1\.8|2) %$/), TRAFFIC, expect.stringMatching(/^p95 2\d ms$/)])
  await page.getByRole('row', { name: /^worker \d+(\.\d+)?\/h \d(\.\d+)?\/min no durations$/ }).waitFor()
  await page.getByRole('row', { name: /^cron not known \d(\.\d+)?\/min no durations$/ }).waitFor()
  // One plot has all panes, one axis of time and one row of marks.
  expect(await chart.locator('canvas').count()).toBe(1)
  expect(await chart.getByRole('toolbar').getByRole('button').count()).toBe(1)
  expect(await page.locator('.event-line').count()).toBe(0)

  await chart.locator('.u-over').hover({ position: { x: 200, y: 40 } })
  await expectSoon(
    async () =>
      (await page.locator('.chart-tip').first().locator('tr td:first-child').allTextContents()).map((text) => text.trim()),
    ['errors', 'events', 'p95'],
  )
  await page.getByRole('link', { name: 'Explore' }).click()
  await page.locator('.event-line').first().waitFor()
  expect(page.url()).toContain('events=true')
})

testInBrowser('names of fields are shown as people write them, and sorted as people count', async () => {
  await using page = await openPage(service, '/?datasets=web,worker&fields=true&events=true')
  const names = () => page.getByRole('region', { name: 'Fields' }).locator('.field-name').allTextContents()
  await expectSoon(names, ['duration_ms', 'field_2', 'field_10', 'http.status_code', 'severity'])
  await page.locator('.event-line').first().waitFor()
  expect(await page.locator('main').textContent()).not.toContain('\\.')
})

testInBrowser('the first chart of a first visit takes little of the wire', async () => {
  await using page = await openPage(service)
  await page.locator('.pane-heads').first().waitFor()
  const sizes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => ({
      name: entry.name.replace(location.origin, ''),
      bytes: (entry as PerformanceResourceTiming).transferSize,
    })),
  )
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  if (bytes > FIRST_BYTES_MAX) throw new Error(JSON.stringify(sizes))
  expect(bytes).toBeGreaterThan(50_000)
})

testInBrowser('a token is offered the pages that it may read, and no others', async () => {
  const token = await tokenWith(service, 'annotations|read', 'query|read')
  await using page = await openPage(service, '/', { token, expectedErrors: /403/ })
  const links = (of: Page) => of.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
  await expectSoon(() => links(page), ['Home', 'Releases', 'Explore', 'Settings'])
  await using all = await openPage(service)
  await expectSoon(async () => (await links(all)).length, 5)
})
