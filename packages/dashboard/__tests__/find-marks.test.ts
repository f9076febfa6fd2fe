/** Marks found by words, on the charts of datasets and on those of a view; and titles where charts are narrow. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { someAtATime } from '../../../__tests__/support/some-at-a-time.ts'
import { marksOn } from './support/charts.ts'
import { openMarks } from './support/menus.ts'
import { at } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const RANGE = `startTime=${at(0)}&endTime=${at(180)}&utc=true`
const MANY = 1_200

const service = serviceForTests()
let board: string
beforeAll(async () => {
  await ingest(service, 'web', [{ _time: at(30), status: 200 }])
  const marks = [
    { type: 'deploy', title: 'Storefront 1.41.0', time: at(40) },
    { type: 'deploy', title: 'Storefront 1.41.1', time: at(75), description: 'New checkout, by Ada.\n\nsuccess after 3 min' },
    { type: 'incident', title: 'Checkout fails', time: at(125) },
  ]
  for (const mark of marks) await annotate(service, { datasets: ['web'], ...mark })
  const charts = [{ title: 'Requests', aplQuery: "['web'] | summarize count() by bin(_time, 5m)", datasets: ['web'] }]
  const view = { name: 'Board', charts, startTime: at(0), endTime: at(180) }
  board = (await send<{ id: string }>(service, 'POST', '/v2/saved-views', view)).id
  await someAtATime(MANY, (n) => annotate(service, { datasets: ['busy'], type: 'burst', time: at(50), title: `Burst ${n}` }))
})

const words = (page: Page) => page.getByRole('searchbox', { name: 'Only annotations with these words' })

testInBrowser('the charts show only the annotations that have all of the words, and the address keeps them', async () => {
  await using page = await openPage(service, `/?${RANGE}&datasets=web`)
  await marksOn(page, 'web').nth(2).waitFor()
  await openMarks(page)
  await words(page).fill('checkout ada')
  await expectSoon(() => marksOn(page, 'web').allTextContents(), ['Storefront 1.41.1'])
  await page.getByRole('status').getByText('1 of 3').waitFor()
  await page.reload()
  await expectSoon(() => marksOn(page, 'web').allTextContents(), ['Storefront 1.41.1'])
  await page.locator('summary', { hasText: 'Marks 1 of 3' }).waitFor()
  await openMarks(page)
  expect(await words(page).inputValue()).toBe('checkout ada')
  await words(page).fill('nowhere')
  await page.getByRole('status').getByText('0 of 3').waitFor()
  await expectSoon(() => marksOn(page, 'web').count(), 0)
  await words(page).fill('')
  await expectSoon(() => marksOn(page, 'web').count(), 3)
  expect(page.url()).not.toContain('text=')
})

testInBrowser('the charts of a view and of a query do, too', async () => {
  await using page = await openPage(service, `/views?savedView=${board}&${RANGE}`)
  await openMarks(page)
  await words(page).fill('FAILS')
  await expectSoon(() => marksOn(page, 'Requests').allTextContents(), ['Checkout fails'])
  const apl = encodeURIComponent("['web'] | summarize count() by bin(_time, 5m)")
  await page.goto(`${service.url}/?${RANGE}&apl=${apl}&text=fails`)
  await expectSoon(() => marksOn(page, 'The query').allTextContents(), ['Checkout fails'])
})

testInBrowser('one click beside the name of a chart hides the marks of its dataset, and another one shows them', async () => {
  await using page = await openPage(service, `/?${RANGE}&datasets=web`)
  await marksOn(page, 'web').nth(2).waitFor()
  await page.getByRole('button', { name: 'Marks of web' }).click()
  await expectSoon(() => marksOn(page, 'web').count(), 0)
  expect(new URL(page.url()).searchParams.get('hiddenDatasets')).toBe('web')
  await page.getByRole('button', { name: 'Marks of web' }).click()
  await expectSoon(() => marksOn(page, 'web').count(), 3)
})

testInBrowser('marks are those of production, until somebody asks for others or opens one of them', async () => {
  const mark = { datasets: ['tried'], type: 'deploy', time: at(60) }
  await annotate(service, { ...mark, title: 'Live', environment: 'prod-eu' })
  const { id } = await annotate(service, { ...mark, title: 'Tried', environment: 'staging' })
  await using page = await openPage(service, `/?${RANGE}&datasets=tried`, { expectedErrors: /404/ })
  await page.locator('summary', { hasText: 'Environment: production' }).click()
  await page.locator('summary', { hasText: 'Marks 1' }).waitFor()
  await page.getByRole('button', { name: 'All environments' }).click()
  await page.locator('summary', { hasText: 'Marks 2' }).waitFor()
  await page.goto(`${service.url}/?${RANGE}&datasets=tried&annotations=${id}`)
  await page.locator('summary', { hasText: 'Marks 2' }).waitFor()
})

testInBrowser('on a narrow chart each version is there whole, and no button covers another', async () => {
  await using page = await openPage(service, `/?${RANGE}&datasets=web`, { viewport: { width: 390, height: 844 } })
  await marksOn(page, 'web').nth(2).waitFor()
  const buttons = await marksOn(page, 'web').evaluateAll((all) =>
    all.map((one) => {
      const { left, right, top } = one.getBoundingClientRect()
      return { text: one.textContent ?? '', left, right, top, isCut: one.scrollWidth > one.clientWidth }
    }),
  )
  expect(buttons.map(({ text }) => /1\.41\.\d|Ch/.exec(text)?.[0])).toEqual(['1.41.0', '1.41.1', 'Ch'])
  for (const [index, { left, top, isCut }] of buttons.entries()) {
    expect(isCut).toBe(false)
    const before = buttons.slice(0, index).findLast((one) => one.top === top)
    expect(left).toBeGreaterThanOrEqual(before?.right ?? 0)
  }
})

testInBrowser('a count of annotations has its digits in groups of three', async () => {
  await using page = await openPage(service, `/?${RANGE}&datasets=busy`, { expectedErrors: /404/ })
  await openMarks(page)
  await page.locator('.toggles label').getByText('(1,200)').first().waitFor()
})
