/** The live tail in a browser: events that are stored while a user watches, and what a reader sees of them. */
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { folderForTests, serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { ingest } from '../../../service/__tests__/query/ask.ts'
import { loadRows, readLines } from '../support/event-rows.ts'

const service = serviceForTests()
const dataDir = folderForTests('events')

const linesOf = (page: Page) => page.getByRole('region', { name: 'Events' }).locator('.event-line')
const firstOf = async (page: Page) => /\bn: \d+/.exec((await linesOf(page).first().textContent()) ?? '')?.[0]
const agoMs = (ms: number) => new Date(Date.now() - ms).toISOString()
const pollsOf = ({ requests }: RunningService) => requests.filter(({ path }) => path.startsWith('/v1/datasets/_apl')).length

testInBrowser('an event stored while one watches comes to the top, one with an earlier time to its place', async () => {
  await ingest(service, 'tail', [
    { _time: agoMs(60_000), n: 1 },
    { _time: agoMs(20_000), n: 2 },
  ])
  await using page = await openPage(service, '/?events=true&datasets=tail')
  await page.getByRole('status').getByText('2 events', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Live' }).check()
  expect(new URL(page.url()).searchParams.get('live')).toBe('true')
  await ingest(service, 'tail', [{ n: 3 }])
  await page.getByRole('status').getByText('3 events', { exact: true }).waitFor()
  expect(await firstOf(page)).toBe('n: 3')
  await ingest(service, 'tail', [{ _time: agoMs(40_000), n: 4 }])
  await linesOf(page).nth(3).waitFor({ timeout: 20_000 })
  expect((await linesOf(page).allTextContents()).map((line) => /n: (\d)/.exec(line)?.[1])).toEqual(['3', '2', '4', '1'])
})

testInBrowser('new events do not move what a user reads further down', async () => {
  const older = Array.from({ length: 250 }, (_, n) => ({ _time: agoMs(600_000 - n), n }))
  await ingest(service, 'reading', older)
  await using page = await openPage(service, '/?datasets=reading&live=true')
  await page.getByText('100 of 250 events').waitFor()
  await page.mouse.wheel(0, 700)
  await page.waitForFunction(() => scrollY > 600)
  const line = linesOf(page).nth(40)
  const topOf = async () => (await line.boundingBox())?.y ?? Number.NaN
  const before = await topOf()
  await ingest(service, 'reading', [{ n: 1_000 }, { n: 1_001 }])
  const button = page.getByRole('button', { name: '2 new events' })
  await button.waitFor()
  expect(Math.abs((await topOf()) - before)).toBeLessThan(1)
  await button.click()
  await page.waitForFunction(() => Math.abs(document.querySelector('.events-head')?.getBoundingClientRect().top ?? -1) < 20)
  expect(await firstOf(page)).toBe('n: 1001')
  await ingest(service, 'reading', [{ n: 1_002 }])
  await page.getByText('n: 1002').waitFor()
})

testInBrowser('a list starts anew where more came at once than it fetches', async () => {
  await ingest(service, 'burst', [{ _time: agoMs(50_000), n: 0 }])
  const NEW = 1_200
  await using page = await openPage(service, '/?datasets=burst&live=true')
  await page.getByRole('status').getByText('1 event', { exact: true }).waitFor()
  await ingest(
    service,
    'burst',
    Array.from({ length: NEW }, (_, n) => ({ _time: agoMs(30_000), n: n + 1 })),
  )
  await page.getByRole('status').getByText('of 1,201 events').waitFor()
  await loadRows(page, 1 + NEW)
  const numbers = (await readLines(page)).map((line) => /n: (\d+)/.exec(line)?.[1])
  expect([numbers.length, new Set(numbers).size]).toEqual([1 + NEW, 1 + NEW])
})

testInBrowser('a hidden page asks for nothing, and does at once when it is looked at again', async () => {
  await ingest(service, 'hidden', [{ n: 1 }])
  await using page = await openPage(service, '/?datasets=hidden&live=true')
  await page.getByRole('status').getByText('1 event', { exact: true }).waitFor()
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await setHidden(true)
  await page.waitForTimeout(2_500)
  const polls = pollsOf(service)
  await ingest(service, 'hidden', [{ n: 2 }])
  await page.waitForTimeout(2_500)
  expect(pollsOf(service)).toBe(polls)
  await setHidden(false)
  await page.getByText('n: 2').waitFor({ timeout: 1_500 })
})

testInBrowser('says that the service does not answer, and goes on when it does', async () => {
  let own = await startService({ dataDir })
  try {
    await ingest(own, 'web', [{ _time: agoMs(1_000), n: 1 }])
    await using page = await openPage(own, '/?datasets=web&live=true', { expectedErrors: /ERR_CONNECTION_RE|ERR_EMPTY/ })
    await page.getByRole('status').getByText('1 event', { exact: true }).waitFor()
    await own.stop()
    await page.getByText('New events cannot be loaded:').waitFor()
    expect(await linesOf(page).count()).toBe(1)
    own = await startService({ dataDir, port: Number(new URL(own.url).port) })
    await ingest(own, 'web', [{ n: 2 }])
    await page.getByText('n: 2').waitFor({ timeout: 20_000 })
    expect(await page.getByText('New events cannot be loaded:').count()).toBe(0)
  } finally {
    await own[Symbol.asyncDispose]()
  }
})
