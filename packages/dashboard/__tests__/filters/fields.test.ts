/** The list of fields and the filters in a browser: frequent values, chips over the charts, what they do to charts and events. */
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { ingest, send, tokenWith } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { queryField, writtenQuery } from '../support/editor.ts'
import { NEW_YEAR } from '../support/times.ts'
import { expectSoon } from '../support/wait.ts'

const HOSTILE = "<img src=http://example.com/x onerror=alert(1)>\u202e' | count //"

const service = serviceForTests()
beforeAll(async () => {
  const web = Array.from({ length: 100 }, (_, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1, 12, 0, n)).toISOString(),
    status: n < 5 ? 500 : n < 25 ? 404 : 200,
    path: `/shop/${n}`,
    level: n < 5 ? 'error' : 'info',
    ...(n < 50 && { geo: { city: n % 2 === 0 ? 'Rome' : HOSTILE } }),
  }))
  await ingest(service, 'web', web)
  await ingest(service, 'api', [{ _time: '2026-01-01T12:00:00Z', code: 7 }])
  const virtual = { dataset: 'web', name: 'failed', expression: 'status >= 500' }
  await send(service, 'POST', '/v2/vfields', virtual)
})

const fieldsOf = (page: OpenPage) => page.getByRole('region', { name: 'Fields' })
const open = (page: OpenPage, field: string) =>
  fieldsOf(page)
    .getByRole('button', { name: new RegExp(`^${field} `) })
    .click()
const valuesOf = (page: OpenPage, field: string) =>
  fieldsOf(page)
    .getByRole('list', { name: `Values of ${field}` })
    .getByRole('listitem')
const chipsOf = (page: OpenPage) => page.getByRole('list', { name: 'Filters' }).getByRole('listitem')
const chips = async (page: OpenPage) => (await chipsOf(page).allTextContents()).map((text) => text.replace('✕', ''))
const eventCount = (page: OpenPage) => page.locator('#events-title + .hint').textContent()
const chartCounts = (page: OpenPage) => page.locator('.time-chart figcaption .chart-count').allTextContents()
const filtersIn = (page: OpenPage) => new URL(page.url()).searchParams.getAll('filters')

testInBrowser('a field opens to its most frequent values, which one query asks for', async () => {
  await using page = await openPage(service, `/?events=true&datasets=web&${NEW_YEAR}`)
  await expectSoon(() => eventCount(page), '100 events')
  await page.getByRole('button', { name: 'Fields', exact: true }).click()
  await fieldsOf(page).getByText('geo.city').waitFor()
  const names = await fieldsOf(page).locator('.field-head > :first-child').allTextContents()
  expect(names).toEqual(['failed virtual', 'geo.city string', 'level string', 'path string', 'status integer'])
  const queries = () => service.requests.filter(({ path }) => path.startsWith('/v1/datasets/_apl')).length
  const before = queries()
  await open(page, 'status')
  await expectSoon(() => valuesOf(page, 'status').allTextContents(), ['200≠7575 %', '404≠2020 %', '500≠55 %'])
  expect(queries() - before).toBe(1)
  await open(page, 'geo.city')
  await valuesOf(page, 'geo.city').nth(2).waitFor()
  expect(await valuesOf(page, 'geo.city').first().textContent()).toBe('missing≠5050 %')
  expect(await fieldsOf(page).textContent()).toContain('\\u{202e}')
  await open(page, 'failed')
  await expectSoon(() => valuesOf(page, 'failed').allTextContents(), ['false≠9595 %', 'true≠55 %'])
  await open(page, 'path')
  await expectSoon(() => valuesOf(page, 'path').count(), 100)
  await fieldsOf(page).getByRole('searchbox').fill('GEO')
  expect(await fieldsOf(page).locator('.field-head').count()).toBe(1)
})

testInBrowser('values filter charts and events, and chips turn, remove and open the filters', async () => {
  await using page = await openPage(service, `/?events=true&datasets=web,api&${NEW_YEAR}&fields=true`)
  await open(page, 'status')
  await page.getByRole('button', { name: 'Only events where status is 500' }).click()
  await expectSoon(() => eventCount(page), '5 events')
  await expectSoon(() => chartCounts(page), ['5 events', '0 events'])
  expect([await chips(page), filtersIn(page)]).toEqual([['status is 500'], ['status == 500']])
  // Other values can be chosen still, and take its place.
  await page.getByRole('button', { name: 'Only events where status is 404' }).click()
  await expectSoon(() => chips(page), ['status is 404'])
  await expectSoon(() => eventCount(page), '20 events')
  await page.getByRole('button', { name: 'Only events where status is not 500' }).click()
  await open(page, 'geo.city')
  await page.getByRole('button', { name: /Only events where geo.city is <img/ }).click()
  await expectSoon(
    () => chips(page),
    ['status is 404', 'status is not 500', `geo.city is ${HOSTILE.replace('\u202e', '\\u{202e}')}`],
  )
  await expectSoon(() => eventCount(page), '10 events')
  await page.goBack()
  await expectSoon(() => eventCount(page), '20 events')
  await chipsOf(page).first().getByRole('button', { name: 'status is 404', exact: true }).click()
  // What the two leave: 95 of web but 20, and the one of api, which has no status.
  await expectSoon(() => chips(page), ['status is not 404', 'status is not 500'])
  await expectSoon(() => eventCount(page), '76 events')
  await page.reload()
  await expectSoon(() => eventCount(page), '76 events')
  await page.getByRole('button', { name: 'Remove the filter: status is not 404' }).click()
  await expectSoon(() => eventCount(page), '96 events')
  await page.getByRole('button', { name: 'Open as a query' }).click()
  await expectSoon(() => eventCount(page), '96 events')
  expect(filtersIn(page)).toEqual([])
  await expectSoon(async () => (await writtenQuery(page)).includes('ensure_field'), true)
})

testInBrowser('the filters of a query stand before what it counts, and its mistakes keep their places', async () => {
  const apl = "['web']\n| summarize count() by status"
  await using page = await openPage(service, `/?apl=${encodeURIComponent(apl)}&${NEW_YEAR}&fields=true`, {
    expectedErrors: /400/,
  })
  const cells = () => page.locator('.result-table td').allTextContents()
  await expectSoon(async () => (await cells()).length, 6)
  await open(page, 'level')
  await page.getByRole('button', { name: 'Only events where level is error' }).click()
  await expectSoon(cells, ['500', '5'])
  const text = queryField(page)
  await expectSoon(() => writtenQuery(page), apl)
  await text.fill("['web']\n| summarize count() by statsu")
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('button', { name: 'Go to line 2, column 24' }).waitFor()
  await text.fill("['api']\n| summarize count() by code")
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('alert').getByText('this query does not take the filters (level is error)').waitFor()
  await page.getByRole('button', { name: 'Remove all' }).click()
  await expectSoon(cells, ['7', '1'])
})

testInBrowser('a value of an event filters, and is taken back where it was clicked', async () => {
  await using page = await openPage(service, `/?events=true&datasets=web&${NEW_YEAR}`)
  const line = page.locator('.event-line').first()
  await line.click()
  await page.getByRole('button', { name: 'Only events where level is not info' }).click()
  await expectSoon(() => eventCount(page), '5 events')
  await expectSoon(() => chips(page), ['level is not info'])
  await page.getByRole('button', { name: 'Remove the filter: level is not info' }).click()
  await expectSoon(() => eventCount(page), '100 events')
})

testInBrowser('asking for values goes wrong beside the field', async () => {
  await using page = await openPage(service, `/?events=true&datasets=web&${NEW_YEAR}&fields=true`, { expectedErrors: /500/ })
  await expectSoon(() => eventCount(page), '100 events')
  const failures = [{ status: 500, json: { code: 500, message: 'the store is away' } }]
  await page.route('**/v1/datasets/_apl**', (route) => {
    const isOfValues = route.request().postData()?.includes('by value =')
    const failure = isOfValues ? failures.pop() : undefined
    return failure ? route.fulfill(failure) : route.continue()
  })
  await open(page, 'status')
  await fieldsOf(page).getByRole('alert').getByText('the store is away').waitFor()
  await fieldsOf(page).getByRole('button', { name: 'Try again' }).click()
  await expectSoon(() => valuesOf(page, 'status').count(), 3)
})

testInBrowser('a token that may not read virtual fields has the others', async () => {
  const options = { token: await tokenWith(service, 'query|read', 'datasets|read', 'annotations|read') }
  await using page = await openPage(service, `/?events=true&datasets=web&${NEW_YEAR}&fields=true`, options)
  const names = () => fieldsOf(page).locator('.field-head > :first-child').allTextContents()
  await expectSoon(names, ['geo.city string', 'level string', 'path string', 'status integer'])
})
