/** Charts with annotations on them, as a person uses them: pick, zoom, show and hide, share. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { marksOn, panelOf, plotBox } from './support/charts.ts'
import { doInRange, openMarks } from './support/menus.ts'
import { at, MORNING } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceForTests()
beforeAll(async () => {
  const minutes = Array.from({ length: 120 }, (_, minute) => minute)
  const events = minutes.map((minute) => ({ _time: at(minute), status: minute === 60 ? 500 : 200 }))
  await ingest(service, 'web', events)
  const fewer = minutes.filter((minute) => minute % 2 === 0).map((minute) => ({ _time: at(minute), status: 200 }))
  await ingest(service, 'api', fewer)
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(20), title: 'Release 7' })
  await annotate(service, { datasets: ['web', 'api'], type: 'deploy', time: at(60), endTime: at(70), title: 'Release 8' })
  await annotate(service, { datasets: ['api'], type: 'incident', time: at(90), endTime: at(110), title: 'Disk full' })
})

/** Titles of the buttons on a dataset's chart, once there are so many. */
async function titlesOn(page: Page, dataset: string, count: number): Promise<string[]> {
  const buttons = marksOn(page, dataset)
  if (count > 0) await buttons.nth(count - 1).waitFor()
  await expectSoon(() => buttons.count(), count)
  return buttons.allTextContents()
}

async function drag(page: Page, dataset: string, from: number, to: number, key?: 'Shift'): Promise<void> {
  const box = await plotBox(page, dataset)
  const y = box.y + box.height / 2
  if (key) await page.keyboard.down(key)
  await page.mouse.move(box.x + from * box.width, y)
  await page.mouse.down()
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y, { steps: 4 })
  await page.mouse.move(box.x + to * box.width, y, { steps: 4 })
  await page.mouse.up()
  if (key) await page.keyboard.up(key)
}

testInBrowser('each dataset has a chart of its events with its own annotations', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web,api`)
  expect(await titlesOn(page, 'web', 2)).toEqual(['Release 7', 'Release 8'])
  expect(await titlesOn(page, 'api', 2)).toEqual(['Release 8', 'Disk full'])
  await page.getByText('120 events').waitFor()
  await page.getByText('60 events').waitFor()
})

testInBrowser('a toggle hides the annotations of a type on every chart', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web,api`)
  await titlesOn(page, 'api', 2)
  await openMarks(page)
  await page.getByRole('checkbox', { name: /^deploy/ }).uncheck()
  expect([await titlesOn(page, 'web', 0), await titlesOn(page, 'api', 1)]).toEqual([[], ['Disk full']])
  await page.getByRole('checkbox', { name: /^deploy/ }).check()
  expect(await titlesOn(page, 'web', 2)).toEqual(['Release 7', 'Release 8'])
})

testInBrowser('dragging zooms all charts, the browser goes back, and buttons move and widen the range', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web,api`)
  await titlesOn(page, 'web', 2)
  await drag(page, 'web', 0.45, 0.65)
  await page.waitForURL((url) => url.searchParams.get('startTime') !== at(0))
  expect(await titlesOn(page, 'web', 1)).toEqual(['Release 8'])
  expect(await titlesOn(page, 'api', 1)).toEqual(['Release 8'])
  const zoomed = new URL(page.url()).searchParams
  expect(Math.abs(Date.parse(zoomed.get('startTime') ?? '') - Date.parse(at(54)))).toBeLessThan(60_000)
  expect(Math.abs(Date.parse(zoomed.get('endTime') ?? '') - Date.parse(at(78)))).toBeLessThan(60_000)
  await page.goBack()
  expect(await titlesOn(page, 'web', 2)).toEqual(['Release 7', 'Release 8'])
  await page.getByRole('button', { name: 'Later' }).click()
  expect(await titlesOn(page, 'web', 1)).toEqual(['Release 8'])
  await doInRange(page, 'Zoom out')
  expect(await titlesOn(page, 'web', 2)).toEqual(['Release 7', 'Release 8'])
})

testInBrowser('a span that is marked on one chart is marked on that one, and zooms none of them', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web,api`)
  await titlesOn(page, 'api', 2)
  await drag(page, 'api', 0.2, 0.4, 'Shift')
  await page.getByRole('dialog', { name: 'New annotation' }).waitFor()
  const chosen = page.getByRole('group', { name: 'Datasets', exact: true }).getByRole('checkbox', { checked: true })
  expect(await chosen.evaluateAll((all) => all.map((box) => box.parentElement?.textContent?.trim()))).toEqual(['api'])
  expect(new URL(page.url()).searchParams.get('startTime')).toBe(at(0))
})

testInBrowser('the keyboard reaches everything: marks by arrow keys, the chart by arrows, plus and minus', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web`)
  await titlesOn(page, 'web', 2)
  await marksOn(page, 'web').first().focus()
  await page.getByRole('tooltip').getByText('31 Jan 2026, 10:20:00 UTC').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tooltip').getByText('for 10 min').waitFor()
  await page.keyboard.press('Enter')
  await panelOf(page).getByRole('heading', { name: 'Release 8' }).waitFor()
  await page.getByRole('group', { name: /^Chart of web/ }).focus()
  await page.keyboard.press('+')
  await page.waitForURL((url) => url.searchParams.get('startTime') === at(30))
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL((url) => url.searchParams.get('startTime') === at(15))
  // A key that is held is one step on the way back.
  const steps = await page.evaluate(() => history.length)
  await page.keyboard.down('ArrowRight')
  for (let n = 0; n < 3; n++) await page.keyboard.down('ArrowRight')
  await page.keyboard.up('ArrowRight')
  await page.waitForURL((url) => url.searchParams.get('startTime') === at(75))
  expect(await page.evaluate(() => history.length)).toBe(steps + 1)
})

testInBrowser('a range that makes no sense is told beside it, and what is shown stays', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web,api`)
  await titlesOn(page, 'web', 2)
  await page.locator('summary', { hasText: /^Range:/ }).click()
  await page.getByLabel('From').fill('whenever')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('alert').getByText('the start "whenever" is not a time').waitFor()
  expect(await titlesOn(page, 'web', 2)).toEqual(['Release 7', 'Release 8'])
  await page.getByLabel('From').fill('now-15m')
  await page.getByLabel('To').fill('now')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  expect(await titlesOn(page, 'web', 0)).toEqual([])
})
