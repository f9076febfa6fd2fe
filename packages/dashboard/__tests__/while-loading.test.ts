/** What is shown while something else is being loaded, or could not be: nothing that is of an older question looks like an answer. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { queryField } from './support/editor.ts'
import { at } from './support/times.ts'
import { expectSoon, hold } from './support/wait.ts'

const RANGE = `startTime=${at(0)}&endTime=${at(60)}&utc=true`

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 480 }, (_, n) => ({ _time: at(n / 8), status: 200, shard: `shard ${n % 24}` }))
  await ingest(service, 'web', events)
})

testInBrowser('figures of an older range are dimmed until those of the new one are there', async () => {
  await using page = await openPage(service, `/?${RANGE}&datasets=web`)
  await page.locator('figcaption').getByText('480 events').waitFor()
  const figure = page.locator('.time-chart figcaption .hint')
  const opacity = async () => Number(await figure.evaluate((one) => getComputedStyle(one).opacity))
  expect(await opacity()).toBe(1)
  const answer = await hold(page, '**/v1/datasets/_apl**')
  await page.getByRole('button', { name: 'Earlier' }).click()
  await expectSoon(async () => (await opacity()) < 0.5, true)
  answer()
  await expectSoon(async () => (await figure.textContent())?.startsWith('240 events'), true)
  expect(await opacity()).toBe(1)
})

testInBrowser('a query with a mistake leaves the chart before it, and says so', async () => {
  const apl = encodeURIComponent("['web'] | summarize count() by bin(_time, 5m)")
  await using page = await openPage(service, `/?${RANGE}&apl=${apl}`, { expectedErrors: /400/ })
  await page.getByRole('group', { name: /^Chart of The query/ }).waitFor()
  await queryField(page).fill("['web'] | sumarize count() by bin(_time, 5m)")
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByText('from the previous query').waitFor()
  expect(await page.getByRole('group', { name: /^Chart of The query/ }).count()).toBe(1)
})

testInBrowser('a first query with a mistake leaves the charts of the datasets', async () => {
  await using page = await openPage(service, `/?${RANGE}&fields=true&datasets=web`, { expectedErrors: /400/ })
  await page.getByRole('group', { name: /^Chart of web/ }).waitFor()
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  await queryField(page).fill("['web'] | sumarize count()")
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByRole('group', { name: /^Chart of web/ }).count()).toBe(1)
  await queryField(page).fill("['web'] | summarize count() by bin(_time, 5m)")
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('group', { name: /^Chart of The query/ }).waitFor()
  await expectSoon(() => page.getByRole('group', { name: /^Chart of web/ }).count(), 0)
})

testInBrowser('of 24 series the tooltip has every line in the window, wherever the chart is', async () => {
  const apl = encodeURIComponent("['web'] | summarize count() by bin(_time, 5m), shard")
  for (const viewport of [
    { width: 1_280, height: 720 },
    { width: 1_024, height: 420 },
  ]) {
    await using page = await openPage(service, `/?${RANGE}&apl=${apl}`, { viewport })
    await page.locator('.u-over').hover({ position: { x: 300, y: 60 } })
    const lines = page.locator('.chart-tip tr')
    await expectSoon(() => lines.count(), 24)
    const hidden = await lines.evaluateAll(
      (all) =>
        all.filter((one) => {
          const { top, bottom, left, right } = one.getBoundingClientRect()
          return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth
        }).length,
    )
    expect(hidden).toBe(0)
  }
})
