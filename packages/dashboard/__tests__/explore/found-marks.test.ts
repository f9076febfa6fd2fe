/** Annotations from a query: a row of its own on every chart, beside the annotations. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { markOn, marksOn } from '../support/charts.ts'
import { openMarks } from '../support/menus.ts'
import { at, MORNING } from '../support/times.ts'
import { expectSoon } from '../support/wait.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
const ERRORS = "['web'] | where status == 500 | project _time, title = message"

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 240 }, (_, n) => ({ _time: at(n / 2), status: 200, message: 'fine' }))
  for (const dataset of ['web', 'api']) await ingest(service, dataset, events)
  const failed = [at(30), at(80), at(80.1), at(80.2)]
  const errors = failed.map((_time, n) => ({ _time, status: 500, message: n === 0 ? HOSTILE : `Out of memory ${n}` }))
  await ingest(service, 'web', errors)
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(60), title: 'Release 8' })
})

const foundOn = (page: Page, dataset: string) =>
  page.getByRole('toolbar', { name: `Annotations from the query on ${dataset}` }).getByRole('button')

testInBrowser('the rows of a query are marks on every chart, and the address keeps the query', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web,api`)
  await markOn(page, 'web', /^Release 8/).waitFor()
  expect(await page.locator('.found-marks').count()).toBe(0)
  await openMarks(page)
  await page.getByRole('textbox', { name: 'Annotations from a query' }).fill(ERRORS)
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  for (const dataset of ['web', 'api']) await expectSoon(() => foundOn(page, dataset).allTextContents(), ['•', '3'])
  expect(new URL(page.url()).searchParams.get('annotationsQuery')).toBe(ERRORS)
  // They are no annotations.
  expect(await marksOn(page, 'web').count()).toBe(1)
  await foundOn(page, 'web').first().hover()
  await page.getByRole('tooltip').getByText(HOSTILE).waitFor()
  await foundOn(page, 'web').first().press('ArrowRight')
  await page.getByRole('tooltip').getByText('Out of memory 3').waitFor()
  await page.reload()
  await expectSoon(() => foundOn(page, 'web').count(), 2)
  await openMarks(page)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expectSoon(() => page.locator('.found-marks').count(), 0)
})

testInBrowser('a click on one leads to the time around it', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=web&annotationsQuery=${encodeURIComponent(ERRORS)}`)
  await foundOn(page, 'web').last().click()
  await page.waitForURL((url) => url.searchParams.get('startTime') !== at(0))
  const { searchParams } = new URL(page.url())
  const [start, end] = ['startTime', 'endTime'].map((name) => Date.parse(searchParams.get(name) ?? ''))
  expect([start, end]).toEqual([Date.parse(at(72.5)), Date.parse(at(87.5))])
})

testInBrowser('a query that fails, or has no times, says so, and the charts stay', async () => {
  const noTime = encodeURIComponent("['web'] | summarize count() by status")
  await using page = await openPage(service, `/?${MORNING}&datasets=web&annotationsQuery=${noTime}`)
  await page.getByRole('alert').getByText('the query for annotations has rows without _time').waitFor()
  await page.locator('figcaption').getByText('244 events').waitFor()
  await using other = await openPage(service, `/?${MORNING}&datasets=web&annotationsQuery=nothere`, { expectedErrors: /404|400/ })
  await other.getByRole('alert').getByText('nothere').waitFor()
  await other.locator('figcaption').getByText('244 events').waitFor()
})
