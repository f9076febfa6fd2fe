/** Tokens for some datasets and for some time, made on the page, and regenerated: what they may do is asked of the real service. */
import type { Token } from '@deployment-annotations/contract/token'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { send } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { grantsOf, membersOf } from '../src/tokens/grants.ts'
import { act, actIn } from './support/resources.ts'

const DAY_MS = 86_400_000

const service = serviceWithEvents({ web: [{ a: 1 }], api: [{ a: 1 }] })

const list = () => send<Token[]>(service, 'GET', '/v2/tokens')
const statusOf = async (token: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const method = body === undefined ? 'GET' : 'POST'
  return (await fetch(service.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })).status
}
const ingestWith = (token: string, dataset: string) => statusOf(token, `/v1/datasets/${dataset}/ingest`, [{ a: 1 }])
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function readSecret(page: Page): Promise<string> {
  const secret = (await page.locator('.secret').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  return secret
}

test('what a token may do is told by datasets, those with the same together', () => {
  const of = (datasetCapabilities: Token['datasetCapabilities'], permissions: Token['permissions'] = []) =>
    grantsOf({
      id: 't',
      name: 't',
      kind: 'api',
      createdAt: '',
      permissions,
      datasetCapabilities,
      orgCapabilities: { annotations: ['read'] },
    })
  const query = { query: ['read'] }
  expect(of({ '*': query }, ['query|read'])).toEqual([{ datasets: [], permissions: ['query|read'] }])
  expect(of({ web: query, api: query })).toEqual([{ datasets: ['web', 'api'], permissions: ['annotations|read', 'query|read'] }])
  expect(of({ web: query, api: {} })).toEqual([
    { datasets: ['web'], permissions: ['annotations|read', 'query|read'] },
    { datasets: ['api'], permissions: ['annotations|read'] },
  ])
  expect(of({ '*': query, web: { ingest: ['create'] } }, ['query|read'])).toEqual([
    { datasets: [], permissions: ['query|read'] },
    { datasets: ['web'], permissions: ['ingest|create'] },
  ])
  expect(membersOf(['annotations|read'], ['web'])).toEqual({
    datasetCapabilities: { web: {} },
    orgCapabilities: { annotations: ['read'] },
  })
})

testInBrowser('a token for one dataset and 30 days reaches no other, and the table says so', async () => {
  await using page = await openPage(service, '/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('web only')
  await page.getByLabel('Description').fill('ships the log of web')
  await page.getByRole('button', { name: 'Log shipper' }).click()
  await page.getByLabel('only some').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('alert').getByText('Choose at least one dataset').waitFor()
  await page.getByRole('group', { name: 'Datasets' }).getByLabel('web').check()
  await page.getByLabel('Expires').selectOption('in 30 days')
  await page.getByRole('button', { name: 'Create' }).click()
  const secret = await readSecret(page)

  expect([await ingestWith(secret, 'web'), await ingestWith(secret, 'api')]).toEqual([200, 403])
  const made = row(page, 'web only')
  await made.getByText('ships the log of web').waitFor()
  expect(await made.getByRole('cell').first().textContent()).toBe('on webingest: create')
  const [token] = (await list()).filter(({ name }) => name === 'web only')
  const leftMs = Date.parse(token?.expiresAt ?? '') - Date.now()
  expect(Math.round(leftMs / DAY_MS)).toBe(30)
  await made.locator(`time[datetime="${token?.expiresAt}"]`).waitFor()
  await row(page, 'tok_operator').getByText('never').waitFor()
})

testInBrowser('a token that is regenerated goes on for as long as was chosen, or not at all', async () => {
  const { token: first } = await send<{ token: string }>(service, 'POST', '/v2/tokens', {
    name: 'shipper',
    permissions: ['ingest|create'],
  })
  await using page = await openPage(service, '/tokens')
  await act(page, 'shipper', 'Regenerate')
  await page.getByLabel('The new token expires').selectOption('in 90 days')
  await page.getByRole('button', { name: 'Regenerate', exact: true }).last().click()
  const second = await readSecret(page)
  expect([await ingestWith(first, 'web'), await ingestWith(second, 'web')]).toEqual([200, 200])
  await expect(row(page, 'shipper').nth(1).waitFor()).resolves.toBeUndefined()

  await actIn(row(page, 'shipper').last(), 'Regenerate')
  await page.getByLabel('This one works').selectOption('no longer')
  await page.getByRole('button', { name: 'Regenerate', exact: true }).last().click()
  const third = await readSecret(page)
  expect([await ingestWith(second, 'web'), await ingestWith(third, 'web')]).toEqual([401, 200])
  await row(page, 'shipper').getByText('expired').waitFor()
  // What has expired cannot last as long as before: how long is to be said.
  await actIn(row(page, 'shipper').filter({ hasText: 'expired' }), 'Regenerate')
  expect(await page.getByLabel('The new token expires').locator('option').allTextContents()).not.toContain('never, as this one')
  await page.getByRole('button', { name: 'Regenerate', exact: true }).last().click()
  expect(await ingestWith(await readSecret(page), 'web')).toBe(200)
})

testInBrowser('who regenerates the token of their own session is not signed out by it', async () => {
  const { token } = await send<{ token: string }>(service, 'POST', '/v2/tokens', { name: 'own', kind: 'personal' })
  await using page = await openPage(service, '/tokens', { token })
  await act(page, 'own', 'Regenerate')
  await page.getByText('You are signed in with this token').waitFor()
  expect(await page.getByLabel('This one works').locator('option').allTextContents()).not.toContain('no longer')
  await page.getByRole('button', { name: 'Regenerate', exact: true }).last().click()
  expect(await statusOf(await readSecret(page), '/v2/tokens')).toBe(200)
  await page.getByRole('row').filter({ hasText: 'own' }).nth(1).waitFor()
})
