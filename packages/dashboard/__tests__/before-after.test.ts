/** What the panel of an annotation says of the charts before and after it. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { clientForTests } from '../../../__tests__/support/client.ts'
import { annotate } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { storeTraffic } from '../../../__tests__/support/traffic.ts'

const atMs = Date.UTC(2026, 0, 31, 12)
const at = (minute: number) => new Date(atMs + minute * UNIT_MS.m).toISOString()
const FAILED = "['shop'] | summarize failed = countif(status >= 500), requests = count() by bin(_time, 1m)"

const service = serviceForTests()
const client = clientForTests(service)
let address: string
beforeAll(async () => {
  await storeTraffic(client, { dataset: 'shop', atMs, failing: [0.01, 0.03] })
  await storeTraffic(client, { dataset: 'outage', atMs, failing: [0.01, 0.2], minutes: [60, 20] })
  const overMs = atMs + 20 * UNIT_MS.m
  await storeTraffic(client, { dataset: 'outage', atMs: overMs, failing: [0.01, 0.01], minutes: [0, 30] })
  const { id } = await annotate(service, { datasets: ['shop'], type: 'deploy', title: 'v1.2', time: at(0) })
  address = `/?startTime=${at(-65)}&endTime=${at(20)}&utc=true&annotations=${id}`
})

const rowOf = (page: Page, name: RegExp) => page.getByRole('region', { name: 'Before and after' }).getByRole('row', { name })
const said = (page: Page) => page.getByRole('region', { name: 'Before and after' })

testInBrowser(
  'events, errors and latencies of a dataset are compared with the hour before, and over the time that is chosen',
  async () => {
    await using page = await openPage(service, address)
    await rowOf(page, /^shop 200\/min → 200\/min/).waitFor()
    expect(await said(page).textContent()).toMatch(/11:00 to .*12:00 compared with .*12:00 to .*12:10\./)
    await rowOf(page, /^errors of shop 1\.\d+ % → 3\.\d+ % ×\S+ to ×/).waitFor()
    expect(await rowOf(page, /^p95 of shop \d+ ms → \d+ ms/).count()).toBe(1)
    const link = await said(page)
      .getByRole('link', { name: /^See the \d\d failing requests of shop$/ })
      .getAttribute('href')
    expect(link).toMatch(/^\/\?apl=.*where\+status.*&startTime=2026-01-31T12:00:00Z&endTime=2026-01-31T12:10:00Z&utc=true$/)
    await said(page).getByLabel('Time after it').selectOption('30 minutes')
    await said(page)
      .getByText(/09:00 to .*12:00 compared with .*12:30\.$/)
      .waitFor()
  },
)

testInBrowser('a query is compared as it was typed, a share as a share', async () => {
  await using page = await openPage(service, `${address}&apl=${encodeURIComponent(FAILED)}`)
  await rowOf(page, /^failed 1\.\d+ % → 3\.\d+ % ×\S+ to ×/).waitFor()
})

const selectSpan = async (endTime: string, time = at(0)) => {
  const { id } = await annotate(service, { datasets: ['outage'], type: 'incident', title: 'Checkout fails', time, endTime })
  return `annotations=${id}&datasets=outage&utc=true`
}

testInBrowser('of a span, what it was during it is compared, too, after what was after it', async () => {
  await using page = await openPage(service, `/?startTime=${at(-65)}&endTime=${at(50)}&${await selectSpan(at(20))}`)
  await said(page).getByText('During it').waitFor()
  const [after, during] = (await said(page).textContent())?.split('During it') ?? []
  expect(during).toMatch(/200\/min → 200\/min/)
  expect(during).toMatch(/errors of outage1\.\d+ % → 2\d(\.\d+)? %.* compared with .*12:00.* to .*12:20/)
  expect(after).toMatch(/After it.*errors of outage\d\.\d+ % → \d\.\d+ %/)
})

testInBrowser('a span that is too short to be judged has only what was after it', async () => {
  await using page = await openPage(service, `/?startTime=${at(-65)}&endTime=${at(50)}&${await selectSpan(at(2))}`)
  await rowOf(page, /^errors of outage/).waitFor()
  expect(await said(page).getByRole('heading').allTextContents()).toEqual(['Before and after'])
})

testInBrowser('of a span that is not over yet, there is no time after it', async () => {
  const [startMs, endMs] = [Date.now() - 30 * UNIT_MS.m, Date.now() + 60 * UNIT_MS.m]
  const selected = await selectSpan(new Date(endMs).toISOString(), new Date(startMs).toISOString())
  await using page = await openPage(service, `/?startTime=now-1h&endTime=now&${selected}`)
  await said(page)
    .getByText(/compared with/)
    .first()
    .waitFor()
  expect(await said(page).getByRole('heading').allTextContents()).toEqual(['Before and after', 'During it'])
})

testInBrowser(
  'beside a query, the events, errors and latencies of its datasets are compared, also where it is no chart',
  async () => {
    await using page = await openPage(service, `${address}&apl=${encodeURIComponent("['shop'] | summarize count()")}`)
    await rowOf(page, /^errors of shop 1\.\d+ % → 3\.\d+ %/).waitFor()
    await rowOf(page, /^shop 200\/min → 200\/min/).waitFor()
    expect(await said(page).getByRole('row').count()).toBe(3)
  },
)

testInBrowser('a query of annotations has no events to compare', async () => {
  await using page = await openPage(service, `${address}&apl=${encodeURIComponent("['_annotations'] | summarize count()")}`)
  await page.getByRole('button', { name: 'Change', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await said(page).count()).toBe(0)
})
