/** How results are shown: as which kind, in which intervals and in which unit. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { chartOf, plotBox } from '../support/charts.ts'
import { at, MORNING } from '../support/times.ts'

const addressOf = (apl: string, more = '') => `/?${MORNING}&apl=${encodeURIComponent(apl)}${more}`
const BY_PATH = "['web'] | summarize count() by bin(_time, 5m), path"
const HOSTILE = '<img src=x onerror=alert(1)>\u202e"'

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 1_200 }, (_, n) => ({
    _time: at(n / 10),
    path: ['/', '/cart', '/checkout', HOSTILE][n % 7 < 4 ? 0 : n % 7 < 6 ? 1 : n % 2 ? 2 : 3],
    ms: 20 + ((n * 37) % 900),
    bytes: 1_000_000 * (1 + (n % 5)),
  }))
  await ingest(service, 'web', events)
  const earlier = Array.from({ length: 600 }, (_, n) => ({ _time: at(n / 5 - 1_440), path: '/', ms: 10, bytes: 1 }))
  await ingest(service, 'web', earlier)
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(60), endTime: at(70), title: 'Release 8' })
})

const openMenu = (page: Page) => page.locator('summary', { hasText: /^Display/ }).click()
const choose = async (page: Page, kind: string) => {
  await openMenu(page)
  await page.getByLabel('Show as').selectOption(kind)
  await page.keyboard.press('Escape')
}
const chart = (page: Page) => chartOf(page, '')
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

testInBrowser('a link that asks for what is not drawn any more opens with lines, which are a table with one choice', async () => {
  await using page = await openPage(service, addressOf(BY_PATH, '&kind=stacked&logScale=true&figures=true'))
  await chart(page).waitFor()
  await page.locator('figcaption').getByText('per 5 min').waitFor()
  await openMenu(page)
  const kinds = page.getByLabel('Show as')
  expect(await kinds.locator('option:checked').textContent()).toBe('Lines')
  await kinds.selectOption('Table')
  await page.getByRole('columnheader', { name: 'path' }).getByRole('button').waitFor()
  expect([await chart(page).count(), parameter(page, 'kind')]).toEqual([0, 'table'])
  await kinds.selectOption('Lines')
  await chart(page).waitFor()
  expect(parameter(page, 'kind')).toBeNull()
})

testInBrowser('totals by group begin with the largest, with bars, and those that the query sorts stay as they are', async () => {
  const apl = "['web'] | summarize n = count() by path"
  await using page = await openPage(service, addressOf(apl))
  const list = page.getByRole('region', { name: 'Result' })
  await list.locator('.top-bar').first().waitFor()
  expect(await list.locator('td:has(.top-bar) .result-cell').allTextContents()).toHaveLength(4)
  const first = () => list.locator('tbody tr').first().textContent()
  expect(await first()).toMatch(/^\/68[0-9]/)
  await page.goto(service.url + addressOf(`${apl} | sort by n asc`))
  await list.locator('.top-bar').first().waitFor()
  expect(await first()).toContain('/checkout')
})

testInBrowser('a single number says how it was a day earlier', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize n = count(), avg(ms)", '&compare=1d'))
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('1,200').waitFor()
  await result.getByText('×2 (600 a day earlier)').waitFor()
})

testInBrowser('rows as a table', async () => {
  await using page = await openPage(service, addressOf("['web'] | where ms > 900", '&kind=log'))
  await page.getByRole('region', { name: 'Events' }).locator('.event').first().waitFor()
  await chart(page).waitFor()
  await choose(page, 'Table')
  await page.getByRole('columnheader', { name: 'ms', exact: true }).waitFor()
  expect(await page.getByRole('region', { name: 'Events' }).count()).toBe(0)
})

testInBrowser('the width of intervals is chosen for datasets, for rows and for a query that leaves it open', async () => {
  const asked: string[] = []
  await using page = await openPage(service, `/?fields=true&${MORNING}&datasets=web`)
  page.on('request', (request) => {
    if (request.url().includes('format=tabular')) asked.push((request.postDataJSON() as { apl: string }).apl)
  })
  await page
    .locator('figcaption')
    .getByText(/ events$/)
    .waitFor()
  await openMenu(page)
  const widths = page.getByRole('combobox', { name: 'Intervals' })
  await widths.waitFor()
  expect(await widths.locator('option').allTextContents()).toEqual(expect.arrayContaining(['automatic', '5 min', '15 s']))
  await widths.selectOption('5m')
  await page.locator('figcaption').getByText('per 5 min').waitFor()
  expect([parameter(page, 'bin'), asked.at(-1)]).toEqual([
    '5m',
    "['web']\n| summarize events = count(), p95 = percentile(ms, 95) by bin(_time, 5m)",
  ])
  await page.goto(service.url + addressOf("['web'] | summarize max(ms) by bin_auto(_time) // bin_auto(_time)", '&bin=10m'))
  await page.locator('figcaption').getByText('per 10 min').waitFor()
  expect(asked.at(-1)).toBe("['web'] | summarize max(ms) by bin(_time, 10m) // bin_auto(_time)")
  // What the query names, it keeps.
  await page.goto(service.url + addressOf(BY_PATH, '&bin=10m'))
  await page.locator('figcaption').getByText('per 5 min').waitFor()
  await openMenu(page)
  await page.getByLabel('Show as').waitFor()
  expect(await widths.count()).toBe(0)
})

testInBrowser('a mistake in a query is shown at its place in what was written, whatever width was chosen', async () => {
  const apl = "['web'] | summarize count() by bin_auto(_time), nothere(1)"
  await using page = await openPage(service, addressOf(apl, '&bin=10m'), { expectedErrors: /400/ })
  await page.getByRole('alert').getByText('line 1, column 49').waitFor()
})

/** @returns the values at the pointer in the middle of the plot */
const pointed = async (page: Page) => {
  const box = await plotBox(page)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  return page.locator('.chart-tip td.number')
}

testInBrowser(
  'values have the unit that was chosen, at the pointer, and one that the service knows without being told',
  async () => {
    const apl = "['web'] | summarize max(bytes) by bin(_time, 5m)"
    await using page = await openPage(service, addressOf(apl, '&unit=bytes'))
    await chart(page).waitFor()
    await (await pointed(page)).getByText('5 MB').waitFor()
    await openMenu(page)
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('ms')
    await page.keyboard.press('Escape')
    await (await pointed(page)).getByText('83.3 min').waitFor()
    expect(parameter(page, 'unit')).toBe('ms')
    await page.goto(service.url + addressOf("['web'] | extend took = ms * 1ms | summarize avg(took) by bin(_time, 30m)"))
    await chart(page).waitFor()
    await (await pointed(page)).getByText(/ ms$/).waitFor()
  },
)
