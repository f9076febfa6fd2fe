/** The menu of the range: names and times in the zone that is shown, and the link to what the page shows. */
import { expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { send } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { doInRange } from './support/menus.ts'
import { expectSoon } from './support/wait.ts'

/** Clocks in Berlin were put forward in the night before. */
const NOW = '2026-03-29T22:30:00Z'
const BERLIN = { timezoneId: 'Europe/Berlin' }

const service = serviceWithEvents({ web: [{ _time: NOW, status: 200 }] })

const summary = (page: OpenPage) => page.locator('summary', { hasText: /^Range/ })
const named = async (page: OpenPage) => (await summary(page).textContent())?.replace(/\s+/g, ' ')
const times = (address: string) => {
  const { searchParams } = new URL(address)
  return [searchParams.get('startTime'), searchParams.get('endTime') ?? 'now']
}

testInBrowser('a range up to now is called by its length, and any zone can be chosen', async () => {
  await using page = await openPage(service, '/?datasets=web&startTime=now-1w')
  await expectSoon(() => named(page), 'Range: Last week UTC')
  await page.goto(`${service.url}/?datasets=web&startTime=now-90m`)
  await expectSoon(() => named(page), 'Range: Last 90 minutes UTC')
  await summary(page).click()
  await page.getByLabel('Times in').selectOption('America/New_York')
  await expectSoon(() => named(page), 'Range: Last 90 minutes America/New_York')
  expect(new URL(page.url()).searchParams.get('zone')).toBe('America/New_York')
  // What is typed is read in that zone, on the day on which its clocks go forward, too.
  await page.getByLabel('From').fill('2026-03-08 01:30')
  await page.getByLabel('To').fill('2026-03-08 03:30')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  expect(times(page.url())).toEqual(['2026-03-08T06:30:00.000Z', '2026-03-08T07:30:00.000Z'])
  await expectSoon(() => named(page), 'Range: 8 Mar 2026, 01:30:00 – 03:30:00 America/New_York')
})

testInBrowser('all of the menu is reached by Tab, and Escape leads back', async () => {
  await using page = await openPage(service, '/?datasets=web', BERLIN)
  await summary(page).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Times in').waitFor()
  const reached = new Set<string>()
  for (let tabs = 0; tabs < 60 && !reached.has('off'); tabs++) {
    await page.keyboard.press('Tab')
    reached.add(
      await page.evaluate(() => {
        const focused = document.activeElement as HTMLInputElement
        return (focused.labels?.[0] ?? focused).textContent?.trim() ?? ''
      }),
    )
  }
  expect([...reached].slice(7)).toEqual([...['Times in', 'From', 'To', 'Show', 'Refresh', 'Zoom out', 'Zoom in', 'off']])
  await page.keyboard.press('Escape')
  await page.locator('.range-menu').waitFor({ state: 'hidden' })
  expect(await summary(page).evaluate((element) => element === document.activeElement)).toBe(true)
})

const share = async (page: OpenPage) => {
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('Copied').waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}
const permissions = ['clipboard-read', 'clipboard-write']

testInBrowser('a page of several charts has the same menu, and its link shows them at these times', async () => {
  const charts = [{ title: 'All', aplQuery: "['web'] | count", datasets: ['web'] }]
  const saved = { name: 'Shop', startTime: 'now-1h', endTime: 'now', charts }
  const { id } = await send<{ id: string }>(service, 'POST', '/v2/saved-views', saved)
  await using page = await openPage(service, `/views?savedView=${id}`, { permissions, viewport: { width: 1000, height: 700 } })
  await page.clock.setFixedTime('2026-03-29T23:00:00Z')
  await doInRange(page, 'Refresh')
  await page.goto(await share(page))
  await page.getByRole('region', { name: 'All', exact: true }).getByText('1', { exact: true }).waitFor()
  expect(times(page.url())).toEqual(['2026-03-29T22:00:00.000Z', '2026-03-29T23:00:00.000Z'])
})
