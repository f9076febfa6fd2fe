/** The page of integrations: made, changed and deleted with care, what became of their webhooks, and lines to paste elsewhere. */
import { createHmac } from 'node:crypto'
import type { Integration } from '@deployment-annotations/contract/integration'
import { beforeEach, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { deleteAll, send, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { MARKUP } from './support/hostile.ts'
import { act } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

const PATH = '/v2/integrations'
const SECRET = 'a secret that the tests have'

const service = serviceWithEvents({ api: [{ status: 200 }], web: [{ status: 200 }] })
beforeEach(() => deleteAll(service, PATH))

const stored = () => send<Integration[]>(service, 'GET', PATH)
const make = (body: object = {}) =>
  send<Integration>(service, 'POST', PATH, { platform: 'generic', datasets: ['web'], secret: SECRET, ...body })
const cards = (page: OpenPage) => page.getByRole('region', { name: 'Integrations' }).getByRole('row')

/** @returns the status of the answer */
async function deliver(members: object, secret = SECRET): Promise<number> {
  const event = { deployment: 'run-7', status: 'started', time: '2026-03-01T12:00:00Z', project: 'shop', ...members }
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-signature-256': `sha256=${signature}` }
  return (await fetch(`${service.url}/v1/integrations/generic`, { method: 'POST', headers, body })).status
}

testInBrowser('one is made, its secret is shown once, and its first delivery appears by itself', async () => {
  await using page = await openPage(service, '/integrations')
  await page.getByText('None yet. GitHub').waitFor()
  await page.getByRole('button', { name: 'New integration' }).click()
  const form = page.getByRole('dialog', { name: 'New integration' })
  await form.getByLabel('Who reports the deployments').selectOption({ label: 'A script of your own' })
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('Choose at least one dataset').waitFor()
  await form.getByRole('checkbox', { name: 'web' }).check()
  await form.getByLabel('Name').fill(MARKUP)
  await form.getByRole('button', { name: 'Create' }).click()
  const made = page.getByRole('dialog', { name: 'Integration created' })
  const secret = (await made.locator('.secret').textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  await made.getByText(`${service.url}/v1/integrations/generic/`).waitFor()
  await made.getByRole('button', { name: 'Done' }).click()
  await cards(page).getByRole('rowheader', { name: MARKUP }).waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(await stored()).toMatchObject([{ platform: 'generic', name: MARKUP, datasets: ['web'], environments: [] }])
  expect(await deliver({ deployment: MARKUP }, secret)).toBe(200)
  await cards(page).getByRole('cell').getByText('Marked').waitFor()
})

testInBrowser('Vercel’s address is there before its secret, without which none is made', async () => {
  await using page = await openPage(service, '/integrations')
  await page.getByRole('button', { name: 'New integration' }).click()
  const form = page.getByRole('dialog')
  const environments = form.getByLabel('Only these environments')
  expect(await environments.getAttribute('placeholder')).toBe('all')
  await form.getByLabel('Who reports the deployments').selectOption({ label: 'Vercel' })
  expect(await environments.getAttribute('placeholder')).toBe('production')
  await form.getByText(`${service.url}/v1/integrations/vercel`).waitFor()
  await form.getByRole('checkbox', { name: 'api' }).check()
  await form.getByRole('button', { name: 'Create' }).click()
  expect(await form.getByLabel('Secret').evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true)
  await form.getByLabel('Secret').fill('what Vercel has shown')
  await form.getByRole('button', { name: 'Create' }).click()
  await cards(page).getByRole('rowheader', { name: 'vercel' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await stored()).toMatchObject([{ platform: 'vercel', environments: ['production'], datasets: ['api'] }])
})

testInBrowser('a mapping and rules are written as JSON, tried with an example, and stored', async () => {
  await using page = await openPage(service, '/integrations')
  await page.getByRole('button', { name: 'New integration' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Who reports the deployments').selectOption({ label: 'A script of your own' })
  await form.getByRole('checkbox', { name: 'web' }).check()
  const mapping = { deployment: '{run.id}', state: '{run.result}', states: { BAD: 'failed' }, title: '{app}' }
  const rules = [{ environments: ['staging'], datasets: ['api'] }]
  await form.getByLabel('How to read bodies').fill(JSON.stringify(mapping))
  await form.getByLabel('Other datasets by rules').fill(JSON.stringify(rules))
  await form.getByText('Try an example').click()
  await form.getByLabel('A body that the sender posts').fill(JSON.stringify({ run: { id: 7, result: 'BAD' }, app: MARKUP }))
  await form.getByRole('button', { name: 'Show the annotation' }).click()
  await form.getByRole('definition').getByText('failed', { exact: true }).waitFor()
  await form.getByLabel('A body that the sender posts').fill('{"run":')
  await form.getByRole('button', { name: 'Show the annotation' }).click()
  await form.getByText('The example is not JSON').waitFor()
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog', { name: 'Integration created' }).waitFor()
  expect(await stored()).toMatchObject([{ platform: 'generic', mapping, rules }])
})

testInBrowser('the last deliveries say what became of each, and lead to the mark', async () => {
  await make({ name: 'Scripts', environments: ['production'] })
  await deliver({ environment: 'production' })
  await deliver({ environment: 'production' })
  await deliver({ environment: 'staging' })
  await deliver({ status: MARKUP })
  await using page = await openPage(service, '/integrations')
  await page.getByRole('link', { name: 'Scripts' }).click()
  await page.getByText('Last deliveries').click()
  const lines = page.locator('.opened-list li')
  await lines.nth(3).waitFor()
  const words = (await lines.allTextContents()).map((text) => text.replaceAll(/ \d.*$/g, ''))
  expect(words).toEqual(['✕ Refused', '– Not marked', '= Nothing new', '✓ Marked'])
  await lines.nth(1).getByText('environment get no annotations').waitFor()
  await lines.nth(3).getByRole('link', { name: 'Marked' }).click()
  await page.getByRole('complementary').getByRole('heading', { name: 'shop production' }).waitFor()
})

testInBrowser('another secret is asked for with care, and a change sends only what was edited', async () => {
  const { id } = await make({ name: 'Scripts', title: '{version}' })
  await using page = await openPage(service, '/integrations')
  await act(page, 'Scripts', 'Replace the secret')
  const question = page.getByRole('dialog', { name: 'Replace the secret?' })
  await question.getByText('refused at once').waitFor()
  await question.getByRole('button', { name: 'Replace' }).click()
  const made = page.getByRole('dialog', { name: 'Secret replaced' })
  const secret = (await made.locator('.secret').textContent()) ?? ''
  await made.getByRole('button', { name: 'Done' }).click()
  expect([await deliver({}), await deliver({}, secret)]).toEqual([401, 200])
  await act(page, 'Scripts', 'Change')
  const form = page.getByRole('dialog', { name: 'Scripts' })
  await form.getByLabel('Type of the annotations').fill('release')
  // Somebody else changes the title meanwhile.
  await send(service, 'PUT', `${PATH}/${id}`, { title: '{project}' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expectSoon(async () => (await stored()).map(({ type, title }) => [type, title]), [['release', '{project}']])
})

testInBrowser('one is deleted after a question, and the focus stays on the page', async () => {
  await make({ name: 'Scripts' })
  await using page = await openPage(service, '/integrations')
  await act(page, 'Scripts', 'Delete')
  const question = page.getByRole('dialog', { name: 'Delete this integration?' })
  await question.getByRole('button', { name: 'Cancel' }).press('Enter')
  expect(await stored()).toHaveLength(1)
  await act(page, 'Scripts', 'Delete')
  await question.getByRole('button', { name: 'Delete permanently' }).press('Enter')
  await page.getByText('None yet. GitHub').waitFor()
  await expectSoon(() => page.evaluate(() => document.activeElement?.textContent), 'Deployments reported by webhook')
  expect(await stored()).toEqual([])
})

testInBrowser('a token that may only read them has no buttons, and one that may not sees how to send data', async () => {
  await make({ name: 'Scripts' })
  const reader = await tokenWith(service, 'integrations|read', 'datasets|read')
  await using page = await openPage(service, '/integrations', { token: reader })
  await cards(page).getByRole('rowheader', { name: 'Scripts' }).waitFor()
  expect(await cards(page).getByRole('button').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'New integration' }).count()).toBe(0)
  await using other = await openPage(service, '/integrations', { token: await tokenWith(service, 'ingest|create') })
  await other.getByText('it lacks the permission integrations|read').waitFor()
  await other.getByText('/v1/datasets/web/ingest').waitFor()
})

testInBrowser('the page is as wide as a phone', async () => {
  await make({ name: 'x'.repeat(200), datasets: ['x'.repeat(128)] })
  await using page = await openPage(service, '/integrations', { viewport: { width: 390, height: 844 } })
  await cards(page).last().waitFor()
  await cards(page).getByRole('link').click()
  for (const summary of await page.getByRole('dialog').locator('summary').all()) await summary.click()
})
