/** The page at its edges: a century on one chart, hundreds of marks at one moment, slow answers, long names. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { someAtATime } from '../../../__tests__/support/some-at-a-time.ts'
import { markOn, plotBox } from './support/charts.ts'
import { doInRange } from './support/menus.ts'
import { at, MORNING } from './support/times.ts'

const BURST = 600

const service = serviceForTests()
beforeAll(async () => {
  for (const dataset of ['web', 'api']) await ingest(service, dataset, [{ _time: at(30), status: 200 }])
  await someAtATime(BURST, (n) => annotate(service, { datasets: ['api'], type: 'burst', time: at(50), title: `Burst ${n}` }))
})

const caption = (page: Page) => page.locator('figcaption')

testInBrowser('zooming out ends where nothing can be stored, and in again leads back', async () => {
  const century = 'startTime=1950-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z'
  await using page = await openPage(service, `/?datasets=web&utc=true&${century}`)
  await caption(page).getByText('1 event').waitFor()
  await doInRange(page, 'Zoom out', 4)
  expect(page.url()).toContain('startTime=1900-01-01T00:00:00.000Z&endTime=2262-04-11T23:47:16.854Z')
  await doInRange(page, 'Zoom in')
  await caption(page).getByText('1 event').waitFor()
})

testInBrowser('hundreds of marks at one moment are listed, and their address can be reloaded', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=api`)
  await markOn(page, 'api', new RegExp(`^${BURST} annotations`)).click()
  const panel = page.getByRole('complementary')
  await panel.getByRole('heading', { name: `${BURST} annotations` }).waitFor()
  await page.reload()
  await panel.getByRole('heading', { name: '100 annotations' }).waitFor()
})

testInBrowser('a live page waits for slow answers', async () => {
  await using page = await openPage(service, '/tokens')
  let asked = 0
  await page.route('**/v1/datasets/_apl?format=tabular**', async (route) => {
    asked++
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await route.continue()
  })
  await page.goto(`${service.url}/?${MORNING}&datasets=web&live=true`)
  await caption(page).getByText('1 event').waitFor()
  // And once for the day before.
  expect(asked).toBeLessThanOrEqual(2)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

testInBrowser('a drag on one chart does nothing on another that was only clicked', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web,api`)
  const [web, api] = [await plotBox(page, 'web'), await plotBox(page, 'api')]
  await page.keyboard.down('Shift')
  await page.mouse.click(web.x + 200, web.y + 60)
  await page.keyboard.up('Shift')
  await page.mouse.move(api.x + 200, api.y + 60)
  await page.mouse.down()
  await page.mouse.move(api.x + 400, api.y + 60, { steps: 5 })
  await page.mouse.up()
  await page.waitForURL((url) => url.searchParams.get('startTime') !== at(0))
  expect(await page.getByRole('dialog').count()).toBe(0)
})

testInBrowser('an answer that failed is not told as no events', async () => {
  for (const [status, said] of [
    [500, 'the disk is full'],
    [503, 'The service cannot answer right now. Try again in a moment.'],
  ] as const) {
    await using page = await openPage(service, '/tokens', { expectedErrors: /500|503/ })
    await page.route('**/v1/datasets/_apl*', (route) => route.fulfill({ status, body: '{"message":"the disk is full"}' }))
    await page.goto(`${service.url}/?${MORNING}&datasets=web`)
    await page.getByRole('alert').getByText(said).first().waitFor()
    expect(await caption(page).textContent()).not.toContain('event')
  }
})

testInBrowser('a refresh that failed keeps what was there, and says so once', async () => {
  await using page = await openPage(service, `/?events=true&${MORNING}&datasets=web,api`, { expectedErrors: /ERR_FAILED/ })
  const marks = page.getByRole('toolbar').getByRole('button')
  const events = page.getByRole('region', { name: 'Events' })
  await marks.first().waitFor()
  await caption(page).getByText('1 event').nth(1).waitFor()
  await events.getByText('2 events').waitFor()
  await page.route(/\/v[12]\//, (route) => route.abort())
  await doInRange(page, 'Refresh')
  await page.getByRole('alert').waitFor()
  await events.getByText('from before').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('alert').count()).toBe(1)
  expect([
    await marks.count(),
    await caption(page).getByText('1 event').count(),
    await events.getByRole('listitem').count(),
  ]).toEqual([1, 2, 2])
  await page.unrouteAll()
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

testInBrowser('Refresh asks for the events again, of a range that stands still too', async () => {
  await using page = await openPage(service, `/?events=true&datasets=later&utc=true&${MORNING}`, { expectedErrors: /404/ })
  await page.getByRole('alert').first().waitFor()
  await ingest(service, 'later', [{ _time: at(31), status: 200 }])
  await doInRange(page, 'Refresh')
  await page.getByRole('region', { name: 'Events' }).getByText('1 event').waitFor()
})

testInBrowser('an annotation out of the range is shown as it is after a change', async () => {
  const { id } = await annotate(service, { datasets: ['web'], type: 'deploy', time: '2026-02-05T00:00:00Z', open: true })
  await using page = await openPage(service, `/?${MORNING}&annotations=${id}`)
  await page.getByRole('button', { name: 'Close now' }).click()
  await page.getByRole('complementary').getByText('Duration').waitFor()
  await send(service, 'DELETE', `/v2/annotations/${id}`)
})

testInBrowser('what was marked in the hour after clocks are put back stays in that hour', async () => {
  // New York, 1 November 2026: 05:30 and 06:30 UTC are both 01:30.
  const range = 'startTime=2026-11-01T06:20:00Z&endTime=2026-11-01T06:40:00Z'
  await using page = await openPage(service, `/?${range}&datasets=web`, { timezoneId: 'America/New_York' })
  await caption(page).getByText('0 events').waitFor()
  const box = await plotBox(page, 'web')
  await page.keyboard.down('Control')
  await page.mouse.click(box.x + box.width / 2, box.y + 60)
  await page.keyboard.up('Control')
  await page.getByLabel('Type').fill('clock')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const time = page.getByRole('complementary').locator('time').first()
  expect(await time.getAttribute('datetime')).toMatch(/^2026-11-01T06:(29|30)/)
})

testInBrowser('the first events show without a reload', async () => {
  await using empty = await startService()
  await using page = await openPage(empty)
  await page.getByText('Waiting for the first event').waitFor()
  await ingest(empty, 'web', [{ status: 200 }])
  await caption(page).getByText('1 event').waitFor()
})
