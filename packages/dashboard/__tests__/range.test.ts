/** The menu of the range: names, days and times in the zone that is shown, and the link to what the page shows. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { doInRange } from './support/menus.ts'
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
  expect([...reached].slice(7)).toEqual([
    ...['Today', 'Yesterday', 'This week', 'Previous week', 'This month', 'Previous month'],
    ...['Times in', 'From', 'To', 'Show', 'Refresh', 'Zoom out', 'Zoom in', 'off'],
  ])
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

testInBrowser('Share copies the sentence of what hurts with a link that has the datasets and the times', async () => {
  await using page = await openPage(service, '/?startTime=now-1h&kind=table&live=true', { permissions })
  await page.clock.setFixedTime(NOW)
  await page.route('**/v2/annotations?**', async (route) => {
    const answer = await route.fetch()
    const headline = 'Errors doubled: 0.98 → 1.96 %'
    const worse = { verdict: 'worse', hurtsNow: true, verdictDetails: { headline, text: headline, series: [] } }
    await route.fulfill({
      json: [{ ...worse, id: 'a', datasets: ['web'], type: 'deploy', time: NOW, title: 'web 2.15.0' }],
      response: answer,
    })
  })
  await doInRange(page, 'Refresh')
  await page.locator('.mark').first().waitFor()
  const [sentence, link = ''] = (await share(page)).split('\n')
  expect(sentence).toBe('web 2.15.0: Errors doubled: 0.98 → 1.96 %')
  expect(new URL(link).search).toBe(
    '?datasets=web&startTime=2026-03-29T21:30:00.000Z&endTime=2026-03-29T22:30:00.000Z&kind=table',
  )
})

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
