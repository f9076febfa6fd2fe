/** Menus that close, and where the focus is when what had it goes away. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { focused, plotBox } from './support/charts.ts'
import { openMarks } from './support/menus.ts'
import { at, MORNING } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceForTests()
beforeAll(async () => {
  for (const dataset of ['web', 'api']) await ingest(service, dataset, [{ _time: at(30), status: 200 }])
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(20), title: 'Release 7' })
  for (let n = 0; n < 12; n++)
    await annotate(service, { datasets: ['api'], type: `kind-${n}`, time: at(50), title: 'Much at once' })
})

const openMenus = (page: Page) => page.locator('details.menu[open]').count()

testInBrowser('a menu closes by Escape, by a click elsewhere, and when the focus leaves it', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web`)
  const [datasets, range] = [page.locator('summary', { hasText: /^Datasets:/ }), page.locator('summary', { hasText: /^Range:/ })]
  await datasets.click()
  await range.click()
  expect(await openMenus(page)).toBe(1)
  await page.getByLabel('From').press('Escape')
  expect([await openMenus(page), await focused(page)]).toEqual([0, expect.stringMatching(/^Range:/)])
  await datasets.click()
  await page.mouse.click(5, 700)
  expect(await openMenus(page)).toBe(0)
  await range.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  expect(await openMenus(page)).toBe(0)
})

testInBrowser('a range that was typed in is shown, without the menu in front of it', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web`)
  await page.locator('summary', { hasText: /^Range:/ }).click()
  await page.getByLabel('From').fill('nonsense')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('From').fill('now-2h')
  await page.getByLabel('To').fill('now')
  await page.keyboard.press('Enter')
  await page.waitForURL(/startTime=now-2h/)
  expect(await openMenus(page)).toBe(0)
})

testInBrowser('the last dataset stays picked, and one that does not exist can be taken away', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=gone,web`, { expectedErrors: /404/ })
  await page.getByRole('alert').getByText('dataset "gone" not found', { exact: true }).first().waitFor()
  await page.locator('summary', { hasText: /^Datasets:/ }).click()
  const menu = page.getByRole('group', { name: 'Datasets to chart' })
  await menu.getByRole('checkbox', { name: 'gone' }).click()
  await menu.getByRole('checkbox', { name: 'web' }).click({ force: true })
  expect([page.url().includes('datasets=web'), await menu.getByRole('checkbox', { name: 'web' }).isChecked()]).toEqual([
    true,
    true,
  ])
})

testInBrowser('a type that is hidden stays where it was among the types', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=api`)
  await openMarks(page)
  const types = page.getByRole('group', { name: 'Types' }).getByRole('checkbox')
  await types.nth(11).waitFor()
  await types.nth(5).uncheck()
  await page.waitForURL(/hiddenTypes=kind-3/)
  expect(await types.nth(5).isChecked()).toBe(false)
})

testInBrowser('the panel gives the focus back to the mark, a closed query to its button', async () => {
  await using page = await openPage(service, `/?fields=true&${MORNING}&datasets=web`)
  const mark = page.getByRole('toolbar').getByRole('button', { name: /^Release 7/ })
  await mark.press('Enter')
  await page.getByRole('button', { name: 'Close the panel' }).press('Enter')
  expect(await focused(page)).toMatch(/^Release 7/)
  await page.getByRole('button', { name: 'Query' }).press('Enter')
  await page.getByRole('button', { name: 'Close the query' }).press('Enter')
  expect(await focused(page)).toBe('Query')
})

testInBrowser('what is told of a mark stays within a phone, and goes with the mark', async () => {
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(55), title: 'Release 8 with a long title '.repeat(8) })
  await using page = await openPage(service, `/?${MORNING}&datasets=web`, { viewport: { width: 390, height: 844 } })
  const tip = page.getByRole('tooltip')
  await plotBox(page)
  await page.getByRole('toolbar').getByRole('button').nth(1).hover()
  await expectSoon(async () => ((box) => box !== null && box.x + box.width <= 390)(await tip.boundingBox()), true)
  await openMarks(page)
  await page.getByRole('checkbox', { name: /^deploy/ }).press(' ')
  await tip.waitFor({ state: 'detached' })
})
