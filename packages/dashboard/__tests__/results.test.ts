/** Results that are no plain lines: several percentiles, histograms, lists, nothing; and what the pointer and the legend do. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { plotBox } from './support/charts.ts'
import { queryField, writtenQuery } from './support/editor.ts'
import { openDisplay } from './support/menus.ts'
import { expectSoon, hold } from './support/wait.ts'

const START_MS = Date.UTC(2026, 0, 31, 10)
const RANGE = 'startTime=2026-01-31T10:00:00Z&endTime=2026-01-31T11:00:00Z&utc=true'
const addressOf = (apl: string) => `/?${RANGE}&apl=${encodeURIComponent(apl)}`

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 1_200 }, (_, n) => ({
    _time: new Date(START_MS + n * 3_000).toISOString(),
    ms: (n * 37) % 101,
    path: `/page/${n % 6}`,
  }))
  await ingest(service, 'web', events)
})

const legend = (page: Page) => page.locator('.legend').getByRole('button')
const tip = (page: Page) => page.locator('.chart-tip')

/** As a person does, again where the page has moved what was below the pointer while it loaded. */
async function pointAt(page: Page, part: number): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const box = await plotBox(page)
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2 + tries)
    if ((await plotBox(page)).y === box.y && (await tip(page).isVisible())) return
  }
}

testInBrowser('percentiles of one function are a line each, by their ranks', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize percentiles_array(ms, 50, 95, 99) by bin(_time, 5m)"))
  await legend(page).nth(2).waitFor()
  expect((await legend(page).allTextContents()).map((text) => text.trim())).toEqual(['p99', 'p95', 'p50'])
})

testInBrowser('values that cannot be drawn say so, above their table, also in a link that asks for a heat map', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize make_set(path) by bin(_time, 30m)"))
  await page.getByText('These values cannot be drawn over time').waitFor()
  await page.getByRole('columnheader', { name: 'make_set_path' }).waitFor()
  await page.goto(`${service.url}${addressOf("['web'] | summarize histogram(ms, 10) by bin(_time, 5m)")}&kind=heat`)
  await page.getByText('These values cannot be drawn over time').waitFor()
  await page.getByRole('columnheader', { name: 'histogram_ms' }).waitFor()
})

testInBrowser('a series of nothing says that there is no data', async () => {
  await using page = await openPage(service, addressOf("['web'] | where ms > 1000 | summarize count() by bin(_time, 5m)"))
  await page.getByText('No data: nothing in this range matches the query.').waitFor()
})

testInBrowser('the pointer is told the value of every series, each with a color of its own', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize count() by bin(_time, 5m), path"))
  await legend(page).nth(5).waitFor()
  await pointAt(page, 0.5)
  await tip(page).locator('tr').nth(5).waitFor()
  const colors = await tip(page)
    .locator('.swatch')
    .evaluateAll((all) => all.map((swatch) => getComputedStyle(swatch).backgroundColor))
  expect(new Set(colors).size).toBe(6)
  expect(new Set(await tip(page).locator('td:first-child').allTextContents())).toEqual(
    new Set(Array.from({ length: 6 }, (_, n) => ` /page/${n}`)),
  )
})

testInBrowser('the legend hides a series, and shows one alone', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize count() by bin(_time, 5m), path"))
  const pressed = () => legend(page).evaluateAll((all) => all.map((one) => one.ariaPressed === 'true'))
  await legend(page).nth(5).waitFor()
  await legend(page).nth(1).click()
  await expectSoon(pressed, [true, false, true, true, true, true])
  await pointAt(page, 0.5)
  await expectSoon(() => tip(page).locator('tr').count(), 5)
  const third = legend(page).nth(2)
  await third.click({ modifiers: ['Shift'] })
  await expectSoon(pressed, [false, false, true, false, false, false])
  await third.click({ modifiers: ['Shift'] })
  await expectSoon(pressed, [true, true, true, true, true, true])
})

testInBrowser('a query says that it runs, and can be given up', async () => {
  await using page = await openPage(service, addressOf("['web'] | count"))
  await page.getByRole('region', { name: 'Result' }).getByText('1,200').waitFor()
  const answer = await hold(page, '**/v1/datasets/_apl*', (route) => route.abort())
  await queryField(page).fill("['web'] | summarize max(ms)")
  await page.keyboard.press('Control+Enter')
  await page.getByRole('progressbar', { name: 'The query runs' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  expect(await page.getByRole('region', { name: 'Result' }).getByText('1,200').count()).toBe(1)
  answer()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

testInBrowser('an empty editor builds a query to start with, and keeps what was written while one looks elsewhere', async () => {
  await using page = await openPage(service, `/?fields=true&${RANGE}`)
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  await page.getByText('Build from choices').click()
  const text = queryField(page)
  expect(await writtenQuery(page)).toBe("['web']\n| summarize count() by bin_auto(_time)")
  await text.press('Control+Enter')
  await page.getByRole('group', { name: /^Chart of The query/ }).waitFor()
  await text.fill("['web'] | unfinished")
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Explore' }).click()
  await text.waitFor()
  expect(await writtenQuery(page)).toBe("['web'] | unfinished")
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('apl'), searchParams.get('startTime')]).toEqual([
    "['web']\n| summarize count() by bin_auto(_time)",
    '2026-01-31T10:00:00Z',
  ])
})

testInBrowser('charts are compared with an earlier time, dashed, and the address says so', async () => {
  const days = [0, 0, 0, 0, 1, 1].map((day) => new Date(START_MS - day * 86_400_000 + 600_000).toISOString())
  const events = days.map((_time, n) => ({ _time, n }))
  await ingest(service, 'shop', events)
  await using page = await openPage(service, `/?fields=true&datasets=shop&${RANGE}`)
  await page.locator('figcaption').getByText('4 events').waitFor()
  await openDisplay(page)
  await page.getByLabel('Compare with').selectOption('a day earlier')
  await page.locator('.pane-legend').getByText('a day earlier').waitFor()
  await pointAt(page, 10.1 / 60)
  await expectSoon(() => tip(page).locator('td.number').allTextContents(), ['4', '2'])
  expect(new URL(page.url()).searchParams.get('compare')).toBe('1d')
  await page.goto(`${page.url()}&apl=${encodeURIComponent("['shop'] | summarize n = count() by bin(_time, 5m)")}`)
  await legend(page).getByText('n, a day earlier').waitFor()
  await pointAt(page, 12 / 60)
  await expectSoon(() => tip(page).locator('td.number').allTextContents(), ['4', '2'])
})
