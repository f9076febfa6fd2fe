/** Where links lead, which zone a time is read in, and what a new tab and an unknown address show. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { panelOf } from './support/charts.ts'
import { signOut } from './support/menus.ts'
import { actIn } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const TIME = '2026-01-31T10:30:00Z'

const service = serviceForTests()
let id: string
beforeAll(async () => {
  await ingest(service, 'web', [{ _time: TIME, status: 200 }])
  id = (await annotate(service, { datasets: ['web'], type: 'deploy', time: TIME, title: 'Release 7' })).id
})

const mark = (page: Page) => page.getByRole('toolbar').getByRole('button', { name: /^Release 7/ })
const rangeOf = (page: Page) => {
  const { searchParams } = new URL(page.url())
  return [searchParams.get('startTime'), searchParams.get('endTime')]
}
const HOUR_AROUND = ['2026-01-31T09:30:00.000Z', '2026-01-31T11:30:00.000Z']

testInBrowser('a link to an annotation with a range that moves leads to its time', async () => {
  await using page = await openPage(service, `/?annotations=${id}&startTime=now-15m`)
  await mark(page).waitFor()
  expect(rangeOf(page)).toEqual(HOUR_AROUND)
})

testInBrowser('the panel leads to the annotation on its chart', async () => {
  const elsewhere = 'startTime=2026-02-05T00:00:00Z&endTime=2026-02-06T00:00:00Z'
  await using page = await openPage(service, `/?annotations=${id}&${elsewhere}`)
  await actIn(panelOf(page), 'Show on chart')
  await mark(page).waitFor()
  expect(rangeOf(page)).toEqual(HOUR_AROUND)
})

testInBrowser('what the clipboard refuses is copied all the same', async () => {
  await using page = await openPage(service, `/?annotations=${id}`, { permissions: ['clipboard-read'] })
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  })
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`annotations=${id}`)
})

testInBrowser('times are read in the zone in which they are shown, which has its name', async () => {
  await using page = await openPage(service, '/?datasets=web', { timezoneId: 'Europe/Berlin' })
  await page.locator('summary', { hasText: /^Range:/ }).click()
  const zone = page.getByLabel('Times in').locator('option:checked')
  await zone.getByText('Europe/Berlin, as this browser').waitFor({ state: 'attached' })
  await page.getByLabel('From').fill('2026-01-31 11:00')
  await page.getByLabel('To').fill('2026-01-31 12:00')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.locator('figcaption').getByText('1 event').waitFor()
  expect(rangeOf(page)).toEqual(['2026-01-31T10:00:00.000Z', '2026-01-31T11:00:00.000Z'])
  const summary = page.locator('summary', { hasText: /^Range:/ })
  expect((await summary.textContent())?.replace(/\s+/g, ' ')).toBe('Range: 31 Jan 2026, 11:00:00 – 12:00:00 Europe/Berlin')
  await summary.click()
  expect(await page.getByLabel('From').inputValue()).toBe('2026-01-31 11:00:00')
  await page.getByLabel('Times in').selectOption('UTC')
  await expectSoon(() => page.getByLabel('From').inputValue(), '2026-01-31 10:00:00')
})

testInBrowser('a new tab is signed in by one that is open', async () => {
  await using page = await openPage(service, '/', { token: null })
  await page.getByLabel('Token', { exact: true }).fill(service.token)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Explore' }).waitFor()
  const second = await page.context().newPage()
  await second.goto(`${service.url}/tokens`)
  await second.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor()
  // Signing out counts for all of them.
  await signOut(second)
  await page.getByLabel('Token', { exact: true }).waitFor()
  expect(await second.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie])).toEqual([0, 0, ''])
})

testInBrowser('a browser keeps a token where the person wants that, until they sign out', async () => {
  await using page = await openPage(service, '/', { token: null })
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('token')
  await page.getByRole('checkbox', { name: /^Stay signed in/ }).check()
  await page.getByLabel('Token', { exact: true }).fill(service.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Explore' }).waitFor()
  expect(await page.evaluate(() => Object.values({ ...localStorage }))).toEqual([service.token])
  const context = page.context()
  const next = await context.newPage()
  await page.close()
  await next.goto(service.url)
  await signOut(next)
  expect(await next.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0])
})
