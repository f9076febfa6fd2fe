/** Annotations made, read, changed, closed and deleted on the chart, and hostile ones, which do nothing. */
import { afterEach, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, deleteAll, ingest, listAll, send, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { markMiddle, markOn, panelOf, plotBox } from './support/charts.ts'
import { actIn } from './support/resources.ts'
import { at, MORNING } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceWithEvents({ web: [{ _time: at(30), status: 200 }] })
afterEach(() => deleteAll(service, '/v2/annotations'))

const markNamed = (page: Page, name: RegExp) => markOn(page, 'web', name)

/** Drags over a part of the plot with Shift held. */
async function markOnPlot(page: Page, from: number, to: number): Promise<void> {
  await page.locator('figcaption').getByText('1 event').waitFor()
  const box = await plotBox(page, 'web')
  const y = box.y + box.height / 2
  await page.keyboard.down('Shift')
  await page.mouse.move(box.x + from * box.width, y)
  await page.mouse.down()
  await page.mouse.move(box.x + to * box.width, y, { steps: 6 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
}

testInBrowser('dragging with Shift makes a span, and the form says the rest', async () => {
  await using page = await openPage(service, `/?${MORNING}`)
  await markOnPlot(page, 0.25, 0.5)
  const form = page.getByRole('dialog', { name: 'New annotation' })
  await form.getByLabel('Type').fill('production-deploy')
  await form.getByLabel('Title').fill('Release 9')
  await form.getByLabel('Description').fill('New **checkout**')
  await form.getByLabel('Link').fill('https://example.com/9')
  await form.getByRole('button', { name: 'Create' }).click()
  await markNamed(page, /^Release 9, production-deploy/).waitFor()
  const panel = panelOf(page)
  await panel.getByRole('definition').getByText('30 min').waitFor()
  expect(await panel.locator('strong').textContent()).toBe('checkout')
  expect(await panel.getByRole('link').getAttribute('href')).toBe('https://example.com/9')
  const [stored] = await listAll(service)
  expect(stored).toMatchObject({
    datasets: ['web'],
    type: 'production-deploy',
    title: 'Release 9',
    description: 'New **checkout**',
  })
  // One pixel of this chart is about seven seconds.
  expect(Math.abs(Date.parse(stored?.time ?? '') - Date.parse(at(30)))).toBeLessThan(20_000)
  expect(Math.abs(Date.parse(stored?.endTime ?? '') - Date.parse(at(60)))).toBeLessThan(20_000)
})

testInBrowser('Ctrl-click makes a point, which has no end to be closed with, is changed, and deleted', async () => {
  await using page = await openPage(service, `/?${MORNING}`)
  await page.locator('figcaption').getByText('1 event').waitFor()
  await markMiddle(page, 'web')
  await page.getByLabel('Type').fill('incident')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const panel = panelOf(page)
  await panel.locator('summary', { hasText: 'Actions on' }).waitFor()
  expect(await panel.getByRole('button', { name: 'Close now' }).count()).toBe(0)
  const [made] = await listAll(service)

  await actIn(panel, 'Change')
  await page.getByLabel('Title').fill('Disk full')
  await page.getByLabel('End of a span').fill('2026-01-31T11:30:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('heading', { name: 'Disk full' }).waitFor()
  const [changed] = await listAll(service)
  expect(changed).toEqual({ ...made, title: 'Disk full', endTime: '2026-01-31T11:30:00Z' })

  await actIn(panel, 'Delete')
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await panel.waitFor({ state: 'detached' })
  await markNamed(page, /Disk full/).waitFor({ state: 'detached' })
  expect(await listAll(service)).toEqual([])
})

testInBrowser('what goes on is closed now', async () => {
  const { id } = await annotate(service, { datasets: ['web'], type: 'incident', time: at(0), title: 'Disk full', open: true })
  await using page = await openPage(service, `/?${MORNING}&annotations=${id}`)
  await panelOf(page).getByRole('button', { name: 'Close now' }).click()
  await panelOf(page).getByText('Duration').waitFor()
  const [closed] = await listAll(service)
  expect(Math.abs(Date.parse(closed?.endTime ?? '') - Date.now())).toBeLessThan(30_000)
  expect(await panelOf(page).getByRole('button', { name: 'Close now' }).count()).toBe(0)
  await send(service, 'DELETE', `/v2/annotations/${id}`)
})

testInBrowser('a change sends only what was touched, so that a time keeps its nanoseconds', async () => {
  const time = '2026-01-31T10:30:00.123456789Z'
  const { id } = await annotate(service, { datasets: ['web'], type: 'deploy', time, description: 'as it was' })
  await using page = await openPage(service, `/?${MORNING}&annotations=${id}`)
  await actIn(panelOf(page), 'Change')
  await page.getByLabel('Title').fill('New title')
  await page.getByLabel('Description').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await panelOf(page).getByRole('heading', { name: 'New title' }).waitFor()
  expect(await listAll(service)).toEqual([{ id, datasets: ['web'], type: 'deploy', time, title: 'New title' }])
})

testInBrowser('what the service refuses is told in the form, and nothing typed is lost', async () => {
  await using page = await openPage(service, `/?${MORNING}`, { expectedErrors: /422/ })
  await markOnPlot(page, 0.25, 0.5)
  await page.getByLabel('Type').fill('deploy')
  await page.getByLabel('End of a span').fill('2026-01-31T09:00:00')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').getByText('endTime must not be before time').waitFor()
  expect(await page.getByLabel('Type').inputValue()).toBe('deploy')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await listAll(service)).toEqual([])
})

testInBrowser('the form offers the datasets, and says in words what a name or a type cannot be', async () => {
  await ingest(service, 'api', [{ _time: at(30), status: 200 }])
  await using page = await openPage(service, `/?${MORNING}&datasets=web`)
  await markOnPlot(page, 0.25, 0.5)
  const form = page.getByRole('dialog')
  const datasets = form.getByRole('group', { name: 'Datasets' })
  expect(await datasets.getByRole('checkbox', { name: 'web' }).isChecked()).toBe(true)
  await form.getByLabel('Type').fill('Production Deploy')
  await form.getByRole('button', { name: 'Create' }).click()
  const said = await form.getByLabel('Type').evaluate((field: HTMLInputElement) => field.validity.patternMismatch && field.title)
  expect(said).toBe('A type has lower-case letters, digits and - only, for example production-deploy.')
  await form.getByLabel('Type').fill('deploy')
  await datasets.getByRole('textbox').fill('shop payments')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('alert').getByText('“shop payments” cannot be the name of a dataset').waitFor()
  expect(await form.getByRole('alert').textContent()).toContain('for example “shop-payments”')
  await datasets.getByRole('textbox').fill('elsewhere')
  await datasets.getByRole('checkbox', { name: 'api' }).check()
  await datasets.getByRole('checkbox', { name: 'web' }).uncheck()
  await form.getByRole('button', { name: 'Create' }).click()
  await panelOf(page).getByText('api, elsewhere').waitFor()
  expect((await listAll(service)).map((one) => one.datasets)).toEqual([['api', 'elsewhere']])
})

testInBrowser('that a deployment failed or goes on is seen by a sign on its mark, and read in its panel', async () => {
  const went = ['Succeeded after 4 min', 'Release notes\n\nfailure (exit code 7) after 2 min', 'In progress', 'just words']
  for (const [n, description] of went.entries())
    await annotate(service, { datasets: ['web'], type: 'deploy', time: at(10 + 20 * n), title: `Release ${n}`, description })
  await annotate(service, { datasets: ['web'], type: 'incident', time: at(85), title: 'Disk full', description: 'In progress' })
  await annotate(service, { datasets: ['web'], type: 'rollback', time: at(100), title: 'Release 0 again' })
  await using page = await openPage(service, `/?${MORNING}&datasets=web`)
  const buttons = page.getByRole('toolbar').getByRole('button')
  await buttons.nth(5).waitFor()
  const shown = ['Release 0', '✕ Release 1', '◐ Release 2', 'Release 3', 'Disk full', 'Release 0 again']
  expect(await buttons.allTextContents()).toEqual(shown)
  await markNamed(page, /^Release 1, deploy, .*, pipeline failed$/).click()
  await panelOf(page).getByText('failed', { exact: true }).first().waitFor()
})

testInBrowser('marks that crowd share a button, whose panel lists them', async () => {
  for (let n = 0; n < 12; n++)
    await annotate(service, { datasets: ['web'], type: 'deploy', time: at(50 + n / 30), title: `Release ${n}` })
  await using page = await openPage(service, `/?${MORNING}`)
  await markNamed(page, /^12 annotations/).click()
  const panel = panelOf(page)
  await expectSoon(() => panel.getByRole('listitem').count(), 12)
  await panel.getByRole('button', { name: /Release 5 / }).click()
  await panel.getByRole('heading', { name: 'Release 5', exact: true }).waitFor()
})

testInBrowser('a link to an annotation outside the range opens it, and one to none says so', async () => {
  const { id } = await annotate(service, { datasets: ['web'], type: 'deploy', time: '2020-01-01T00:00:00Z', title: 'Long ago' })
  await using page = await openPage(service, `/?${MORNING}&annotations=${id}`, { expectedErrors: /404/ })
  await panelOf(page).getByRole('heading', { name: 'Long ago' }).waitFor()
  await page.goto(`${service.url}/?${MORNING}&annotations=ann_none`)
  await panelOf(page).getByRole('alert').getByText('annotation ann_none not found').waitFor()
})

testInBrowser('a token that may only read sees no buttons that would be refused', async () => {
  const token = await tokenWith(service, 'annotations|read', 'query|read', 'datasets|read')
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(60), title: 'Release 1' })
  await using page = await openPage(service, `/?${MORNING}`, { token })
  await markNamed(page, /^Release 1/).click()
  await panelOf(page).getByRole('heading', { name: 'Release 1' }).waitFor()
  await panelOf(page).locator('summary').first().click()
  await page.getByRole('button', { name: 'Show on chart' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Change|Delete|Close now)/ }).count()).toBe(0)
})

testInBrowser('a token that may not read is told so, without another try that would end the same', async () => {
  const token = await tokenWith(service, 'annotations|create')
  await using page = await openPage(service, '/', { token, expectedErrors: /403/ })
  await page.getByRole('alert').getByText('lacks the permission annotations|read').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await page.locator('summary', { hasText: /^Annotations/ }).count()).toBe(0)
})

testInBrowser('the page that an answer links to shows the annotation', async () => {
  const answer = await fetch(`${service.url}/v2/annotations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ datasets: ['web'], type: 'deploy', title: 'Release 10', time: at(40), endTime: at(50) }),
  })
  const [, target = ''] = /^<([^>]*)>/.exec(answer.headers.get('link') ?? '') ?? []
  const { pathname, search } = new URL(target, answer.url)
  await using page = await openPage(service, pathname + search)
  await panelOf(page).getByRole('heading', { name: 'Release 10' }).waitFor()
  await markNamed(page, /Release 10/).waitFor()
})
