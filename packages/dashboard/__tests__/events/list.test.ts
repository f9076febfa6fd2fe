/** The list of events in a browser, on the real service: pages, fields, hostile events, and what happens without an answer. */
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { folderForTests, serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { runs } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ingest } from '../../../service/__tests__/query/ask.ts'
import { loadRows, readLines } from '../support/event-rows.ts'
import { NEW_YEAR } from '../support/times.ts'

const service = serviceForTests()
const dataDir = folderForTests('events')

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Events' }).getByRole('listitem')
const endOf = (page: Page) => page.getByRole('button', { name: 'More', exact: true })

async function numbersOf(page: Page): Promise<number[]> {
  const lines = await readLines(page)
  return lines.map((line) => Number(/\bn: (\d+)/.exec(line)?.[1]))
}

testInBrowser('pages come as one scrolls, newest first, until all are there', async () => {
  const events = Array.from({ length: 350 }, (_, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
    n,
    method: n % 3 === 0 ? 'POST' : 'GET',
    status: n % 7 === 0 ? 503 : 200,
    path: `/shop/${n % 11}`,
    geo: { city: 'Rome', country: 'IT' },
  }))
  await ingest(service, 'paged', events)
  await using page = await openPage(service, `/?events=true&datasets=paged&${NEW_YEAR}`)
  await page.getByText('100 of 350 events').waitFor()
  await loadRows(page, 350)
  await page.getByRole('status').getByText('350 events', { exact: true }).waitFor()
  expect(await numbersOf(page)).toEqual(events.map(({ n }) => n).reverse())
  expect(await endOf(page).count()).toBe(0)
  // Four pages, the chart, and the chart of the day before.
  expect(service.requests.filter(({ path }) => path.startsWith('/v1/datasets/_apl')).length).toBe(6)
})

testInBrowser('the button fetches pages by keyboard, also where scrolling is not observed', async () => {
  const events = Array.from({ length: 250 }, (_, n) => ({ _time: '2026-01-01T00:00:00Z', n }))
  await ingest(service, 'more', events)
  await using page = await openPage(service, `/?events=true&datasets=more&${NEW_YEAR}`)
  await page.addInitScript(() => {
    IntersectionObserver.prototype.observe = () => undefined
  })
  await page.reload()
  await page.getByText('100 of 250 events').waitFor()
  await endOf(page).focus()
  await page.keyboard.press('Enter')
  await page.getByText('200 of 250 events').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('250 events', { exact: true }).waitFor()
  expect(new Set(await numbersOf(page)).size).toBe(250)
})

testInBrowser('many events of two datasets with one time are all shown once, each with its dataset', async () => {
  const EACH = runs(500, 1_250)
  for (const [index, dataset] of ['left', 'right'].entries()) {
    const events = Array.from({ length: EACH }, (_, n) => ({ _time: '2026-01-01T00:00:00.123456789Z', n: index * EACH + n }))
    await ingest(service, dataset, events)
  }
  await using page = await openPage(service, `/?events=true&datasets=left,right&${NEW_YEAR}`)
  await loadRows(page, 2 * EACH)
  const lines = await readLines(page)
  const numbers = lines.map((line) => Number(/\bn: (\d+)/.exec(line)?.[1]))
  expect([numbers.length, new Set(numbers).size]).toEqual([2 * EACH, 2 * EACH])
  expect(lines.map((line) => /\b(left|right)\b/.exec(line)?.[1])).toEqual(numbers.map((n) => (n < EACH ? 'left' : 'right')))
})

testInBrowser('thousands of rows are some dozens in the page, and the keyboard reaches all of them', async () => {
  const events = Array.from({ length: 3_000 }, (_, n) => ({ _time: new Date(Date.UTC(2026, 0, 1) + n).toISOString(), n }))
  await ingest(service, 'thousands', events)
  await using page = await openPage(service, `/?events=true&datasets=thousands&${NEW_YEAR}`)
  await page.getByText('100 of 3,000 events').waitFor()
  await loadRows(page, 3_000)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(5_000)
  const focused = () => page.evaluate(() => /\bn: (\d+)/.exec(document.activeElement?.textContent ?? '')?.[1])
  const focusOn = (n: number) =>
    page.waitForFunction((wanted) => document.activeElement?.textContent?.includes(`n: ${wanted} `), n)
  await rowsOf(page).getByRole('button').last().focus()
  for (const [key, number] of Object.entries({ Home: 2_999, ArrowDown: 2_998, PageDown: 2_978, End: 0 })) {
    await page.keyboard.press(key)
    await focusOn(number)
  }
  // One stop for Tab, however many rows there are.
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBeUndefined()
  expect(await numbersOf(page)).toEqual(events.map(({ n }) => n).reverse())
})

testInBrowser('an event opens by keyboard to all fields, exact, and is copied so', async () => {
  await ingest(
    service,
    'exact',
    '[{"_time":"2026-01-01T00:00:00.123456789Z","big":9007199254740993,"least":-9223372036854775808,"ok":true,"ratio":0.1,' +
      '"geo":{"city":"Rome"},"a.b":{"c":"dotted"},"list":[{"id":9007199254740995},[1,2]],"message":"' +
      `${'long '.repeat(500)}"}]`,
  )
  const permissions = ['clipboard-read', 'clipboard-write']
  await using page = await openPage(service, `/?events=true&datasets=exact&${NEW_YEAR}`, { permissions })
  const line = rowsOf(page).getByRole('button').first()
  await line.focus()
  await page.keyboard.press('Enter')
  expect(await line.getAttribute('aria-expanded')).toBe('true')
  const detail = rowsOf(page).locator('dl')
  expect(await detail.locator('dt').allTextContents()).toEqual([
    '_time time',
    '_sysTime time',
    'a.b.c string',
    'big number',
    'geo.city string',
    'least number',
    'list array of 2',
    'message string',
    'ok boolean',
    'ratio number',
  ])
  for (const text of ['2026-01-01T00:00:00.123456789Z', '9007199254740993', '-9223372036854775808', '"id": 9007199254740995'])
    expect(await detail.getByText(text).count()).toBe(1)
  await rowsOf(page).getByRole('button', { name: 'Show all 2,500 characters' }).click()
  expect(await detail.getByText('long '.repeat(500).trim()).count()).toBe(1)
  await rowsOf(page).getByRole('button', { name: 'Copy as JSON' }).click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('"big": 9007199254740993')
  expect(copied).toContain('"_time": "2026-01-01T00:00:00.123456789Z"')
  await line.focus()
  await page.keyboard.press('Space')
  expect(await line.getAttribute('aria-expanded')).toBe('false')
  expect(await detail.count()).toBe(0)
})

testInBrowser('hostile names and values are texts; nothing runs and nothing is asked elsewhere', async () => {
  const html = '<img src=http://example.com/x onerror=alert(1)><script>alert(2)</script>'
  await ingest(service, 'hostile', [
    {
      _time: '2026-01-01T00:00:00Z',
      [html]: html,
      __proto__: null,
      '</li></ol>"\'': { 'a.b\\': 'javascript:alert(3)' },
      'rtl\u202egnp': 'evil\u202egpj.exe \u2066\u2067\u0000\u001b[31m\u200b',
      long: 'x'.repeat(100_000),
      wide: 'ﷺ'.repeat(200),
      lines: 'one\ntwo\tthree\r\nfour',
      ['k'.repeat(190)]: 'key',
    },
  ])
  await ingest(
    service,
    'hostile',
    '[{"_time":"2026-01-01T00:00:01Z","__proto__":{"polluted":"yes"},"constructor":"mine","toString":1}]',
  )
  await using page = await openPage(service, `/?events=true&datasets=hostile&${NEW_YEAR}`)
  await rowsOf(page).first().waitFor()
  for (const line of await rowsOf(page).locator('.event-line').all()) await line.click()
  await page.getByRole('button', { name: 'Show all 100,000 characters' }).click()
  await page.getByRole('button', { name: 'Show less' }).click()
  const texts = await rowsOf(page).locator('dl').allTextContents()
  expect(texts.join()).toContain(html)
  expect(texts.join()).toContain('\\u{202e}')
  expect(texts.join()).toContain('__proto__.polluted')
  expect(texts.join()).not.toContain('\u202e')
  expect(await page.locator('#main img, #main script').count()).toBe(0)
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

testInBrowser('a page that does not come leaves what is there, and can be asked for again', async () => {
  let own = await startService({ dataDir })
  const port = Number(new URL(own.url).port)
  const events = Array.from({ length: 150 }, (_, n) => ({ _time: '2026-01-01T00:00:00Z', n }))
  await ingest(own, 'web', events)
  try {
    await using page = await openPage(own, `/?events=true&datasets=web&${NEW_YEAR}`, {
      expectedErrors: /ERR_CONNECTION_RE|ERR_EMPTY/,
    })
    await page.getByText('100 of 150 events').waitFor()
    await own.stop()
    await endOf(page).scrollIntoViewIfNeeded()
    const alert = page.getByRole('region', { name: 'Events' }).getByRole('alert')
    await alert.getByText('the service did not answer').waitFor()
    expect(await readLines(page)).toHaveLength(100)
    own = await startService({ dataDir, port })
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('status').getByText('150 events', { exact: true }).waitFor()
    expect(new Set(await numbersOf(page)).size).toBe(150)
  } finally {
    await own[Symbol.asyncDispose]()
  }
})

testInBrowser('says where there is nothing, and what is wrong with a query', async () => {
  await ingest(service, 'empty', [{ _time: '2020-01-01T00:00:00Z' }])
  await using page = await openPage(service, `/?events=true&datasets=empty&${NEW_YEAR}`, { expectedErrors: /400/ })
  await page.getByText('There are no events in this range.').waitFor()
  await page.goto(`${service.url}/?apl=${encodeURIComponent("['empty'] | where nothing == 1")}&${NEW_YEAR}`)
  await page.getByRole('alert').getByText('invalid field').waitFor()
})
