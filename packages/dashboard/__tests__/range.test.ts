/** The menu of the range: names, days and times in the zone that is shown, and links to what it shows. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { expectSoon } from './support/wait.ts'

/** Clocks in Berlin were put forward in the night before. */
const NOW = '2026-03-29T22:30:00Z'
const BERLIN = { timezoneId: 'Europe/Berlin' }

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', [{ _time: NOW, status: 200 }])
})

const summary = (page: OpenPage) => page.locator('summary', { hasText: /^Range/ })
const named = async (page: OpenPage) => (await summary(page).textContent())?.replace(/\s+/g, ' ')
const times = (address: string) => {
  const { searchParams } = new URL(address)
  return [searchParams.get('startTime'), searchParams.get('endTime') ?? 'now']
}

async function choose(page: OpenPage, name: string): Promise<(string | null)[]> {
  await summary(page).click()
  await page.getByRole('button', { name, exact: true }).click()
  await page.locator('.range-menu').waitFor({ state: 'hidden' })
  return times(page.url())
}

async function chooseDays(page: OpenPage, first: string, last: string): Promise<(string | null)[]> {
  await summary(page).click()
  await page.getByLabel('First day').fill(first)
  await page.getByLabel('Last day').fill(last)
  await page.getByLabel('Last day').press('Enter')
  await page.locator('.range-menu').waitFor({ state: 'hidden' })
  return times(page.url())
}

interface Zone {
  readonly zone: string
  /** Of the browser. */
  readonly timezoneId: string
  readonly address?: string
  readonly now: string
  /** Of each name; on the day before the first of these Berlin's clocks were put forward, so it had 23 hours. */
  readonly expected: Readonly<Record<string, readonly [start: string, end: string]>>
}
const ZONES = JSON.parse(readFileSync(new URL('range-zones.json', import.meta.url), 'utf8')) as readonly Zone[]
for (const { zone, timezoneId, now, address = '', expected } of ZONES)
  testInBrowser(`days, weeks and months are those of the zone that is shown: ${zone}`, async () => {
    await using page = await openPage(service, `/?datasets=web${address}`, { timezoneId })
    await page.clock.setFixedTime(now)
    for (const [name, range] of Object.entries(expected)) expect([name, await choose(page, name)]).toEqual([name, range])
    const zoneName = address === '' ? timezoneId : address.replace('utc=true', 'UTC').replace(/^&(?:zone=)?/, '')
    await choose(page, 'Yesterday')
    await expectSoon(() => named(page), `Range: Yesterday ${zoneName}`)
  })

testInBrowser('after midnight today is another day, and the range that was called so has its times', async () => {
  await using page = await openPage(service, '/?datasets=web', BERLIN)
  await page.clock.setFixedTime('2026-03-29T21:59:00Z')
  await choose(page, 'Today')
  await expectSoon(() => named(page), 'Range: Today Europe/Berlin')
  await page.clock.setFixedTime('2026-03-29T22:01:00Z')
  await summary(page).click()
  await expectSoon(() => named(page), 'Range: 29 Mar 2026, 00:00:00 – 23:59:00 Europe/Berlin')
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  expect(times(page.url())).toEqual(['2026-03-29T22:00:00.000Z', 'now'])
})

testInBrowser('days are chosen from a calendar, in the zone that is shown, also those with a change of the clock', async () => {
  await using page = await openPage(service, '/?datasets=web', BERLIN)
  expect(await chooseDays(page, '2026-03-29', '2026-03-29')).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  await summary(page).click()
  await expectSoon(() => page.getByLabel('Last day').inputValue(), '2026-03-29')
  await page.getByLabel('Times in').selectOption('UTC')
  await expectSoon(() => page.getByLabel('First day').inputValue(), '2026-03-28')
  await summary(page).click()
  expect(await chooseDays(page, '2026-03-29', '2026-03-30')).toEqual(['2026-03-29T00:00:00.000Z', '2026-03-31T00:00:00.000Z'])
  await summary(page).click()
  await page.getByLabel('Times in').selectOption('')
  await summary(page).click()
  // Of two days the earlier one comes first; the second of these has 25 hours.
  expect(await chooseDays(page, '2026-10-25', '2026-10-24')).toEqual(['2026-10-23T22:00:00.000Z', '2026-10-25T23:00:00.000Z'])
  // A day behind the range is one of its own until another one is chosen.
  await summary(page).click()
  await page.getByLabel('First day').fill('2026-11-02')
  await expectSoon(() => page.getByLabel('Last day').inputValue(), '2026-11-02')
  await page.getByRole('button', { name: 'Show days' }).click()
  await expectSoon(() => named(page), 'Range: 2 Nov 2026, 00:00:00 – 3 Nov 2026, 00:00:00 Europe/Berlin')
})

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

testInBrowser('a day that is none is not shown', async () => {
  await using page = await openPage(service, '/?datasets=web')
  await summary(page).click()
  await page.getByLabel('First day').fill('')
  await page.getByRole('button', { name: 'Show days' }).click()
  expect(await page.getByLabel('First day').evaluate((day: HTMLInputElement) => day.matches(':invalid:focus'))).toBe(true)
  expect(times(page.url())).toEqual([null, 'now'])
})

testInBrowser('all of the menu is reached by Tab, and Escape leads back', async () => {
  await using page = await openPage(service, '/?datasets=web', BERLIN)
  await summary(page).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('First day').waitFor()
  const reached = new Set<string>()
  for (let tabs = 0; tabs < 60 && !reached.has('Copy link with fixed times'); tabs++) {
    await page.keyboard.press('Tab')
    reached.add(
      await page.evaluate(() => {
        const focused = document.activeElement as HTMLInputElement
        return (focused.labels?.[0] ?? focused).textContent?.trim() ?? ''
      }),
    )
  }
  expect([...reached].slice(7)).toEqual([
    ...['Today', 'Yesterday', 'This week', 'Previous week', 'This month', 'Previous month'],
    ...['Times in', 'First day', 'Last day', 'Show days', 'From', 'To', 'Show'],
    ...['Copy link', 'Copy link with fixed times'],
  ])
  await page.keyboard.press('Escape')
  await page.locator('.range-menu').waitFor({ state: 'hidden' })
  expect(await summary(page).evaluate((element) => element === document.activeElement)).toBe(true)
})

testInBrowser('a link goes on with the clock, or has the times that are shown', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  await using page = await openPage(service, '/?datasets=web&startTime=now-1h&kind=bars&live=true', { permissions })
  await page.clock.setFixedTime(NOW)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await summary(page).click()
  const copied = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('status').getByText('Copied').last().waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied('Copy link')).toBe(page.url())
  const link = await copied('Copy link with fixed times')
  expect(new URL(link).search).toBe('?datasets=web&startTime=2026-03-29T21:30:00.000Z&endTime=2026-03-29T22:30:00.000Z&kind=bars')
  await page.goto(link)
  await summary(page).click()
  await page.getByRole('button', { name: 'Copy link', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Copy link with fixed times' }).count()).toBe(0)
})

testInBrowser('a page of several charts has the same menu, and its link with fixed times shows them', async () => {
  const charts = [{ title: 'All', aplQuery: "['web'] | count", datasets: ['web'] }]
  const saved = { name: 'Shop', startTime: 'now-1h', endTime: 'now', charts }
  const { id } = await send<{ id: string }>(service, 'POST', '/v2/saved-views', saved)
  const permissions = ['clipboard-read', 'clipboard-write']
  await using page = await openPage(service, `/views?savedView=${id}`, { permissions, viewport: { width: 1000, height: 700 } })
  await page.clock.setFixedTime('2026-03-29T23:00:00Z')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await summary(page).click()
  await page.getByRole('button', { name: 'Copy link with fixed times' }).click()
  await page.getByText('Copied').waitFor()
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()))
  await page.getByRole('region', { name: 'All', exact: true }).getByText('1', { exact: true }).waitFor()
  expect(times(page.url())).toEqual(['2026-03-29T22:00:00.000Z', '2026-03-29T23:00:00.000Z'])
})

for (const [screen, width] of Object.entries({ wide: 1280, middle: 710, phone: 390 }))
  for (const colorScheme of ['light', 'dark'] as const)
    testInBrowser(`the menu is all on the screen: ${screen}, ${colorScheme}`, async () => {
      await using page = await openPage(service, '/?datasets=web', { ...BERLIN, colorScheme, viewport: { width, height: 844 } })
      await summary(page).click()
      const box = await page.locator('.range-menu').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(await page.locator('.range-menu').evaluate((menu) => menu.scrollWidth - menu.clientWidth)).toBe(0)
    })
