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

const said = (page: Page) => page.getByRole('region', { name: 'Before and after' })

testInBrowser('events of a dataset are compared with the hour before', async () => {
  await using page = await openPage(service, address)
  await said(page).getByText('No change · shop: 200/min → 200/min').waitFor()
  expect(await said(page).locator('.move').allTextContents()).toContain('200/min → 200/min')
  expect(await said(page).textContent()).toContain('10 min after, compared with 1 h before')
})

testInBrowser(
  'errors and latencies of a dataset are compared, too, over the time that is chosen, each with a chart',
  async () => {
    await using page = await openPage(service, address)
    await said(page)
      .getByText(/^Worse · shop errors: 1\.\d+ % → 3\.\d+ %/)
      .waitFor()
    expect(
      await said(page)
        .getByText(/^(No change|Cannot tell) · shop ms · p\d+:/)
        .count(),
    ).toBe(3)
    expect(await said(page).getByRole('img', { name: 'Before and after, as a chart' }).count()).toBe(5)
    await said(page).getByLabel('Time after it').selectOption('30 minutes')
    await said(page).getByText('30 min after, compared with 3 h before').waitFor()
  },
)

testInBrowser('a query is compared as it was typed, a share as a share', async () => {
  await using page = await openPage(service, `${address}&apl=${encodeURIComponent(FAILED)}`)
  await said(page)
    .getByText(/^Higher · failed: 1\.\d+ % → 3\.\d+ %, ×2\.\d+ \(.*\), by chance less than once in 10,000 times$/)
    .waitFor()
})

const selectSpan = async (endTime: string, time = at(0)) => {
  const { id } = await annotate(service, { datasets: ['outage'], type: 'incident', title: 'Checkout fails', time, endTime })
  return `annotations=${id}&datasets=outage&utc=true`
}

testInBrowser('of a span, what it was during it is compared, too, after what was after it', async () => {
  await using page = await openPage(service, `/?startTime=${at(-65)}&endTime=${at(50)}&${await selectSpan(at(20))}`)
  await said(page).getByText('10 min after, compared with 1 h before').waitFor()
  const [after, during] = (await said(page).textContent())?.split('During it') ?? []
  expect(during).toMatch(/No change · outage: 200\/min → 200\/min/)
  expect(during).toMatch(/Worse · outage errors: 1\.\d+ % → 2\d\.\d+ %.*20 min during, compared with 1 h before/)
  expect(after).toMatch(/After it.*(No change|Cannot tell) · outage errors/)
  expect(await said(page).getByRole('img', { name: 'Before and after, as a chart' }).count()).toBe(10)
})

testInBrowser('a span that is too short to be judged has only what was after it', async () => {
  await using page = await openPage(service, `/?startTime=${at(-65)}&endTime=${at(50)}&${await selectSpan(at(2))}`)
  await said(page).getByText('10 min after, compared with 1 h before').waitFor()
  expect(await said(page).getByRole('heading').allTextContents()).toEqual(['Before and after'])
})

testInBrowser('another deployment within these times is named, and shares what happened', async () => {
  const near = await annotate(service, { datasets: ['shop'], type: 'deploy', title: 'api 7.3.2', time: at(-3) })
  await using page = await openPage(service, address)
  await said(page).getByText('It is shared by “v1.2” and “api 7.3.2”.').waitFor()
  await client.annotations.delete(near.id)
})

testInBrowser('of a span that is not over yet, there is no time after it', async () => {
  const [startMs, endMs] = [Date.now() - 30 * UNIT_MS.m, Date.now() + 60 * UNIT_MS.m]
  const selected = await selectSpan(new Date(endMs).toISOString(), new Date(startMs).toISOString())
  await using page = await openPage(service, `/?startTime=now-1h&endTime=now&${selected}`)
  await said(page)
    .getByText(/^\d+ min( \d+ s)? during, compared with/)
    .waitFor()
  expect(await said(page).textContent()).not.toContain('after, compared with')
})

testInBrowser(
  'beside a query, the events, errors and latencies of its datasets are compared, also where it is no chart',
  async () => {
    await using page = await openPage(service, `${address}&apl=${encodeURIComponent("['shop'] | summarize count()")}`)
    await said(page)
      .getByText(/^Worse · shop errors: 1\.\d+ % → 3\.\d+ %/)
      .waitFor()
    await said(page).getByText('No change · shop: 200/min → 200/min').waitFor()
    expect(await said(page).getByRole('listitem').count()).toBe(5)
  },
)

testInBrowser('a query of annotations has no events to compare', async () => {
  await using page = await openPage(service, `${address}&apl=${encodeURIComponent("['_annotations'] | summarize count()")}`)
  await page.getByRole('button', { name: 'Change', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await said(page).count()).toBe(0)
})
