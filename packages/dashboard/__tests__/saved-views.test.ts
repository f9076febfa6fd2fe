/** Saved views, which the service keeps for everybody, and recent queries, which the browser keeps for one person. */
import type { SavedView } from '@deployment-annotations/contract/saved-view'
import { beforeEach, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { deleteAll, send, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { queryField } from './support/editor.ts'
import { MARKUP } from './support/hostile.ts'
import { savedViews } from './support/menus.ts'
import { NEW_YEAR } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const PATH = '/v2/saved-views'
const COUNT = "['web'] | count"

const service = serviceWithEvents({
  web: [{ _time: '2026-01-01T12:00:00Z', status: 200 }],
  api: [{ _time: '2026-01-01T12:00:00Z', status: 200 }],
})
beforeEach(() => deleteAll(service, PATH))

const stored = () => send<SavedView[]>(service, 'GET', PATH)
const save = (body: object) =>
  send<SavedView>(service, 'POST', PATH, { startTime: 'now-1h', endTime: 'now', datasets: ['web'], ...body })
const openMenu = (page: OpenPage) => savedViews(page).locator('summary').click()
const summaryOf = (page: OpenPage) => savedViews(page).locator('summary').textContent()
async function openSaved(page: OpenPage, name: string): Promise<void> {
  await openMenu(page)
  await page.getByRole('link', { name: 'All saved views' }).click()
  await page.getByRole('link', { name, exact: true }).click()
}

async function saveAs(page: OpenPage, name: string): Promise<void> {
  await openMenu(page)
  await page.getByRole('button', { name: 'Save this view…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSoon(() => summaryOf(page), `View: ${name}`)
}

testInBrowser('a view is saved under a name, and opened by somebody else', async () => {
  await using page = await openPage(service, `/?fields=true&datasets=api&${NEW_YEAR}&compare=1d&hiddenTypes=deploy`)
  await saveAs(page, MARKUP)
  expect(await stored()).toMatchObject([
    {
      ...{ name: MARKUP, aplQuery: '', datasets: ['api'], compareWith: '1d', hiddenTypes: ['deploy'], hiddenDatasets: [] },
      ...{ startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' },
    },
  ])
  await using other = await openPage(service, '/?fields=true&datasets=web')
  await openSaved(other, MARKUP)
  await expectSoon(() => summaryOf(other), `View: ${MARKUP}`)
  const address = new URL(other.url()).searchParams
  expect([address.get('datasets'), address.get('compare'), address.get('startTime')]).toEqual([
    'api',
    '1d',
    '2026-01-01T00:00:00Z',
  ])
})

testInBrowser('a view keeps its filters and how events are listed', async () => {
  const look = `filters=${encodeURIComponent("path != '/a,b'")}&filters=status+%3D%3D+200&columns=path&columns=status&wrap=true`
  await using page = await openPage(service, `/?fields=true&datasets=web&${NEW_YEAR}&${look}`)
  await saveAs(page, 'Logs')
  const kept = { filters: ["path != '/a,b'", 'status == 200'], columns: ['path', 'status'], wrapLines: true }
  expect(await stored()).toMatchObject([kept])
  await using other = await openPage(service, '/?fields=true&datasets=api')
  await openSaved(other, 'Logs')
  await expectSoon(() => summaryOf(other), 'View: Logs')
  const address = new URL(other.url()).searchParams
  const there = [address.getAll('filters'), address.getAll('columns'), address.get('wrap')]
  expect(there).toEqual([kept.filters, kept.columns, 'true'])
  // Other columns are another look.
  await other.getByRole('button', { name: 'Remove the column status' }).click()
  await expectSoon(() => summaryOf(other), 'View: Logschanged')
})

testInBrowser('a view keeps the order of its table, and takes another one', async () => {
  const groups = encodeURIComponent("['web'] | summarize n = count() by status")
  await using page = await openPage(service, `/?${NEW_YEAR}&apl=${groups}&kind=table&sort=n+desc`)
  await page.getByRole('columnheader', { name: 'n' }).waitFor()
  await saveAs(page, 'Groups')
  expect(await stored()).toMatchObject([{ order: [{ field: 'n', desc: true }] }])
  await using other = await openPage(service, '/?fields=true&datasets=api')
  await openSaved(other, 'Groups')
  const sortOf = (name: string) => other.getByRole('columnheader', { name }).getAttribute('aria-sort')
  await expectSoon(() => sortOf('n'), 'descending')
  await expectSoon(() => summaryOf(other), 'View: Groups')
  await other.getByRole('columnheader', { name: 'status' }).getByRole('button').click()
  await expectSoon(() => summaryOf(other), 'View: Groupschanged')
  await other.getByRole('button', { name: 'Save the changes' }).click()
  await expectSoon(() => summaryOf(other), 'View: Groups')
  expect(await stored()).toMatchObject([{ order: [{ field: 'status', desc: false }] }])
})

testInBrowser('a view with a query says that it was changed, and takes the change', async () => {
  const { id } = await save({ name: 'Counts', aplQuery: COUNT })
  await using page = await openPage(service, `/?savedView=${id}&apl=${encodeURIComponent(COUNT)}&startTime=now-1h`)
  await expectSoon(() => summaryOf(page), 'View: Counts')
  const text = queryField(page)
  await text.fill("['api'] | count")
  await page.getByRole('button', { name: 'Run' }).click()
  await expectSoon(() => summaryOf(page), 'View: Countschanged')
  await page.getByRole('region', { name: 'Result' }).waitFor()
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await expectSoon(() => summaryOf(page), 'View: Counts')
  await expectSoon(
    async () => (await stored()).map((saved) => [saved.id, saved.name, saved.aplQuery]),
    [[id, 'Counts', "['api'] | count"]],
  )
})

testInBrowser('a token that may only read views opens them, and one that may not has no menu', async () => {
  await save({ name: 'Shared' })
  const reader = await tokenWith(service, 'views|read', 'query|read', 'datasets|read', 'annotations|read')
  await using page = await openPage(service, `/?filters=status+%3D%3D+200&${NEW_YEAR}`, { token: reader })
  await expectSoon(() => page.getByText('narrow').count(), 1)
  expect(await savedViews(page).getByRole('button').count()).toBe(0)
  await openSaved(page, 'Shared')
  await expectSoon(() => summaryOf(page), 'View: Shared')
  const blind = await tokenWith(service, 'query|read', 'datasets|read', 'annotations|read')
  await using other = await openPage(service, `/?filters=status+%3D%3D+200&${NEW_YEAR}`, { token: blind })
  await expectSoon(() => other.getByText('narrow').count(), 1)
  await expectSoon(() => savedViews(other).count(), 0)
})
