/** Values of results: filters and copies made of them, the order of tables and lists, several figures of a group. */
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { queryField } from './support/editor.ts'
import { NEW_YEAR } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const HOSTILE = '<img src=x onerror=alert(1)>\u202e"\' | count'
const BY_PATH = "['web'] | summarize n = count(), ms = max(ms), bytes = sum(bytes) by path"

const service = serviceForTests()
beforeAll(async () => {
  const paths = ['/', '/', '/', '/cart', '/cart', HOSTILE]
  const events = Array.from({ length: 60 }, (_, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString(),
    path: paths[n % paths.length],
    ms: paths[n % paths.length] === '/' ? 5 : n % paths.length === 5 ? 4_000 : 70,
    bytes: 1_000,
    ...(n % 2 === 0 && { user: 'u1' }),
  }))
  await ingest(service, 'web', events)
})

const open = (apl: string, more = '', options = {}) =>
  openPage(service, `/?${NEW_YEAR}&apl=${encodeURIComponent(apl)}${more}`, options)
const parameter = (page: OpenPage, name: string) => new URL(page.url()).searchParams.get(name)
const chips = async (page: OpenPage) =>
  (await page.getByRole('list', { name: 'Filters' }).getByRole('listitem').allTextContents()).map((text) => text.replace('✕', ''))
const menu = (page: OpenPage) => page.getByRole('dialog', { name: 'Actions on the value' })
const firstColumn = (page: OpenPage) => page.locator('.result-table tbody td:first-child').allTextContents()
const value = (page: OpenPage, text: string) => page.locator('.result-table [data-row]', { hasText: text }).first()

testInBrowser('a value of a table is kept, left out or copied, with what it was grouped by only', async () => {
  await using page = await open(BY_PATH, '&kind=table', { permissions: ['clipboard-read', 'clipboard-write'] })
  await value(page, '/cart').click()
  expect(await menu(page).getByRole('button').allTextContents()).toEqual(['path is /cart', 'path is not /cart', 'Copy the value'])
  await menu(page).getByRole('button', { name: 'Copy the value' }).click()
  await expectSoon(() => page.evaluate(() => navigator.clipboard.readText()), '/cart')
  await menu(page).getByRole('button', { name: 'path is not /cart' }).click()
  await menu(page).waitFor({ state: 'hidden' })
  await expectSoon(() => chips(page), ['path is not /cart'])
  await expectSoon(async () => (await firstColumn(page)).length, 2)
  await value(page, 'onerror').click()
  await menu(page)
    .getByRole('button', { name: /^path is <img/ })
    .click()
  await expectSoon(async () => (await firstColumn(page)).length, 1)
  expect(await firstColumn(page)).toEqual([HOSTILE])
  // A figure is of many events.
  expect(await page.locator('.result-table td.number [data-row]').count()).toBe(0)
})

testInBrowser('values are reached by keyboard, one Tab for the table, and Escape leads back', async () => {
  await using page = await open("['web'] | project path, user | sort by path asc", '&kind=table')
  await value(page, '/').waitFor()
  expect(await page.locator('.result-table [tabindex="0"]').count()).toBe(1)
  await page.locator('.result-table [tabindex="0"]').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await menu(page)
    .getByRole('button', { name: /^user / })
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await menu(page).waitFor({ state: 'hidden' })
  await expectSoon(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.column), '1')
  expect(await page.locator('.result-table [tabindex="0"]').count()).toBe(1)
  // What an event does not have can be asked for, too.
  await page.locator('.result-missing [data-row]').first().click()
  await menu(page).getByRole('button', { name: 'user is missing' }).click()
  await expectSoon(async () => (await firstColumn(page)).length, 30)
})

testInBrowser('the order of a table is in the address, and another query begins without it', async () => {
  await using page = await open(BY_PATH, '&kind=table')
  await page.getByRole('columnheader', { name: 'ms' }).getByRole('button').click()
  await expectSoon(() => firstColumn(page), ['/', '/cart', HOSTILE])
  await page.getByRole('columnheader', { name: 'ms' }).getByRole('button').click()
  await expectSoon(() => firstColumn(page), [HOSTILE, '/cart', '/'])
  expect(parameter(page, 'sort')).toBe('ms desc')
  await page.reload()
  await expectSoon(() => firstColumn(page), [HOSTILE, '/cart', '/'])
  expect(await page.getByRole('columnheader', { name: 'ms' }).getAttribute('aria-sort')).toBe('descending')
  await queryField(page).fill(`${BY_PATH} | sort by n desc`)
  await page.getByRole('button', { name: 'Run' }).click()
  await expectSoon(() => firstColumn(page), ['/', '/cart', HOSTILE])
  expect(parameter(page, 'sort')).toBeNull()
})

testInBrowser('groups begin with the largest, are sorted by the figure that is chosen, and filter by their names', async () => {
  await using page = await open(BY_PATH, '&unit=ms')
  const rows = () => page.locator('.result-table tbody tr').allTextContents()
  await expectSoon(rows, ['/305 ms30 s', '/cart2070 ms20 s', `${HOSTILE}104 s10 s`])
  for (const _ of ['asc', 'desc']) await page.getByRole('columnheader', { name: 'ms', exact: true }).getByRole('button').click()
  await expectSoon(async () => (await rows())[0]?.startsWith('<img'), true)
  expect(parameter(page, 'sort')).toBe('ms desc')
  await value(page, '/cart').click()
  await menu(page).getByRole('button', { name: 'path is /cart' }).click()
  await expectSoon(rows, ['/cart2070 ms20 s'])
})

testInBrowser('what is copied asks for what is shown: with the filters, and with the intervals that were chosen', async () => {
  const apl = "['web'] | summarize count() by bin_auto(_time)"
  const filters = encodeURIComponent("path == '/cart'")
  await using page = await open(apl, `&bin=1h&filters=${filters}`, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.locator('.time-chart').waitFor()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain("| where path == '\\''/cart'\\''\\n| summarize count() by bin(_time, 1h)")
})

testInBrowser('the table of a chart is in its card', async () => {
  await using page = await open("['web'] | summarize count() by bin(_time, 1h), path")
  const card = page.locator('.time-chart.card')
  await card.locator('summary', { hasText: 'As a table' }).click()
  await card.locator('.result-table').waitFor()
  await value(page, '/cart').click()
  await menu(page).getByRole('button', { name: 'path is /cart' }).click()
  await expectSoon(() => chips(page), ['path is /cart'])
})
