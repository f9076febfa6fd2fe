/** What of the page is loaded when it is opened, and what later; and what is said where it cannot be loaded. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { hold } from './support/wait.ts'

const PUBLIC = 'packages/service/public'
/** Scripts and styles that are there before anything is opened. */
const FIRST_BYTES_MAX = 140_000
const CHUNK = '**/assets/releases-*.js'

const service = serviceWithEvents({ web: [{ status: 200 }] })

const scriptsOf = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*\/|-\w+(?=\.\w+$)/g, '')))

test('what the page starts with is small, and named by it so that it is loaded at once', () => {
  const named = [...readFileSync(`${PUBLIC}/index.html`, 'utf8').matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)]
  const bytes = named.map(([, file]) => gzipSync(readFileSync(`${PUBLIC}/${file}`), { level: 9 }).length)
  expect(bytes.length).toBeGreaterThan(1)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_BYTES_MAX)
})

testInBrowser('the page of charts loads no script of another page, nor of what is not open', async () => {
  await using page = await openPage(service, '/?fields=true')
  await page.locator('figcaption').getByText('1 event').waitFor()
  const before = await scriptsOf(page)
  expect(before).toContain('main.js')
  for (const later of ['tokens.js', 'datasets.js', 'monitors.js', 'all-annotations.js', 'query-editor.js', 'panel.js'])
    expect(before).not.toContain(later)
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  await page.getByRole('textbox', { name: 'Query' }).waitFor()
  expect(await scriptsOf(page)).toContain('query-editor.js')
})

testInBrowser('a page begins to be loaded when its link is pointed at', async () => {
  await using page = await openPage(service)
  const asked = page.waitForRequest(CHUNK)
  await page.getByRole('link', { name: 'Releases' }).hover()
  await asked
  expect(new URL(page.url()).pathname).toBe('/')
})

testInBrowser('a page that is being loaded says so', async () => {
  await using page = await openPage(service)
  const answer = await hold(page, CHUNK)
  await page.getByRole('link', { name: 'Releases' }).click()
  await page.getByRole('main').getByText('Loading…').waitFor()
  answer()
  await page.getByRole('heading', { name: 'Releases', level: 1 }).waitFor()
})

testInBrowser('a page whose script is gone, as after an upgrade, says so; a reload shows it', async () => {
  await using page = await openPage(service, '/', { expectedErrors: /404/ })
  await page.route(CHUNK, (route) => route.fulfill({ status: 404, body: '{}' }))
  await page.getByRole('link', { name: 'Releases' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await alert.getByText('could not be loaded').waitFor()
  // The rest of the page works.
  await page.getByRole('link', { name: 'Explore' }).click()
  await page.locator('figcaption').getByText('1 event').waitFor()
  await page.getByRole('link', { name: 'Releases' }).click()
  await page.unroute(CHUNK)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Releases', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/releases')
})
