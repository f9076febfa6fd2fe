/** The page of datasets, on the real service: what is in them, made, changed, trimmed and deleted with care. */
import type { Dataset } from '@deployment-annotations/contract/dataset'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { ingest, send, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { findIn } from '../src/resources/find.ts'
import { WIDE_NAME } from './support/hostile.ts'
import { act } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const TIMES = { oldest: '2026-01-31T10:30:00Z', newest: '2026-02-01T10:30:00Z' }

const service = serviceWithEvents({
  web: [
    { _time: TIMES.oldest, status: 200, path: '/' },
    { _time: TIMES.newest, status: 'late', 'at.work': true },
  ],
})

const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const get = (name: string) => send<Dataset>(service, 'GET', `/v2/datasets/${name}`)
const count = async (name: string) => (await send<{ numEvents: number }>(service, 'GET', `/v1/datasets/${name}/info`)).numEvents

test('datasets are found by all words', () => {
  const datasets = [
    { name: 'web', description: 'The site' },
    { name: 'api', description: '' },
  ] as Dataset[]
  expect(findIn(datasets, 'site WEB').map(({ name }) => name)).toEqual(['web'])
  expect(findIn(datasets, '')).toHaveLength(2)
})

testInBrowser('the list says how much is in a dataset and from when, and leads to its chart', async () => {
  await using page = await openPage(service, '/')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Datasets' }).click()
  const web = row(page, 'web')
  await web.locator(`time[title^="2026-01-31T10:30:00"]`).waitFor()
  await web.locator(`time[title^="2026-02-01T10:30:00"]`).waitFor()
  expect(await web.getByRole('cell').first().textContent()).toBe('2')
  expect(await web.getByRole('cell').nth(1).textContent()).toMatch(/^[\d.,]+ k?B$/)
  await web.getByText('forever').waitFor()
  await page.getByLabel('Find a dataset').fill('nothing like that')
  await page.getByText('None of the datasets is like that').waitFor()
  await page.getByLabel('Find a dataset').fill('we')
  await web.getByRole('link', { name: 'web' }).click()
  await page.waitForURL(/datasets=web/)
})

testInBrowser('the fields of a dataset are shown with their types, and its virtual fields and map fields', async () => {
  await send(service, 'POST', '/v2/vfields', {
    dataset: 'web',
    name: 'isBad',
    expression: 'status >= 500',
    description: WIDE_NAME,
  })
  await send(service, 'POST', '/v2/datasets/web/mapfields', { name: 'headers' })
  await using page = await openPage(service, '/datasets')
  await act(page, 'web', 'Fields')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: 'status integer or string' }).waitFor()
  await dialog.getByRole('row', { name: /^isBad virtual: status >= 500 <img/ }).waitFor()
  await dialog.getByRole('row', { name: 'headers a map: its keys are data' }).waitFor()
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
})

testInBrowser('a dataset is made, and its description and retention are changed', async () => {
  await using page = await openPage(service, '/datasets')
  await page.getByRole('button', { name: 'New dataset' }).click()
  await page.getByLabel('Name').fill('my shop')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('alert').getByText('my-shop').waitFor()
  await page.getByLabel('Name').fill('shop')
  await page.getByLabel('Description').fill(WIDE_NAME)
  await page.getByRole('button', { name: 'Create' }).click()
  await row(page, 'shop').getByText('<img src=x').waitFor()
  expect(await get('shop')).toMatchObject({ description: WIDE_NAME, retentionDays: 0 })

  await act(page, 'shop', 'Change')
  await page.getByLabel('Only _time is read').check()
  await page.getByLabel('Days that events are kept').fill('90')
  await page.getByText('Events older than 90 days will be deleted permanently').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await row(page, 'shop').getByText('90 days').waitFor()
  expect(await get('shop')).toMatchObject({ description: WIDE_NAME, retentionDays: 90, strictTime: true })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

testInBrowser('a slow query leads to where the field that it filters by is indexed', async () => {
  await using page = await openPage(service, '/?datasets=web&apl=web%20%7C%20count&range=365d')
  await page.route('**/v1/datasets/_apl**', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const unindexed = { dataset: 'web', field: 'path' }
    body.status.messages.push({ priority: 'warn', count: 1, code: 'unindexed_field', msg: 'the query took 2.1 s', unindexed })
    await route.fulfill({ response: answer, json: body })
  })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('link', { name: 'Index path' }).click()
  await page.getByLabel('Indexed fields').fill('path')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectSoon(async () => (await get('web')).indexedFields, ['path'])
})

testInBrowser('old events, or all, are deleted only once the name is typed', async () => {
  const recent = new Date(Date.now() - 3_600_000).toISOString()
  await ingest(service, 'gone', [{ _time: TIMES.oldest }, { _time: TIMES.newest }, { _time: recent }])
  await using page = await openPage(service, '/datasets')
  await act(page, 'gone', 'Trim')
  const trim = page.getByRole('button', { name: 'Delete old events' })
  expect(await trim.isDisabled()).toBe(true)
  await page.getByLabel('Older than').fill('2')
  await page.getByLabel('To confirm').fill('Gone')
  await page.keyboard.press('Enter')
  expect(await trim.isDisabled()).toBe(true)
  await page.getByLabel('To confirm').fill('gone')
  await trim.click()
  await row(page, 'gone').getByRole('cell', { name: '1', exact: true }).waitFor()
  expect(await count('gone')).toBe(1)

  await act(page, 'gone', 'Delete')
  await page.getByText('1 event of').waitFor()
  expect(await page.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true)
  await page.getByLabel('To confirm').fill('gone')
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await row(page, 'gone').waitFor({ state: 'detached' })
  await expect(get('gone')).rejects.toThrow('404')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Datasets')
})

testInBrowser('a token that may only read datasets is offered nothing else, and one that may not is told so', async () => {
  await using page = await openPage(service, '/datasets', { token: await tokenWith(service, 'datasets|read') })
  await page.locator('summary', { hasText: 'Actions on web' }).click()
  expect(await page.locator('details[open] > .actions').getByRole('button').allTextContents()).toEqual(['Fields'])
  await row(page, 'web').locator('time').first().waitFor()
  expect(await page.getByRole('button', { name: /^New/ }).count()).toBe(0)
  await using other = await openPage(service, '/datasets', { token: await tokenWith(service, 'ingest|create') })
  await other.getByText('it lacks the permission datasets|read').waitFor()
})
