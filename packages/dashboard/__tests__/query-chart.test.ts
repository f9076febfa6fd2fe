/** What a typed query becomes on the page: a chart with annotations, events, a figure, a table, or a reason why not. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { markMiddle, marksOn, plotBox } from './support/charts.ts'
import { queryField } from './support/editor.ts'
import { openMarks } from './support/menus.ts'
import { at } from './support/times.ts'

const addressOf = (apl: string, more = '') =>
  `/?startTime=${at(0)}&endTime=${at(120)}&utc=true&apl=${encodeURIComponent(apl)}${more}`

const service = serviceForTests()
beforeAll(async () => {
  const minutes = Array.from({ length: 120 }, (_, minute) => minute)
  const events = minutes.map((minute) => ({ _time: at(minute), status: minute % 3 === 0 ? 500 : 200, took: minute / 10 }))
  await ingest(service, 'web', events)
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(30), endTime: at(40), title: 'Release 8' })
  await annotate(service, { datasets: ['api'], type: 'deploy', time: at(60), title: 'Of another dataset' })
})

const marksOf = (page: Page) => marksOn(page, 'The query')

testInBrowser('bins of time are a chart with a line for each group and the annotations of the query’s datasets', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize count() by bin(_time, 5m), status"))
  await marksOf(page).first().waitFor()
  expect(await marksOf(page).allTextContents()).toEqual(['Release 8'])
  expect(await page.locator('.legend li').allTextContents()).toEqual([' 200', ' 500'])
  await openMarks(page)
  await page.getByRole('checkbox', { name: /^web/ }).uncheck()
  await marksOf(page).first().waitFor({ state: 'detached' })
  await page.getByText('As a table').click()
  await page.getByRole('columnheader', { name: 'status' }).waitFor()
})

testInBrowser('a new annotation on a query’s chart is of the query’s datasets', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize max(took) by bin(_time, 5m)"))
  await markMiddle(page, 'The query')
  const chosen = page.getByRole('group', { name: 'Datasets', exact: true }).getByRole('checkbox', { checked: true })
  await chosen.first().waitFor()
  expect(await chosen.evaluateAll((all) => all.map((box) => box.parentElement?.textContent?.trim()))).toEqual(['web'])
})

testInBrowser('rows are counted over time and listed below', async () => {
  await using page = await openPage(service, addressOf("['web'] | where status == 500"))
  await page.locator('figcaption').getByText('40 events').waitFor()
  await page.getByRole('region', { name: 'Events' }).getByText('40 events').waitFor()
  expect(await marksOf(page).allTextContents()).toEqual(['Release 8'])
})

testInBrowser('rows without their time are a table, one row of figures is figures', async () => {
  await using page = await openPage(service, addressOf("['web'] | project status, took | limit 3"))
  await page.getByRole('columnheader', { name: 'took' }).waitFor()
  expect(await page.getByRole('region', { name: 'Events' }).count()).toBe(0)
  await page.goto(service.url + addressOf("['web'] | summarize highest = max(took)"))
  await page.getByRole('region', { name: 'Result' }).getByText('11.9').waitFor()
})

testInBrowser(
  'a mistake is shown at its place; mended, the chart comes; closed, the charts of the datasets are back',
  async () => {
    await using page = await openPage(service, `${addressOf("['web'] | summarise count()")}&datasets=web`, {
      expectedErrors: /400/,
    })
    await page.getByRole('alert').getByText('summarise').first().waitFor()
    await page.getByRole('textbox', { name: 'Query' }).fill("['web'] | summarize count() by bin(_time, 10m)")
    await page.keyboard.press('Control+Enter')
    await marksOf(page).first().waitFor()
    await page.getByRole('button', { name: 'Close the query' }).click()
    await page.getByRole('heading', { name: 'web' }).waitFor()
    expect(new URL(page.url()).searchParams.has('apl')).toBe(false)
  },
)

testInBrowser('what is shown stays that of the query before until the next one is answered', async () => {
  await using page = await openPage(service, addressOf("['web'] | where status == 500"))
  await page.getByRole('region', { name: 'Events' }).getByText('40 events').waitFor()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('_apl')) asked.push((request.postDataJSON() as { apl: string }).apl)
  })
  await page.getByLabel('Query', { exact: true }).fill("['web'] | summarize count() by status")
  await page.keyboard.press('Control+Enter')
  await page.getByRole('columnheader', { name: 'status' }).waitFor()
  expect(asked).toEqual(["['web'] | summarize count() by status"])
})

testInBrowser('the last bin is drawn whole, and the pointer reads the bin that it is in', async () => {
  await using page = await openPage(service, addressOf("['web'] | summarize max(took) by bin(_time, 1h)"))
  await marksOf(page).first().waitFor()
  const box = await plotBox(page)
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2)
  const tip = page.locator('.chart-tip')
  await tip.filter({ hasText: '31 Jan 2026, 11:00:00 UTC' }).getByText('11.9').waitFor()
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2)
  await tip.filter({ hasText: '31 Jan 2026, 10:00:00 UTC' }).getByText('5.9').waitFor()
})

testInBrowser('going back to where no query was closes it', async () => {
  await using page = await openPage(service, `${addressOf('')}&fields=true&datasets=web`)
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  await queryField(page).fill("['web'] | count")
  await page.keyboard.press('Control+Enter')
  await page.getByRole('region', { name: 'Result' }).getByText('120').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'web' }).waitFor()
  expect(await queryField(page).count()).toBe(0)
})
