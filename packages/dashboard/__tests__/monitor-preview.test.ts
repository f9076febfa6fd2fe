/** What a monitor would have found, drawn in its form with the threshold; and when it triggered, below it. */
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { withThreshold } from '../src/monitors/chart-query.ts'
import { WIDE_NAME } from './support/hostile.ts'
import { act } from './support/resources.ts'

const ERRORS = "['web'] | where status >= 500 | summarize count()"
const MINUTE_MS = 60_000

const service = serviceForTests()
beforeAll(async () => {
  const time = (at: number) => new Date(Date.now() - (at + 2) * MINUTE_MS).toISOString()
  const events = Array.from({ length: 60 }, (_, at) => ({ _time: time(at), status: 500 }))
  await ingest(service, 'web', events)
})

async function preview(page: Page, query: string): Promise<void> {
  await page.getByLabel('Query').fill(query)
  await page.getByRole('button', { name: 'Preview' }).click()
}

/** How many points of the chart have the color of the threshold: a canvas has nothing else to look at. */
const redPoints = (page: Page) =>
  page.locator('.preview canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    let count = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0, opacity = 0] = data.slice(at, at + 4)
      if (opacity > 250 && Math.abs(red - 180) + Math.abs(green - 35) + Math.abs(blue - 24) < 30) count++
    }
    return count
  })

test('the threshold of a preview is a line', () => {
  const frame = { times: [0, 1], stepMs: 1, series: [{ label: 'count_', values: [1, 2], color: '' }], leftOut: 0, panes: [] }
  expect(withThreshold(frame, 5).series[1]).toMatchObject({ label: 'threshold', values: [5, 5], isDashed: true })
  expect(withThreshold(frame, Number.NaN)).toBe(frame)
})

testInBrowser('the form draws its query with the threshold, which moves as it is typed', async () => {
  await using page = await openPage(service, '/monitors', { expectedErrors: /400/ })
  await page.getByRole('button', { name: 'New monitor' }).click()
  expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
  await preview(page, ERRORS)
  const chart = page.getByRole('group', { name: /^Chart of the preview: \d+ intervals, highest 5,/ })
  await chart.waitFor()
  expect(await redPoints(page)).toBe(0)
  await page.getByLabel('Threshold').fill('10')
  await page.getByRole('group', { name: /^Chart of the preview: \d+ intervals, highest 10,/ }).waitFor()
  for (let tries = 0; tries < 100 && (await redPoints(page)) === 0; tries++) await page.waitForTimeout(100)
  expect(await redPoints(page)).toBeGreaterThan(50)

  await preview(page, "['web'] | where status >= 500")
  await page.getByText('not drawn over time').waitFor()
  await preview(page, `['web'] | ${WIDE_NAME}`)
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('dialog').evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
})

testInBrowser('the form of a monitor shows when it triggered', async () => {
  const rule = { aplQuery: ERRORS, operator: 'Above', threshold: 2, intervalMinutes: 1, rangeMinutes: 60, datasets: ['web'] }
  const { id } = await send<Monitor>(service, 'POST', '/v2/monitors', { ...rule, name: WIDE_NAME })
  await send(service, 'POST', '/v2/monitors', { ...rule, name: 'Quiet', threshold: 1_000 })
  let status = ''
  for (let tries = 0; tries < 100 && status !== 'triggered'; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    status = (await send<Monitor>(service, 'GET', `/v2/monitors/${id}`)).state.status
  }
  await using page = await openPage(service, '/monitors')
  const form = page.getByRole('dialog')
  await page.getByRole('link', { name: '<img src=x' }).click()
  await form.getByText('History').click()
  await form.getByRole('listitem').getByText('Triggered').waitFor()
  await page.getByRole('link', { name: 'Quiet' }).click()
  await form.getByText('History').click()
  await form.getByText('Nothing in the last 30 days').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

testInBrowser('what few monitors need is set in the form, and sent where it is not as by default', async () => {
  const rule = { aplQuery: ERRORS, operator: 'Above', threshold: 2, intervalMinutes: 1, rangeMinutes: 60, datasets: ['web'] }
  const { id } = await send<Monitor>(service, 'POST', '/v2/monitors', { ...rule, name: 'Rare', secondDelay: 30 })
  await using page = await openPage(service, '/monitors')
  await act(page, 'Rare', 'Change')
  expect(await page.getByLabel('Waits … seconds').inputValue()).toBe('30')
  await page.getByLabel('Triggers after').fill('2')
  await page.getByLabel('Of how many runs').fill('3')
  await page.getByLabel('Marks each group').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await send<Monitor>(service, 'GET', `/v2/monitors/${id}`)).toMatchObject({
    secondDelay: 30,
    triggerAfterNPositiveResults: 2,
    triggerFromNRuns: 3,
    notifyByGroup: true,
    notifyEveryRun: false,
  })
  await page.getByRole('button', { name: 'New monitor' }).click()
  expect(await page.getByLabel('Of how many runs').isVisible()).toBe(false)
})
