/** The list of events as a log: levels, chosen columns, wrapped lines. */
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { ingest } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { loadRows } from '../support/event-rows.ts'
import { NEW_YEAR } from '../support/times.ts'
import { expectSoon } from '../support/wait.ts'

const LEVELS = ['INFO', 'debug', 'Warning', 'error', 'FATAL', 'loud']
const LONG = 'a long line of a log that goes on and on '.repeat(12).trim()

const service = serviceForTests()
beforeAll(async () => {
  const logs = LEVELS.map((severity, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1, 12, 0, n)).toISOString(),
    severity,
    message: n === 0 ? LONG : `line ${n}`,
    code: 100 * n,
    geo: { 'a.b': `dotted ${n}` },
  }))
  await ingest(service, 'logs', logs)
  const many = Array.from({ length: 1_500 }, (_, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
    n,
    level: n % 10 === 0 ? 'error' : 'info',
    message: n % 3 === 0 ? LONG : 'short',
  }))
  await ingest(service, 'many', many)
})

const lines = (page: OpenPage) => page.locator('.event-line').allTextContents()
const heads = async (page: OpenPage) =>
  (await page.getByRole('list', { name: 'Columns' }).getByRole('listitem').allTextContents()).map((text) => text.slice(0, -1))
const columnsIn = (page: OpenPage) => new URL(page.url()).searchParams.getAll('columns')
const heights = (page: OpenPage) =>
  page.locator('.event-line').evaluateAll((all) => all.map((line) => Math.round(line.getBoundingClientRect().height)))

/** @returns how many rows lie on another one */
const overlaps = (page: OpenPage) =>
  page.locator('.event').evaluateAll((rows) => {
    const boxes = rows.map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top)
    return boxes.filter((box, at) => at > 0 && box.top < (boxes[at - 1]?.bottom ?? 0) - 1).length
  })

testInBrowser('a level is a word in a color, and the message comes first', async () => {
  await using page = await openPage(service, `/?events=true&datasets=logs&${NEW_YEAR}`)
  await expectSoon(async () => (await lines(page)).length, LEVELS.length)
  expect(await page.locator('.event-level').allTextContents()).toEqual(['FATAL', 'error', 'Warning', 'debug', 'INFO'])
  const [loud, fatal] = await lines(page)
  expect(loud).toContain('message: line 5 code: 500')
  expect(loud).toContain('severity: loud')
  expect(fatal).not.toContain('severity')
  const colors = await page.locator('.event-level').evaluateAll((all) => all.map((one) => getComputedStyle(one).color))
  expect(new Set(colors).size).toBe(4)
})

testInBrowser('fields become columns, which are removed, and kept in the address', async () => {
  await using page = await openPage(service, `/?events=true&datasets=logs&${NEW_YEAR}&fields=true`)
  await page.getByRole('button', { name: 'Show code as a column' }).click()
  await expectSoon(() => heads(page), ['code'])
  await page.locator('.event-line').first().click()
  await page.locator('.event-detail').getByRole('button', { name: 'Show geo.a.b as a column' }).click()
  await page.locator('.event-detail').getByRole('button', { name: 'Show message as a column' }).click()
  await expectSoon(() => heads(page), ['code', 'geo.a.b', 'message'])
  expect((await lines(page))[1]).toMatch(/FATAL +code: 400 +geo\.a\.b: dotted 4 +message: line 4/)
  expect(columnsIn(page)).toEqual(['code', 'geo.a\\.b', 'message'])
  // A head stands above its values.
  const left = async (selector: string) => Math.round((await page.locator(selector).first().boundingBox())?.x ?? 0)
  expect(await left('.event-heads li:nth-child(2)')).toBe(await left('.event-cell:nth-of-type(3)'))
  await expectSoon(() => overlaps(page), 0)
  await page.reload()
  await expectSoon(() => heads(page), ['code', 'geo.a.b', 'message'])
  for (const name of ['code', 'message', 'geo.a.b']) await page.getByRole('button', { name: `Remove the column ${name}` }).click()
  await expectSoon(async () => (await lines(page))[0]?.includes('severity: loud'), true)
  expect(columnsIn(page)).toEqual([])
})

testInBrowser('lines are wrapped or single, among thousands of rows too', async () => {
  await using page = await openPage(service, `/?events=true&datasets=many&${NEW_YEAR}`)
  await expectSoon(async () => new Set(await heights(page)).size, 1)
  await page.getByRole('checkbox', { name: 'Wrap lines' }).check()
  await expectSoon(async () => new Set(await heights(page)).size, 2)
  expect(new URL(page.url()).searchParams.get('wrap')).toBe('true')
  await loadRows(page, 1_500)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(5_000)
  await expectSoon(() => overlaps(page), 0)
  await page.getByRole('checkbox', { name: 'Wrap lines' }).uncheck()
  await expectSoon(async () => new Set(await heights(page)).size, 1)
})

testInBrowser('on a phone the columns are lines of the event, and nothing is cut off', async () => {
  const columns = ['code', 'message', 'geo.a\\.b', 'severity'].map((name) => `columns=${encodeURIComponent(name)}`).join('&')
  const address = `/?events=true&datasets=logs&${NEW_YEAR}&fields=true&filters=code+!%3D+200&${columns}`
  await using page = await openPage(service, address, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await expectSoon(async () => (await lines(page)).length, 5)
  await page.getByRole('button', { name: 'code integer' }).click()
  await page.getByRole('button', { name: 'Only events where code is 200' }).waitFor()
  await page.locator('.event-line').first().click()
  await page.locator('.event-line').first().scrollIntoViewIfNeeded()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})
