/** What stands around an event, where a mark belongs, and queries that are built from choices, in a real browser. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { queryField, writtenQuery } from './support/editor.ts'
import { expectSoon } from './support/wait.ts'

const RANGE = 'startTime=2026-01-01T00:00:00Z&endTime=2026-01-01T01:00:00Z&utc=true'
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString()

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 60 }, (_, n) => ({
    _time: at(n * 10),
    'host.name': `web-${n % 2}`,
    status: n === 30 ? 500 : 200,
    took: n,
    message: `request ${n}`,
  }))
  // Two at one moment: the one that is looked at is not shown again among those after it.
  await ingest(service, 'web', [...events, { _time: at(300), 'host.name': 'web-0', status: 200, message: 'twin' }])
  const members = { service: 'shop', environment: 'prod-eu', version: '9', tags: ['canary'] }
  await annotate(service, { datasets: ['web'], type: 'deploy', title: 'Everything', time: at(600), ...members })
  await annotate(service, { datasets: ['web'], type: 'deploy', title: 'web 1.0.0', time: at(1_200) })
})

testInBrowser('an event is shown with those before and after it, of everything or of the same host', async () => {
  const filter = encodeURIComponent('status == 500')
  await using page = await openPage(service, `/?events=true&datasets=web&filters=${filter}&${RANGE}`)
  await page.locator('.event-line').first().click()
  await page.getByRole('button', { name: 'Events around it' }).click()
  const around = page.getByRole('region', { name: 'Events around it' })
  const messages = async () =>
    (await around.getByRole('listitem').allTextContents()).map((text) => /request \d+|twin/.exec(text)?.[0])
  // The filter of the page does not hold here: an error is explained by what is no error.
  const all = Array.from({ length: 21 }, (_, n) => `request ${20 + n}`)
  await expectSoon(async () => (await messages()).filter((one) => one !== 'twin').join(), all.slice(0, 20).join())
  expect((await messages()).filter((one) => one === 'request 30')).toHaveLength(1)
  expect(await around.locator('[aria-current]').textContent()).toContain('request 30')
  await around.getByRole('combobox').selectOption({ label: 'same host.name: web-0' })
  await expectSoon(async () => (await messages()).includes('request 29'), false)
  expect(await messages()).toContain('request 12')
})

testInBrowser('the events of the same trace stand around one, in the order of their times', async () => {
  const span = (ms: number, trace_id: string, name: string) => ({
    ...{ _time: new Date(Date.UTC(2026, 0, 1, 0, 30) + ms).toISOString(), trace_id, name },
  })
  await ingest(service, 'web-traces', [
    span(0, 'abc', 'GET /checkout'),
    span(120, 'abc', 'SELECT carts'),
    span(10, 'abc', 'load cart'),
    span(3, 'other', 'GET /other'),
  ])
  const filter = encodeURIComponent("name == 'load cart'")
  await using page = await openPage(service, `/?events=true&datasets=web-traces&filters=${filter}&${RANGE}`)
  await page.locator('.event-line').first().click()
  await page.getByRole('button', { name: 'Events around it' }).click()
  const around = page.getByRole('region', { name: 'Events around it' })
  await around.getByRole('combobox').selectOption({ label: 'same trace_id: abc' })
  const names = async () =>
    (await around.getByRole('listitem').allTextContents()).map((text) => /name:\s*(\S+ \S+)/.exec(text)?.[1])
  await expectSoon(async () => (await names()).join(), 'GET /checkout,load cart,SELECT carts')
})

testInBrowser('marks are found by where they belong, and the panel says it', async () => {
  await using page = await openPage(service, `/?datasets=web&text=service:shop&${RANGE}`)
  await page.getByRole('button', { name: /^Everything, deploy/ }).click()
  await page.getByRole('definition').getByText('service shop, environment prod-eu, version 9, canary').waitFor()
  expect(await page.getByRole('button', { name: /^web 1\.0\.0, deploy/ }).count()).toBe(0)
})

testInBrowser('a query is built from choices, and a hostile value stays a text', async () => {
  await using page = await openPage(service, `/?fields=true&${RANGE}`)
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  await queryField(page).waitFor()
  await page.getByText('Build from choices').click()
  expect(await writtenQuery(page)).toBe("['web']\n| summarize count() by bin_auto(_time)")
  const choose = (name: string, value: string) => page.getByRole('combobox', { name }).selectOption(value)
  await choose('What to show', 'p95')
  await expectSoon(
    () => page.getByRole('combobox', { name: 'Field to show' }).locator('option').allTextContents().then(String),
    'choose a field,status,took',
  )
  await choose('Field to show', 'took')
  await choose('Grouped by', 'host\\.name')
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await choose('Field of the condition', 'message')
  await page.getByRole('textbox', { name: 'Value of the condition' }).fill("' or true | count //")
  expect(await writtenQuery(page)).toBe(
    "['web']\n| where message == '\\' or true | count //'\n| summarize percentile(took, 95) by bin_auto(_time), ['host\\\\.name']",
  )
  await choose('Comparison', 'contains')
  await page.getByRole('textbox', { name: 'Value of the condition' }).fill('request')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('web-1').first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  // A query that choices could have written is read; of any other, they begin with its dataset.
  await page.reload()
  await page.getByText('Build from choices').click()
  const chosen = (name: string) => page.getByRole('combobox', { name }).inputValue()
  await expectSoon(
    async () => [await chosen('What to show'), await chosen('Grouped by'), await chosen('Comparison')].join(),
    'p95,host\\.name,contains',
  )
  await page.goto(`${service.url}/?${RANGE}&apl=${encodeURIComponent("['_annotations'] | count")}`)
  await page.getByText('Build from choices').click()
  await expectSoon(() => chosen('Dataset of the query'), '_annotations')
})
