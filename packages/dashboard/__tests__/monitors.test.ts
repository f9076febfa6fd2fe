/** The page of monitors, on the real service: created, listed, changed, disabled, deleted; and what goes wrong, as it is shown. */
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { deleteAll, ingest, send, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { chartQuery } from '../src/monitors/chart-query.ts'
import { MONITOR_FORM } from '../src/monitors/monitor-fields.ts'
import { describeRule, formatNumber, viewAnnotation, viewQuery } from '../src/monitors/monitor-text.ts'
import { parseErrorMessage } from '../src/query/error-message.ts'
import { changeOf, newOf, textsOf } from '../src/resources/fields.ts'
import { act, rowOf as card } from './support/resources.ts'

const ERRORS = "['web'] | where status >= 500 | summarize count()"
const RULE = { name: 'Errors', aplQuery: ERRORS, operator: 'Above', threshold: 2, intervalMinutes: 1, rangeMinutes: 5 } as const
const MONITOR: Monitor = {
  ...RULE,
  id: 'mon_1',
  type: 'Threshold',
  alertOnNoData: false,
  secondDelay: 0,
  notifyByGroup: false,
  notifyEveryRun: false,
  resolvable: false,
  skipResolved: false,
  triggerFromNRuns: 1,
  triggerAfterNPositiveResults: 0,
  notifierIds: [],
  datasets: ['web'],
  annotationType: 'monitor',
  disabled: false,
  createdAt: '2026-01-31T12:00:00Z',
  createdBy: 'tok_1',
  state: { status: 'triggered', since: '2026-01-31T12:00:00Z', lastValue: 3, annotationId: 'ann_1' },
}

const service = serviceForTests()
beforeAll(async () => {
  const now = new Date(Date.now() - 60_000).toISOString()
  const events = [200, 500, 502, 503].map((status) => ({ _time: now, status }))
  await ingest(service, 'web', events)
})
afterEach(() => deleteAll(service, '/v2/monitors'))

const make = (members: object) => send<Monitor>(service, 'POST', '/v2/monitors', { ...RULE, ...members })
const get = (id: string) => send<Monitor>(service, 'GET', `/v2/monitors/${id}`)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

/** Waits for what the first run of a monitor finds. */
async function made(members: object): Promise<Monitor> {
  let monitor = await make(members)
  for (let waitedMs = 0; monitor.state.status === 'pending' && waitedMs < 10_000; waitedMs += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    monitor = await get(monitor.id)
  }
  return monitor
}

test('a rule is told in words, with every digit that makes a difference', () => {
  expect(describeRule(MONITOR)).toBe('triggers above 2')
  expect(describeRule({ operator: 'BelowOrEqual', threshold: 0.001, alertOnNoData: true })).toBe(
    'triggers at or below 0.001, or without data',
  )
  expect([1_000_001, 0.1 + 0.2, 1e300, 1e-9, -0.5, 0].map(formatNumber)).toEqual([
    '1,000,001',
    '0.3',
    '1e+300',
    '1e-9',
    '-0.5',
    '0',
  ])
})

test('a monitor leads to the chart of its query and to its annotation', () => {
  expect(viewQuery(MONITOR, 'UTC')).toMatchObject({
    page: 'explore',
    apl: `${ERRORS} by bin(_time, 5m)`,
    datasets: ['web'],
    startTime: 'now-3h',
    zone: 'UTC',
  })
  expect(viewQuery({ ...MONITOR, rangeMinutes: 1_440 }, '')).toMatchObject({ startTime: 'now-72h' })
  expect(viewAnnotation(MONITOR, '')).toMatchObject({
    annotations: ['ann_1'],
    datasets: ['web'],
    apl: '',
    startTime: '2026-01-31T11:00:00.000Z',
  })
  expect(viewAnnotation({ ...MONITOR, state: { status: 'ok', since: '2026-01-31T12:00:00Z' } }, '')).toBeUndefined()
})

test('one value for a range is charted as one for each range, and other queries as they are', () => {
  const chart = (aplQuery: string) => chartQuery({ type: 'Threshold', aplQuery, rangeMinutes: 90 })
  expect(chart("['web'] | where a == 1\n| extend b = 2 | count")).toBe(
    "['web'] | where a == 1\n| extend b = 2 | summarize count() by bin(_time, 90m)",
  )
  expect(chart('web | summarize avg(a), max(b) ')).toBe('web | summarize avg(a), max(b) by bin(_time, 90m)')
  const kept = [
    'web',
    'web | summarize count() by a',
    'web | project a | count',
    "web | where a == '| count'",
    'web | summarize n = count() | where n > 1',
  ]
  expect(kept.map(chart)).toEqual(kept)
  expect(chartQuery({ type: 'MatchEvent', aplQuery: 'web ', rangeMinutes: 5 })).toBe('web\n| summarize count() by bin(_time, 5m)')
})

test('a form sends what was filled in, and of a change what was touched', () => {
  const texts = { ...textsOf(MONITOR_FORM, undefined), name: 'a', aplQuery: 'web', threshold: '-1.5' }
  expect(newOf(MONITOR_FORM, texts)).toEqual({
    ...{ name: 'a', type: 'Threshold', aplQuery: 'web', operator: 'Above', threshold: -1.5 },
    ...{ intervalMinutes: 5, rangeMinutes: 5, secondDelay: 0, triggerAfterNPositiveResults: 0, triggerFromNRuns: 1 },
  })
  expect(newOf(MONITOR_FORM, { ...texts, datasets: ' web,, api ' })).toMatchObject({ datasets: ['web', 'api'] })
  const before = textsOf(MONITOR_FORM, { ...MONITOR, description: 'd' })
  expect(changeOf(MONITOR_FORM, before, before)).toEqual({})
  expect(changeOf(MONITOR_FORM, before, { ...before, description: '', threshold: '3' })).toEqual({
    description: '',
    threshold: 3,
  })
})

test('the message about a mistake is taken apart', () => {
  const text = "syntax error at line 1, column 3: no\nweb |\n    ^\ntry 'web'"
  expect(parseErrorMessage(text)).toEqual({
    message: 'syntax error at line 1, column 3: no',
    excerpt: 'web |\n    ^',
    hint: "try 'web'",
  })
  expect(parseErrorMessage('the disk is full')).toEqual({ message: 'the disk is full', hint: '' })
})

testInBrowser('a monitor is created, listed as it stands, changed, disabled and deleted', async () => {
  await using page = await openPage(service, '/monitors')
  await page.getByText('No monitors yet').waitFor()
  await page.getByRole('button', { name: 'New monitor' }).click()
  await page.getByLabel('Name').fill('Many server errors')
  await page.getByLabel('Query').fill(ERRORS)
  await page.getByLabel('Threshold').fill('2')
  await page.getByRole('button', { name: 'Create' }).click()

  const one = card(page, 'Many server errors')
  await one.getByText('Triggered').waitFor()
  await one.getByRole('cell', { name: '3', exact: true }).waitFor()
  await one.getByText('triggers above 2').waitFor()

  await act(page, 'Many server errors', 'Change')
  await page.getByLabel('Threshold').fill('100')
  await page.getByLabel('Name').fill('Very many')
  await page.getByRole('button', { name: 'Save' }).click()
  const changed = card(page, 'Very many')
  await changed.getByText('OK').waitFor()
  await changed.getByText('triggers above 100').waitFor()
  expect(await focused(page)).toBe('⋯Actions on Very many')

  await act(page, 'Very many', 'Disable')
  await changed.getByText('Disabled').waitFor()
  expect(await focused(page)).toBe('⋯Actions on Very many')
  await act(page, 'Very many', 'Enable')
  await changed.getByText('OK').waitFor()

  await act(page, 'Very many', 'Delete')
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('No monitors yet').waitFor()
  expect(await focused(page)).toBe('Monitors')
})

testInBrowser(
  'a mistake in a query is shown with its place, where the cursor goes; other mistakes in the words of the service',
  async () => {
    await using page = await openPage(service, '/monitors', { expectedErrors: /400|422/ })
    await page.getByRole('button', { name: 'New monitor' }).click()
    await page.getByLabel('Name').fill('wrong')
    await page.getByLabel('Query').fill("['web']\n| wear status > 1")
    await page.getByLabel('Threshold').fill('1')
    await page.getByRole('button', { name: 'Create' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('line 2, column 3').waitFor()
    expect((await alert.locator('pre').textContent())?.split('\n')).toEqual(['| wear status > 1', '| ^'])
    expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).selectionStart)).toBe("['web']\n| ".length)
    await page.getByLabel('Query').fill("['web'] | count")
    const datasets = page.getByRole('group', { name: 'Datasets to mark' })
    await datasets.getByRole('checkbox', { name: 'web' }).check()
    await datasets.getByRole('textbox').fill('not a dataset')
    await page.getByRole('button', { name: 'Create' }).click()
    await alert.getByText('“not a dataset” cannot be the name of a dataset').waitFor()
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('New monitor')
  },
)

testInBrowser('a monitor whose runs fail shows why, whole', async () => {
  const { id } = await made({ name: 'Failing', aplQuery: "['nowhere']\n| where status > 1\n| count" })
  await using page = await openPage(service, '/monitors')
  const one = card(page, 'Failing')
  await one.getByText('Error').first().waitFor()
  await one.getByRole('link', { name: 'Failing' }).click()
  const form = page.getByRole('dialog', { name: 'Failing' })
  const { error = '' } = (await get(id)).state
  expect(error).toContain('nowhere')
  for (const line of error.split('\n')) expect(await form.locator('.failure').textContent()).toContain(line)
})

testInBrowser('what the author of a query should know is shown with its monitor', async () => {
  await made({ name: 'Share', aplQuery: "['web'] | summarize countif(status >= 500) / count() by bin_auto(_time)" })
  await using page = await openPage(service, '/monitors')
  await card(page, 'Share').getByRole('link', { name: 'Share' }).click()
  for (const said of ['write todouble(countif(…))', 'bin_auto() makes one bin']) await page.getByText(said).waitFor()
})

testInBrowser('a monitor leads to the chart of its query, and to the annotation that it has open', async () => {
  const { state } = await made({ name: 'Leading' })
  await using page = await openPage(service, '/monitors')
  await card(page, 'Leading').getByRole('link').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Show on chart' }).click()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(new URL(page.url()).searchParams.get('apl')).toBe(`${ERRORS} by bin(_time, 5m)`)
  await page.getByRole('heading', { name: 'Leading' }).waitFor({ state: 'detached' })
  await page.locator('.u-over').waitFor()
  await page.goBack()
  await page.getByRole('dialog').getByRole('link', { name: 'Open annotation' }).click()
  const { annotationId = '' } = state
  await page.getByRole('complementary').getByText(annotationId).waitFor()
})

testInBrowser('what a token may not do is not offered', async () => {
  await made({ name: 'Looked at' })
  {
    await using page = await openPage(service, '/monitors', { token: await tokenWith(service, 'monitors|read') })
    await card(page, 'Looked at').getByRole('link').first().waitFor()
    await page.getByText('narrow').waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    await card(page, 'Looked at').getByRole('link').click()
    expect(await page.getByLabel('Threshold').isDisabled()).toBe(true)
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['Done'])
  }
  await using page = await openPage(service, '/monitors', { token: await tokenWith(service, 'query|read') })
  await page.getByText('lacks the permission monitors|read').waitFor()
})

testInBrowser('a refresh that fails says so, leaves what was known, and is tried again', async () => {
  const { id } = await made({ name: 'Kept', threshold: 10 })
  await using page = await openPage(service, '/monitors', { expectedErrors: /Failed to load/ })
  await card(page, 'Kept').waitFor()
  await page.route('**/v2/monitors', (route) => route.abort())
  await page.getByRole('alert').getByText('did not answer').waitFor({ timeout: 15_000 })
  await card(page, 'Kept').waitFor()
  await page.unroute('**/v2/monitors')
  await send(service, 'DELETE', `/v2/monitors/${id}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No monitors yet').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})
