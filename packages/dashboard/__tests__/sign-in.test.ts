/** The way in: what a person sees who has a token, a wrong one, or none. */
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { signOut } from './support/menus.ts'
import { hold } from './support/wait.ts'

const service = serviceForTests()

testInBrowser('signs in with a token, keeps it in the tab only, and signs out', async () => {
  await using page = await openPage(service, '/', { token: null })
  await page.getByLabel('Token').fill(service.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Explore' }).waitFor()
  expect(await page.evaluate(() => [Object.values(sessionStorage), localStorage.length, document.cookie])).toEqual([
    [service.token],
    0,
    '',
  ])
  await page.reload()
  await page.getByText('Token: operator').waitFor()
  await signOut(page)
  await page.getByLabel('Token').waitFor()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

testInBrowser('says what is wrong with a token', async () => {
  await using page = await openPage(service, '/', { token: null, expectedErrors: /401/ })
  await page.getByLabel('Token').fill('xapt-nobody')
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('the token is not known here')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

testInBrowser('leaves nothing of what was looked at to the next user', async () => {
  await using page = await openPage(service, '/?datasets=secret-project', { token: null, expectedErrors: /404/ })
  await page.getByLabel('Token').fill(service.token)
  await page.keyboard.press('Enter')
  await signOut(page)
  expect(page.url()).toBe(`${service.url}/`)
})

testInBrowser('a late refusal of a session that ended does not end the next one', async () => {
  const next = await send<{ token: string }>(service, 'POST', '/v2/tokens', { name: 'Next', kind: 'personal' })
  await using page = await openPage(service, '/monitors', { expectedErrors: /401/ })
  await page.getByText('Token: operator').waitFor()
  const revoked = { status: 401, body: '{"message":"revoked"}' }
  const refuse = await hold(page, '**/v2/user', (route) => route.fulfill(revoked), 1)
  const asked = page.waitForRequest('**/v2/user')
  await page.reload()
  await asked
  await signOut(page)
  await page.getByLabel('Token').fill(next.token)
  await page.keyboard.press('Enter')
  await page.getByText('Token: Next', { exact: true }).waitFor()
  const refused = page.waitForResponse((response) => response.status() === 401)
  refuse()
  await (await refused).finished()
  await page.getByRole('link', { name: 'Explore' }).click()
  await page.getByText('Token: Next', { exact: true }).waitFor()
})

testInBrowser('a link with a token is followed where a page is open already, signed in with it or not', async () => {
  await using page = await openPage(service, '/', { token: null, expectedErrors: /401/ })
  await page.getByLabel('Token').fill('xapt-nobody')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.goto(`${service.url}/#token=${service.token}`)
  await page.getByText('Token: operator').waitFor()
  await page.goto(`${service.url}/?live=true#token=${service.token}`)
  await page.getByText('Token: operator').waitFor()
  expect(page.url()).toBe(`${service.url}/?live=true`)
})

testInBrowser(
  'a link with another token changes nothing by itself where somebody is signed in, here or in another tab',
  async () => {
    const next = await send<{ token: string }>(service, 'POST', '/v2/tokens', { name: 'Of the link', kind: 'personal' })
    await using page = await openPage(service, `/#token=${service.token}`, { token: null })
    await page.getByText('Token: operator').waitFor()
    const other = await page.context().newPage()
    const use = (tab: Page) => tab.getByRole('button', { name: 'Use the token of the link' })
    for (const tab of [page, other]) {
      await tab.goto(`${service.url}/#token=${next.token}`)
      await use(tab).waitFor()
      await tab.getByText('Token: operator').waitFor()
    }
    await use(other).click()
    await other.getByText('Token: Of the link').waitFor()
    // What was not used is forgotten, and does not sign in the next person.
    await signOut(page)
    await page.waitForTimeout(500)
    await page.getByLabel('Token').waitFor()
    await other.getByText('Token: Of the link').waitFor()
  },
)
