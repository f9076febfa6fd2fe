/** Views of several charts: made of what is on the page of charts, put in order, and changed by two people at once. */
import type { SavedView } from '@deployment-annotations/contract/saved-view'
import { beforeAll, beforeEach, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, deleteAll, ingest, send, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { MARKUP } from './support/hostile.ts'
import { doInRange, savedViews } from './support/menus.ts'
import { act } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const PATH = '/v2/saved-views'
const START = '2026-01-01T10:00:00Z'
const END = '2026-01-01T14:00:00Z'
const RANGE = `startTime=${START}&endTime=${END}&utc=true`
const SERIES = "['web'] | summarize count() by bin(_time, 10m)"
const NUMBER = "['api'] | count"

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 24 }, (_, n) => ({
    _time: new Date(Date.parse(START) + n * 600_000).toISOString(),
    status: 200,
  }))
  for (const name of ['web', 'api']) await ingest(service, name, events)
  await annotate(service, { datasets: ['web'], type: 'deploy', time: '2026-01-01T12:00:00Z', title: 'Release 7' })
})
beforeEach(() => deleteAll(service, PATH))

const stored = () => send<SavedView[]>(service, 'GET', PATH)
const save = (body: object) => send<SavedView>(service, 'POST', PATH, { name: 'Shop', startTime: START, endTime: END, ...body })
const CHARTS = [
  { title: 'Requests', aplQuery: SERIES, datasets: ['web'] },
  { title: 'All of api', aplQuery: NUMBER, datasets: ['api'] },
]
const titles = (page: OpenPage) => page.locator('.board-chart > .row h2').allTextContents()
const shown = (titlesThen: string[], page: OpenPage) =>
  expectSoon(async () => (await titles(page)).filter((text) => text !== ''), titlesThen)
const chart = (page: OpenPage, title: string) => page.getByRole('region', { name: title, exact: true })

/** @param title of the chart, if it is that of a query */
async function addTo(page: OpenPage, name: string, title?: string): Promise<void> {
  await savedViews(page).locator('summary').click()
  await page.getByRole('button', { name: 'Save this view…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  await dialog.getByLabel('Saved view', { exact: true }).selectOption(name)
  if (title !== undefined) await dialog.getByLabel('Title of the chart').fill(title)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
}

testInBrowser('a query and datasets are added to a view of one chart, which keeps that', async () => {
  await save({ name: 'Older', aplQuery: NUMBER, datasets: ['api'] })
  await using page = await openPage(service, `/?${RANGE}&apl=${encodeURIComponent(SERIES)}`)
  await page.getByRole('group', { name: /^Chart of The query/ }).waitFor()
  await addTo(page, 'Older', MARKUP)
  await page.getByRole('heading', { name: 'Older', level: 1 }).waitFor()
  await shown(['Older', MARKUP], page)
  expect(await stored()).toMatchObject([
    {
      aplQuery: '',
      charts: [
        { title: 'Older', aplQuery: NUMBER, datasets: ['api'] },
        { title: MARKUP, aplQuery: SERIES },
      ],
    },
  ])
  await page.goto(`${service.url}/?fields=true&${RANGE}&datasets=web,api`)
  await page.locator('figcaption').getByText('24 events').nth(1).waitFor()
  await addTo(page, 'Older')
  await page.locator('figcaption').getByText('24 events').nth(1).waitFor()
  await shown(['Older', MARKUP, 'web', 'api'], page)
})

testInBrowser('a view of several charts is opened by its address, in the range that was saved', async () => {
  const { id } = await save({ charts: CHARTS, hiddenTypes: ['incident'] })
  await using page = await openPage(service, `/views?savedView=${id}`)
  await chart(page, 'Requests')
    .getByRole('group', { name: /^Chart of Requests/ })
    .waitFor()
  await chart(page, 'All of api').getByText('24').waitFor()
  await expectSoon(async () => new URL(page.url()).searchParams.get('startTime'), START)
  await chart(page, 'Requests').getByRole('toolbar').getByRole('button').first().click()
  await page.getByRole('complementary').getByRole('heading', { name: 'Release 7' }).waitFor()
  await page.getByRole('button', { name: 'Close the panel' }).click()
  // Another range is the address's, and that of the view once it is saved.
  await doInRange(page, 'Zoom out')
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await expectSoon(async () => (await stored()).map(({ startTime }) => startTime), ['2026-01-01T08:00:00.000Z'])
  await page.getByRole('button', { name: 'Save the changes' }).waitFor({ state: 'detached' })
})

testInBrowser('the pointer over one chart is over all of them', async () => {
  const { id } = await save({ charts: [CHARTS[0], { ...CHARTS[0], title: 'Again' }] })
  await using page = await openPage(service, `/views?savedView=${id}`)
  const plots = page.locator('.board-chart .u-over')
  await plots.nth(1).waitFor()
  await plots.nth(0).hover({ position: { x: 200, y: 60 } })
  const cursor = page.locator('.board-chart .u-cursor-x').nth(1)
  await expectSoon(() => cursor.evaluate((line) => /translate\((?!0px|-10px)/.test((line as HTMLElement).style.transform)), true)
})

testInBrowser('charts change their places and names, and go, for everybody', async () => {
  const { id } = await save({ charts: CHARTS })
  await using page = await openPage(service, `/views?savedView=${id}`)
  await shown(['Requests', 'All of api'], page)
  await act(page, 'All of api', 'Move up')
  await shown(['All of api', 'Requests'], page)
  const widthOf = async (title: string) => (await chart(page, title).boundingBox())?.width ?? 0
  const half = await widthOf('Requests')
  await act(page, 'Requests', 'Change')
  await page.getByLabel('Whole width').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSoon(async () => (await widthOf('Requests')) > 1.8 * half, true)
  expect((await stored())[0]?.charts[1]).toMatchObject({ title: 'Requests', wide: true })
  await act(page, 'Requests', 'Change')
  await page.getByLabel('Whole width').uncheck()
  await page.getByRole('textbox', { name: 'Title' }).fill('Traffic')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await shown(['All of api', 'Traffic'], page)
  await expectSoon(async () => (await widthOf('Traffic')) === half, true)
  await act(page, 'All of api', 'Remove')
  await shown(['Traffic'], page)
  expect((await stored())[0]?.charts).toEqual([{ ...CHARTS[0], title: 'Traffic', wide: false }])
  // The last one goes with its view.
  await page.locator('summary', { hasText: 'Actions on Traffic' }).click()
  expect(await chart(page, 'Traffic').getByRole('button', { name: 'Remove' }).count()).toBe(0)
  await chart(page, 'Traffic').getByRole('button', { name: 'Open in Explore' }).click()
  await expectSoon(async () => new URL(page.url()).searchParams.get('apl'), SERIES)
})

testInBrowser('each table of a view has an order of its own, which is saved and moves with it', async () => {
  const groups = (dataset: string) => ({
    ...{ title: `Of ${dataset}`, aplQuery: `['${dataset}'] | summarize n = count() by status`, datasets: [dataset] },
  })
  const charts = [groups('web'), { ...groups('api'), order: [{ field: 'n', desc: true }] }]
  const { id } = await save({ charts, resultKind: 'table' })
  await using page = await openPage(service, `/views?savedView=${id}`)
  const orders = async () => {
    const heads = (title: string) => chart(page, title).locator('th')
    const all = async (title: string) =>
      Promise.all((await heads(title).all()).map(async (head) => (await head.getAttribute('aria-sort'))?.slice(0, 4)))
    return { web: await all('Of web'), api: await all('Of api') }
  }
  await expectSoon(orders, { web: ['none', 'desc'], api: ['none', 'desc'] })
  await chart(page, 'Of web').getByRole('columnheader', { name: 'status' }).getByRole('button').click()
  await expectSoon(orders, { web: ['asce', 'none'], api: ['none', 'desc'] })
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await page.getByRole('button', { name: 'Save the changes' }).waitFor({ state: 'detached' })
  expect((await stored())[0]?.charts.map(({ order }) => order)).toEqual([
    [{ field: 'status', desc: false }],
    [{ field: 'n', desc: true }],
  ])
  // What is not saved goes with its chart, too.
  await chart(page, 'Of web').getByRole('columnheader', { name: 'n', exact: true }).getByRole('button').click()
  await act(page, 'Of api', 'Move up')
  await shown(['Of api', 'Of web'], page)
  await expectSoon(orders, { web: ['none', 'asce'], api: ['none', 'desc'] })
  await act(page, 'Of api', 'Remove')
  await shown(['Of web'], page)
  await expectSoon(async () => (await orders()).web, ['none', 'asce'])
  await act(page, 'Of web', 'Open in Explore')
  await expectSoon(async () => new URL(page.url()).searchParams.getAll('sort'), ['n asc'])
})

testInBrowser('a view of one chart that becomes one of several keeps the order of its table', async () => {
  const aplQuery = "['web'] | summarize n = count() by status"
  await save({ name: 'Older', aplQuery, datasets: ['web'], order: [{ field: 'status', desc: true }] })
  await using page = await openPage(service, `/?${RANGE}&sort=n+asc&kind=table&apl=${encodeURIComponent(aplQuery)}`)
  await page.getByRole('columnheader', { name: 'n', exact: true }).waitFor()
  await addTo(page, 'Older', 'Newer')
  await shown(['Older', 'Newer'], page)
  const [there] = await stored()
  expect([there?.order, ...(there?.charts.map(({ order }) => order) ?? [])]).toEqual([
    [],
    [{ field: 'status', desc: true }],
    [{ field: 'n', desc: false }],
  ])
  expect(new URL(page.url()).searchParams.getAll('sort')).toEqual(['status desc', 'n asc'])
})

testInBrowser('of two people who change the charts, the later one is told, and shown what the other did', async () => {
  const { id } = await save({ charts: CHARTS })
  await using page = await openPage(service, `/views?savedView=${id}`)
  await shown(['Requests', 'All of api'], page)
  await using other = await openPage(service, `/views?savedView=${id}`, { expectedErrors: /409/ })
  await shown(['Requests', 'All of api'], other)
  await act(page, 'Requests', 'Remove')
  await shown(['All of api'], page)
  await act(other, 'All of api', 'Move up')
  await other.getByRole('alert').getByText('Somebody else changed this view meanwhile').waitFor()
  await shown(['All of api'], other)
  expect((await stored())[0]?.charts).toEqual([CHARTS[1]])
})

testInBrowser('of two people who save one view, the later one decides knowingly', async () => {
  const { id } = await save({ name: 'Counts', aplQuery: NUMBER, datasets: ['api'] })
  await using page = await openPage(service, `/?savedView=${id}&${RANGE}&apl=${encodeURIComponent(NUMBER)}`, {
    expectedErrors: /409/,
  })
  await savedViews(page).locator('summary').getByText('Counts').waitFor()
  await page.getByRole('textbox', { name: 'Query', exact: true }).fill(`${NUMBER} // mine`)
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Result' }).waitFor()
  await send(service, 'PUT', `${PATH}/${id}`, { aplQuery: `${NUMBER} // theirs` })
  const saved = async () => (await stored()).map(({ aplQuery }) => aplQuery)
  const reloaded = page.waitForResponse((answer) => answer.request().method() === 'GET' && answer.url().endsWith(id))
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await reloaded
  await page.getByRole('alert').getByText('Somebody else changed this view meanwhile').waitFor()
  expect(await saved()).toEqual([`${NUMBER} // theirs`])
  // Who still wants to does it again.
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await expectSoon(saved, [`${NUMBER} // mine`])
})

testInBrowser('the list of views says what each shows, and opens, renames and deletes it', async () => {
  await save({ name: 'Board', charts: CHARTS })
  await save({ name: MARKUP, aplQuery: NUMBER, datasets: ['api'] })
  await save({ name: 'Events', datasets: ['web', 'api'] })
  await using page = await openPage(service, '/views')
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await row('Board').getByText('2 charts: Requests, All of api').waitFor()
  await row('Events').getByText('events of web, api').waitFor()
  await row(MARKUP).getByText(NUMBER).waitFor()
  await act(page, 'Events', 'Rename')
  await page.getByRole('textbox', { name: 'Name' }).fill('All events')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await row('All events').waitFor()
  await act(page, 'All events', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await row('All events').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Board' }).click()
  await shown(['Requests', 'All of api'], page)
  await page.getByRole('link', { name: 'All saved views' }).click()
  await page.getByRole('link', { name: MARKUP }).click()
  await expectSoon(async () => new URL(page.url()).searchParams.get('apl'), NUMBER)
})

testInBrowser(
  'the filters of a view stand above its charts and hold for all of them; fields to choose from are kept',
  async () => {
    const events = ['eu', 'us', "o'x"].map((region, n) => ({
      _time: new Date(Date.parse(START) + n * 60_000).toISOString(),
      region,
    }))
    await ingest(service, 'regions', events)
    const charts = [
      { title: 'Each', aplQuery: "['regions'] | summarize n = count() by region", datasets: ['regions'] },
      { title: 'All of api', aplQuery: NUMBER, datasets: ['api'] },
    ]
    const { id } = await save({ charts, variables: ['region'], filters: ["region == 'o\\'x'"] })
    await using page = await openPage(service, `/views?savedView=${id}`)
    const number = () => chart(page, 'All of api').locator('.result-numbers dd').first().textContent()
    // Also for a chart whose events do not have the field.
    await expectSoon(number, '0')
    await expectSoon(() => chart(page, 'Each').locator('td:has(.top-bar) .result-cell').allTextContents(), ["o'x"])
    await page.getByRole('button', { name: "Remove the filter: region is o'x" }).click()
    await expectSoon(number, '24')
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await expectSoon(async () => (await stored()).map(({ filters, variables }) => [filters, variables]), [[[], ['region']]])
  },
)

testInBrowser('who may only read views changes none, and the charts fit on a phone', async () => {
  const { id } = await save({ charts: CHARTS })
  const token = await tokenWith(service, 'views|read', 'query|read', 'annotations|read', 'datasets|read')
  await using page = await openPage(service, `/views?savedView=${id}`, { token, viewport: { width: 390, height: 844 } })
  await shown(['Requests', 'All of api'], page)
  await page.locator('summary', { hasText: 'Actions on Requests' }).click()
  expect(await chart(page, 'Requests').locator('.actions button').allTextContents()).toEqual(['Open in Explore'])
  await page.getByRole('group', { name: /^Chart of Requests/ }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
