/** The page of tokens, on the real service: made from a preset, used, revoked; and what an API token sees there. */

import { PERMISSIONS } from '@deployment-annotations/contract/permission'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { groupPermissions, PRESETS } from '../src/tokens/permissions.ts'
import { act } from './support/resources.ts'
import { expectSoon } from './support/wait.ts'

interface Made {
  id: string
  token: string
}

const ANNOTATION = { datasets: ['web'], type: 'deploy' }

const service = serviceForTests()

const make = (members: object) => send<Made>(service, 'POST', '/v2/tokens', members)
const create = (token: string) => send({ ...service, url: service.url, token }, 'POST', '/v2/annotations', ANNOTATION)
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

async function fillForm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill(name)
}

test('permissions are told by resource, and a preset has those of a task', () => {
  expect(groupPermissions(['annotations|create', 'ingest|create', 'annotations|read'])).toEqual([
    ['annotations', ['create', 'read']],
    ['ingest', ['create']],
  ])
  const picksOf = (name: string) => PERMISSIONS.filter((one) => PRESETS.find((preset) => preset.name === name)?.has(one))
  expect(picksOf('CI step')).toEqual(['annotations|create', 'annotations|read', 'annotations|update', 'annotations|delete'])
  expect(picksOf('Log shipper')).toEqual(['ingest|create'])
  expect(picksOf('Read only')).toEqual([
    'annotations|read',
    'query|read',
    'datasets|read',
    'virtualFields|read',
    'monitors|read',
    'integrations|read',
    'notifiers|read',
    'views|read',
  ])
})

testInBrowser('a token made from a preset works as shown, is shown once, and is refused once it is revoked', async () => {
  await using page = await openPage(service, '/tokens', { permissions: ['clipboard-read', 'clipboard-write'] })
  await fillForm(page, 'ci of web')
  const createButton = page.getByRole('button', { name: 'Create' })
  expect(await createButton.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'CI step' }).click()
  await createButton.click()

  const secret = (await page.locator('.secret').textContent()) ?? ''
  expect(secret).toMatch(/^xaat-/)
  await page.getByText('shown only this once').waitFor()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await focused(page)).toBe('New token')
  await row(page, 'ci of web').getByText('annotations: create, read, update, delete').waitFor()
  const kept = () =>
    document.documentElement.outerHTML + JSON.stringify([sessionStorage, localStorage, history.state, location.href])
  expect(await page.evaluate(kept)).not.toContain(secret)

  expect(await create(secret)).toMatchObject(ANNOTATION)
  await act(page, 'ci of web', 'Revoke')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await focused(page)).toBe('⋯Actions on ci of web')
  await act(page, 'ci of web', 'Revoke')
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await row(page, 'ci of web').waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('Tokens')
  await expect(create(secret)).rejects.toThrow('401')
})

testInBrowser('a form is sent by hand-picked permissions, or says what the service has against it', async () => {
  await using page = await openPage(service, '/tokens', { expectedErrors: /422/ })
  await fillForm(page, 'half \u0007')
  const datasets = page.getByRole('group', { name: 'datasets' })
  await datasets.getByLabel('read').check()
  await page.getByRole('button', { name: 'Create' }).click()
  const field = page.locator('.field').filter({ has: page.getByLabel('Name') })
  await field.getByRole('alert').getByText('without control characters').waitFor()
  await expectSoon(() => page.getByLabel('Name').evaluate((one) => one === document.activeElement), true)
  await page.getByLabel('Name').fill('half')
  await page.getByRole('group', { name: 'query' }).getByLabel('read').check()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Done' }).click()
  await row(page, 'half').getByText('query: read').waitFor()
  expect(await row(page, 'half').getByRole('listitem').allTextContents()).toEqual(['query: read', 'datasets: read'])
})

testInBrowser('the token given at start says why it stays', async () => {
  await using page = await openPage(service, '/tokens')
  const own = row(page, 'tok_operator')
  await own.getByText('it goes away when the service is started without it').waitFor()
  await own.getByText('you', { exact: true }).waitFor()
  expect(await own.getByRole('button').count()).toBe(0)
})

testInBrowser('a user who revokes the token of their own session is warned before, and signed out', async () => {
  const { token } = await make({ name: 'mine', kind: 'personal' })
  await using page = await openPage(service, '/tokens', { token })
  await act(page, 'mine', 'Revoke')
  await page.getByText('you will be signed out').waitFor()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('You revoked the token that you were signed in with').waitFor()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

testInBrowser('an API token sees why it may not see tokens, or creates some that may do no more', async () => {
  const { token, id } = await make({ name: 'shipper', permissions: ['ingest|create'] })
  await using page = await openPage(service, '/tokens', { token })
  await page.getByText('it lacks the permission apiTokens|read').waitFor()
  expect(service.requests.filter(({ tokenId, status }) => tokenId === id && status !== 200)).toEqual([])
  const manager = await make({ name: 'manager', permissions: ['apiTokens|read', 'apiTokens|create', 'ingest|create'] })
  await using other = await openPage(service, '/tokens', { token: manager.token })
  await fillForm(other, 'delegated')
  expect(await other.getByLabel('Personal token').count()).toBe(0)
  await other.getByRole('button', { name: 'Log shipper' }).click()
  await other.getByRole('button', { name: 'Create' }).click()
  await other.getByRole('button', { name: 'Done' }).click()
  await row(other, 'delegated').getByText('ingest: create').waitFor()
})
