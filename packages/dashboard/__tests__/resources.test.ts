/** What the lists and forms of all resources have in common; and notifiers, which have no page of their own. */
import { createServer } from 'node:http'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import type { Notifier } from '@deployment-annotations/contract/notifier'
import { afterEach, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { deleteAll, send } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents, sharedByTests } from '../../../__tests__/support/for-tests.ts'
import { listen } from '../../../__tests__/support/listen.ts'
import { act, rowOf } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceWithEvents({ web: [{ status: 200 }] }, { args: ['--allow-private-notifications'] })
let received = 0
const countRequest = createServer((_, response) => {
  received++
  response.end()
})
const receiver = sharedByTests(
  () => listen(countRequest),
  (listening) => listening[Symbol.asyncDispose](),
)
afterEach(() => deleteAll(service, '/v2/monitors'))

const RULE = { aplQuery: "['web'] | count", operator: 'Above', threshold: 1_000, intervalMinutes: 1, rangeMinutes: 5 } as const
const make = (name: string, members: object = {}) => send<Monitor>(service, 'POST', '/v2/monitors', { ...RULE, name, ...members })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const stored = () => send<Notifier[]>(service, 'GET', '/v2/notifiers')
const openOf = (page: Page) => new URL(page.url()).searchParams.get('open')

testInBrowser('the address opens the form of one beside the list, Escape closes it, and the focus is where it was', async () => {
  const { id } = await make('First')
  const second = await make('Second')
  await using page = await openPage(service, '/monitors', { viewport: { width: 1_440, height: 900 } })
  await page.getByRole('link', { name: 'First' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'First' })
  await form.getByLabel('Name').waitFor()
  expect(openOf(page)).toBe(id)
  expect(await form.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  // The list beside it can be used meanwhile.
  await page.getByRole('link', { name: 'Second' }).click()
  await page.getByRole('dialog', { name: 'Second' }).waitFor()
  expect([await form.count(), openOf(page)]).toEqual([0, second.id])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect([await focused(page), openOf(page)]).toEqual(['Second', null])
  await page.goBack()
  await page.getByRole('dialog', { name: 'Second' }).waitFor()
  await using shared = await openPage(service, `/monitors?open=${id}`, { viewport: { width: 390, height: 844 } })
  await shared.getByRole('dialog', { name: 'First' }).waitFor()
  expect(await shared.getByRole('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
})

testInBrowser('a form shows a dataset that has no events, and a tick of another keeps it', async () => {
  const { id } = await make('First', { datasets: ['gone'] })
  await using page = await openPage(service, `/monitors?open=${id}`, { viewport: { width: 1_440, height: 900 } })
  const datasets = page.getByRole('dialog', { name: 'First' }).getByRole('group', { name: 'Datasets to mark' })
  await datasets.getByRole('checkbox', { name: 'web' }).check()
  expect(await datasets.getByRole('checkbox', { name: 'gone' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const [monitor] = await send<Monitor[]>(service, 'GET', '/v2/monitors')
  expect(monitor?.datasets.toSorted()).toEqual(['gone', 'web'])
})

testInBrowser('a notifier is created, tested, named by a monitor, changed without its address, and deleted', async () => {
  const url = `${receiver.url}/hook`
  await using page = await openPage(service, '/integrations')
  await page.getByRole('button', { name: 'New notifier' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('How it is sent').selectOption('webhook')
  await form.getByLabel('URL').fill(url)
  await form.getByLabel('Name').fill('On call')
  await form.getByLabel('deployments and jobs that failed').uncheck()
  await form.getByLabel('Quiet from').fill('22:00')
  await form.getByLabel('Quiet until').fill('22:01')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog', { name: 'Notifier created' }).locator('.secret').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await stored()).toMatchObject([{ name: 'On call', events: ['verdict', 'monitor'], quietHours: { start: '22:00' } }])

  await act(page, 'On call', 'Send a test')
  await page.getByRole('region', { name: 'Notifiers' }).getByRole('status').getByText('delivered').waitFor()
  expect(received).toBe(1)
  await rowOf(page, 'On call').getByRole('cell').getByText('delivered').waitFor()
  await act(page, 'On call', 'Change')
  await form.getByText('Last messages').click()
  await form.getByRole('listitem').getByText('delivered').waitFor()
  await form.getByLabel('Only of types').fill('deploy')
  await form.getByRole('button', { name: 'Save' }).click()
  await expectSoon(async () => (await stored()).map(({ types }) => types), [['deploy']])
  await act(page, 'On call', 'Send a test')
  await expectSoon(async () => received, 2)

  await make('Watched')
  await page.goto(`${service.url}/monitors`)
  await act(page, 'Watched', 'Change')
  await form.getByRole('group', { name: 'Notifies' }).getByLabel('On call').check()
  await form.getByRole('button', { name: 'Save' }).click()
  const [{ id = '' } = {}] = await stored()
  await expectSoon(async () => (await send<Monitor[]>(service, 'GET', '/v2/monitors')).map((one) => one.notifierIds), [[id]])
  await page.goto(`${service.url}/integrations`)
  await act(page, 'On call', 'Delete')
  await page.getByRole('dialog', { name: 'Delete this notifier?' }).getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('None yet. A notifier').waitFor()
  expect(await stored()).toEqual([])
})
