/** "What changed?": the ranked list for a moment that is clicked, for the key, and of an address. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { clientForTests } from '../../../__tests__/support/client.ts'
import { annotate } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { storeTraffic } from '../../../__tests__/support/traffic.ts'
import { until } from '../../../__tests__/support/until.ts'
import { chartOf, focused, markOn, marksOn, panelOf, plotBox } from './support/charts.ts'
import { openMarks } from './support/menus.ts'
import { expectSoon } from './support/wait.ts'

const MINUTE = UNIT_MS.m
/** When errors rose: so long ago that a judge has seen enough. */
const roseMs = Math.floor(Date.now() / MINUTE - 30) * MINUTE
const at = (minute: number) => new Date(roseMs + minute * MINUTE).toISOString()

const service = serviceForTests()
const client = clientForTests(service)
beforeAll(async () => {
  await storeTraffic(client, { dataset: 'web', atMs: roseMs, failing: [0.01, 0.04], minutes: [70, 30] })
  const mark = (dataset: string, type: string, title: string, minute: number, members: object = {}) =>
    annotate(service, { datasets: [dataset], type, title, time: at(minute), ...members })
  await mark('cron', 'maintenance', 'Old maintenance', -40 * 60, { open: true })
  await mark('web', 'deploy', 'web 2.14.1', -50, { description: 'failed after 1 min' })
  await mark('api', 'deploy', 'api 7.3.2', -10)
  await mark('web', 'config-change', 'Login rate limit 100 to 10', 0)
  for (let n = 0; n < 5; n++) await mark('mail', 'incident', `Mail is late ${n}`, -600 - n)
  const first = async () => (await client.releases.changes({ time: at(0) })).changes[0]
  await until('the verdict', async () => (await first())?.annotation.verdict === 'worse')
})

const listOf = (page: Page) => page.getByRole('complementary', { name: /^What changed before/ })
const namesIn = (page: Page, heading: string) =>
  listOf(page).getByRole('region', { name: heading }).locator('.named').allTextContents()

/** Where a moment is on the chart of web, in pixels of the page. */
async function placeOf(page: Page, minute: number) {
  const box = await plotBox(page, 'web')
  const [startMs, endMs] = [roseMs - 60 * MINUTE, roseMs + 30 * MINUTE]
  const part = (roseMs + minute * MINUTE - startMs) / (endMs - startMs)
  return { x: box.x + part * box.width, y: box.y + box.height / 2 }
}
const AROUND = `/?datasets=web&startTime=${at(-60)}&endTime=${at(30)}&utc=true`

testInBrowser('a click on the moment at which errors rose tells the change of configuration as most likely', async () => {
  await using page = await openPage(service, AROUND)
  await markOn(page, 'web', /^Login rate limit/).waitFor()
  const { x, y } = await placeOf(page, 0)
  await page.mouse.click(x, y)
  await listOf(page).getByText('6 of 9 marks in the 24 hours before, on all services.').waitFor()
  expect(await namesIn(page, 'Most likely')).toEqual(['Login rate limit 100 to 10'])
  expect(await namesIn(page, 'Possible')).toEqual(['api 7.3.2'])
  expect((await namesIn(page, 'Unlikely'))[0]).toBe('web 2.14.1')
  await listOf(page)
    .getByText(/^Errors rose \d.*-fold: 1.* → 4.* %/)
    .waitFor()
  await listOf(page).getByText('Not judged, on api').waitFor()
  // The marks have the numbers of the list, also those of other datasets, and their names.
  await expectSoon(() => marksOn(page, 'web').allTextContents(), ['3', '2', '1'])
  await chartOf(page, 'web').locator('..').locator('.moment').waitFor()
  const { changes } = await client.releases.changes({ time: new URL(page.url()).searchParams.get('moment') ?? '' })
  expect(changes.slice(0, 6).map(({ annotation }) => annotation.title)).toEqual(
    await listOf(page).locator('section .named').allTextContents(),
  )

  await listOf(page).getByText('3 more marks, none near').click()
  await listOf(page).getByRole('button', { name: 'Old maintenance' }).waitFor()
  await listOf(page).getByRole('button', { name: 'Open Login rate limit 100 to 10' }).click()
  await panelOf(page).getByRole('heading', { name: 'Login rate limit' }).waitFor()
  await page.keyboard.press('Escape')
  await listOf(page).waitFor()
  await page.keyboard.press('Escape')
  await listOf(page).waitFor({ state: 'detached' })
  await markOn(page, 'web', /^Login rate limit/)
    .getByText('Login')
    .waitFor()
})

testInBrowser('a drag zooms, Shift marks, and neither asks what changed', async () => {
  await using page = await openPage(service, AROUND)
  await markOn(page, 'web', /^Login rate limit/).waitFor()
  const { x, y } = await placeOf(page, -30)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 200, y, { steps: 6 })
  await page.mouse.up()
  await expectSoon(async () => new URL(page.url()).searchParams.get('startTime') === at(-60), false)
  expect(new URL(page.url()).searchParams.has('moment')).toBe(false)
})

testInBrowser('C asks about the moment at which the worst harm of the view began, and not while somebody writes', async () => {
  await using page = await openPage(service, AROUND)
  await markOn(page, 'web', /^Login rate limit/).waitFor()
  await openMarks(page)
  await page.locator('.marks-menu input[type=search]').press('c')
  expect(new URL(page.url()).searchParams.has('moment')).toBe(false)
  await page.goto(service.url + AROUND)
  await markOn(page, 'web', /^Login rate limit/).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('heading', { name: `What changed before ${at(0).slice(11, 16)}?` }).waitFor()
  expect(new URL(page.url()).searchParams.get('moment')).toBe(at(0))
  expect(await focused(page)).toContain('What changed before')
  await listOf(page).getByRole('button', { name: 'Close the panel' }).click()
  await page.getByRole('button', { name: 'What changed?' }).click()
  await listOf(page).getByText('at the moment').first().waitFor()
  // Where the pointer is at a moment, that one is meant.
  const { x, y } = await placeOf(page, -30)
  await page.mouse.move(x, y)
  await page.keyboard.press('c')
  const asked = async () => Date.parse(new URL(page.url()).searchParams.get('moment') ?? '')
  await expectSoon(async () => Math.abs((await asked()) - Date.parse(at(-30))) <= 3 * 60_000, true)
})

testInBrowser('an address with a moment shows its list; of what is no time, it says so', async () => {
  await using page = await openPage(service, '/?moment=now-20d', { expectedErrors: /422/ })
  await listOf(page).getByText('No marks in the 24 hours before').waitFor()
  await page.goto(`${service.url}/?moment=soon`)
  await listOf(page).getByRole('alert').getByText(/time/).waitFor()
})
