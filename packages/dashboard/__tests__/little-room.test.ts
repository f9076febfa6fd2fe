/** What people see where there is little room: on a phone, and before there is an answer. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { NEW_YEAR } from './support/times.ts'
import { expectSoon, hold } from './support/wait.ts'

const PHONE = { width: 390, height: 844 }

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 60 }, (_, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString(),
    path: n % 2 === 0 ? '/a/path/of/some/length' : '/',
    region: n % 3 === 0 ? 'eu' : 'us',
    ms: n / 7,
  }))
  for (const name of ['shop', 'payments']) await ingest(service, name, events)
  for (const [n, type] of ['production-deploy', 'incident', 'feature-flag'].entries()) {
    const time = new Date(Date.UTC(2026, 0, 1, 10 + n)).toISOString()
    const url = 'https://example.com/releases/1.41.1'
    await annotate(service, { datasets: ['shop', 'payments'], type, time, title: `Release ${n}`, url })
  }
})

testInBrowser('on a phone the first chart is within 200 pixels of the top', async () => {
  await using page = await openPage(service, '/?utc=true', { viewport: PHONE })
  await page.locator('figcaption').getByText('0 events').first().waitFor()
  const { y = PHONE.height } = (await page.locator('.time-chart').first().boundingBox()) ?? {}
  expect(y).toBeLessThan(200)
})

testInBrowser('on a phone an annotation of the list is a card with its title first', async () => {
  await using page = await openPage(service, '/annotations?utc=true', { viewport: PHONE })
  const list = page.getByRole('region', { name: 'Annotations' })
  await list.getByRole('link', { name: 'Release 2' }).waitFor()
  expect(await list.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  const card = list.locator('tbody tr').first()
  const [title, time] = await Promise.all(
    [card.getByRole('link', { name: 'Release 2' }), card.locator('time')].map((one) => one.boundingBox()),
  )
  expect(title?.y).toBeLessThan(time?.y ?? 0)
})

testInBrowser('before anything is known the page says that it is loading, and does not say that there is nothing', async () => {
  await using page = await openPage(service, '/tokens', { expectedErrors: /ERR_FAILED/ })
  const datasets = page.locator('.controls summary').first()
  let isAway = false
  await page.route(/\/v[12]\//, (route) => (isAway ? route.abort() : undefined))
  await page.goto(`${service.url}/?${NEW_YEAR}`)
  await page.locator('.time-chart').getByText('Loading…').waitFor()
  expect(await datasets.textContent()).toBe('Datasets: …')
  isAway = true
  await page.reload()
  await page.getByRole('alert').first().waitFor()
  await expectSoon(() => datasets.textContent(), 'Datasets: ?')
  expect(await page.getByText('Loading…').count()).toBe(0)
})

testInBrowser('a query without an answer yet has the place of its chart', async () => {
  await using page = await openPage(service, '/tokens')
  await page.route('**/v1/datasets/_apl**', () => undefined)
  await page.goto(`${service.url}/?${NEW_YEAR}&apl=${encodeURIComponent("['shop'] | count")}`)
  await page.locator('.time-chart').getByText('Loading…').waitFor()
})

testInBrowser('on a wide screen charts take the room, and a long name takes one line', async () => {
  await using page = await openPage(service, `/?${NEW_YEAR}&datasets=${'x'.repeat(128)},shop`, {
    viewport: { width: 2_200, height: 1_000 },
    expectedErrors: /404/,
  })
  await page.locator('.time-chart').nth(1).waitFor()
  const { height = 0 } = (await page.locator('.controls summary').first().boundingBox()) ?? {}
  expect(height).toBeLessThan(40)
  const { width = 0 } = (await page.locator('#main').boundingBox()) ?? {}
  expect(width).toBe(2_200)
})

testInBrowser('what can be done with a value of an event stands beside it', async () => {
  await using page = await openPage(service, `/?events=true&${NEW_YEAR}&datasets=shop`, {
    viewport: { width: 2_200, height: 1_000 },
  })
  await page.locator('.event-line').first().click()
  const field = page.locator('.event-detail .field', { hasText: 'region' }).first()
  const [value, buttons] = await Promise.all([
    field.locator('dd:not(.field-buttons)').boundingBox(),
    field.locator('.field-buttons').boundingBox(),
  ])
  expect(Math.abs((value?.x ?? 0) - (buttons?.x ?? 0))).toBeLessThan(150)
})

testInBrowser('a chart without an answer has no numbers on its axis', async () => {
  await using page = await openPage(service, '/datasets')
  const answer = await hold(page, '**/v1/datasets/_apl**')
  await page.goto(`${service.url}/?${NEW_YEAR}&datasets=shop`)
  // A canvas has nothing to look at but its points: those at its right are of numbers, or of lines that end there.
  const numbers = () =>
    page.locator('.time-chart canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(canvas.width - 45, 0, 45, 150) ?? { data: [] }
      return data.some((value) => value > 0)
    })
  await page.locator('.time-chart .mark').first().waitFor()
  await expectSoon(numbers, false)
  answer()
  await expectSoon(numbers, true)
})

testInBrowser('the names of groups stay whole beside their bars, and figures have the digits that say something', async () => {
  const apl = "['shop'] | summarize count(), avg(ms), max(ms) by path, region"
  await using page = await openPage(service, `/?${NEW_YEAR}&apl=${encodeURIComponent(apl)}`)
  const name = page.locator('.result-table .result-cell', { hasText: '/a/path/of/some/length' }).first()
  await name.waitFor()
  const lines = await name.evaluate(
    (one) => one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight),
  )
  expect(lines).toBeLessThan(1.5)
  for (const text of await page.locator('.result-table td.number').allTextContents()) expect(text).toMatch(/^[\d,]+(\.\d{1,3})?$/)
})
