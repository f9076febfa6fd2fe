/** The form of a monitor has every member that the service has: marking each event, a column, and a time until which it rests. */
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { beforeAll, expect, test } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { MONITOR_FORM } from '../src/monitors/monitor-fields.ts'
import { changeOf, newOf, type Texts, textsOf } from '../src/resources/fields.ts'
import { act } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceForTests()
beforeAll(async () => {
  // Two at one time are in one bin, whatever the time is.
  const nowMs = Date.now()
  const times = [3, 3, 40].map((minutes) => new Date(nowMs - minutes * 60_000).toISOString())
  const events = times.map((_time) => ({ _time, status: 500, message: 'panic' }))
  await ingest(service, 'web', events)
})

const bodyOf = (texts: Texts, zone = '') => newOf(MONITOR_FORM, texts, zone)
const editOf = (before: Texts, texts: Texts) => changeOf(MONITOR_FORM, before, texts, 'UTC')
const stored = () => send<Monitor[]>(service, 'GET', '/v2/monitors')
const rule = { name: 'a', aplQuery: 'web', operator: 'Above', threshold: 5, intervalMinutes: 5, rangeMinutes: 5 } as const

test('a rule that marks events has nothing of a threshold, and another type is sent as a whole', () => {
  const texts = textsOf(MONITOR_FORM, rule)
  expect(bodyOf({ ...texts, type: 'MatchEvent', alertOnNoData: 'on', columnName: 'p99', notifyByGroup: 'on' })).toEqual({
    type: 'MatchEvent',
    ...{ name: 'a', aplQuery: 'web', intervalMinutes: 5, rangeMinutes: 5, secondDelay: 0 },
  })
  expect(bodyOf({ ...texts, columnName: 'p99', disabledUntil: '2026-01-31T12:00' }, 'UTC')).toMatchObject({
    ...rule,
    columnName: 'p99',
    disabledUntil: '2026-01-31T12:00:00.000Z',
  })
  const rested = { ...rule, datasets: ['web'], columnName: 'p99', disabled: true, disabledUntil: '2026-01-31T12:00:00Z' }
  const before = textsOf(MONITOR_FORM, rested, 'UTC')
  expect(editOf(before, before)).toEqual({})
  expect(editOf(before, { ...before, disabledUntil: '' })).toEqual({ disabledUntil: '0001-01-01T00:00:00Z' })
  expect(editOf(before, { ...before, columnName: 'p50' })).toEqual({ columnName: 'p50' })
  // A whole monitor that is disabled stays so.
  expect(editOf(before, { ...before, columnName: '' })).toMatchObject({ type: 'Threshold', ...rule, disabled: true })
})

testInBrowser('a monitor that marks each event is previewed, made, and made one with a threshold', async () => {
  await using page = await openPage(service, '/monitors?utc=true')
  await page.getByRole('button', { name: 'New monitor' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Panics')
  await form.getByLabel('What it does').selectOption({ label: 'Mark every event that it finds' })
  expect(await form.getByLabel('Threshold').count()).toBe(0)
  await form.getByLabel('Query').fill("['web'] | where message == 'panic'")
  await form.getByLabel('Over the last').fill('10')
  await form.getByRole('button', { name: 'Preview' }).click()
  await form.getByRole('group', { name: /^Chart of the preview: \d+ intervals, highest 2/ }).waitFor()
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByText('marks every event that it finds').waitFor()
  expect(await stored()).toMatchObject([{ type: 'MatchEvent', name: 'Panics', rangeMinutes: 10 }])
  await act(page, 'Panics', 'Change')
  await form.getByLabel('What it does').selectOption({ label: 'Compare a value with a threshold' })
  await form.getByLabel('Threshold', { exact: true }).fill('4')
  await form.getByLabel('Query').fill("['web'] | summarize count()")
  await form.getByText('More', { exact: true }).click()
  await form.getByLabel('Does not run before').fill('2040-01-31T12:00')
  await form.getByLabel('Compares the column').fill('count_')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('until 31 Jan 2040').waitFor()
  await expectSoon(
    async () =>
      (await stored()).map(({ type, threshold, disabledUntil, columnName }) => [type, threshold, disabledUntil, columnName]),
    [['Threshold', 4, '2040-01-31T12:00:00Z', 'count_']],
  )
  // Cleared, both are gone.
  await act(page, 'Panics', 'Change')
  await form.getByLabel('Does not run before').fill('')
  await form.getByLabel('Compares the column').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expectSoon(
    async () => (await stored()).map(({ disabledUntil, columnName }) => [disabledUntil, columnName]),
    [[undefined, undefined]],
  )
})

testInBrowser('on a phone the pages are in a menu, and the bar is one line', async () => {
  await using page = await openPage(service, '/monitors', { viewport: { width: 390, height: 844 } })
  const menu = page.getByRole('navigation', { name: 'Pages' })
  expect((await page.locator('header.top').boundingBox())?.height).toBeLessThan(60)
  await menu.locator('summary').click()
  await menu.getByRole('link', { name: 'Releases' }).click()
  await page.getByRole('heading', { name: 'Releases', level: 1 }).waitFor()
  expect(await menu.getByRole('link').count()).toBe(0)
})
