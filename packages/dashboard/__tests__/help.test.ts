/** The help that the service carries: every page has a link to the part about it, and every link leads somewhere. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { WIDTHS } from './support/fits.ts'

const FOLDER = 'packages/service/public/help'
const PAGES = ['', 'releases', 'views', 'annotations', 'monitors', 'datasets', 'integrations', 'tokens'] as const

const service = serviceForTests()

const pages = new Map(globSync(`${FOLDER}/*.html`).map((path) => [basename(path, '.html'), readFileSync(path, 'utf8')]))

/** @returns what is wrong with an address of the help; undefined if nothing is */
function wrongWith(href: string): string | undefined {
  const [, name = '', id] = /^\/help\/([^#]+)(?:#(.*))?$/.exec(href) ?? []
  const page = pages.get(name)
  if (page === undefined) return `${href}: no such page`
  return id === undefined || page.includes(` id="${id}"`) ? undefined : `${href}: no such part`
}

test('every link and picture of every page is there', () => {
  expect(pages.size).toBeGreaterThan(20)
  const links = [...pages.values()].flatMap((html) => [...html.matchAll(/href="(\/help\/[^"]*)"/g)].map(([, href = '']) => href))
  expect([...new Set(links)].flatMap((href) => wrongWith(href) ?? [])).toEqual([])
  const pictures = [...pages.values()].flatMap((html) =>
    [...html.matchAll(/src="\/help\/([^"]*)"/g)].map(([, name = '']) => name),
  )
  expect(pictures.length).toBeGreaterThan(0)
  for (const name of pictures) expect(globSync(`${FOLDER}/${name}`)).toHaveLength(1)
  // No table or heading is left as it was written.
  for (const html of pages.values()) expect(html.replace(/<pre.*?<\/pre>/gs, '')).not.toMatch(/^(?:\||#{1,6} )/m)
})

testInBrowser('every page of the dashboard links to the part about it', async () => {
  for (const path of PAGES) {
    await using page = await openPage(service, `/${path}`)
    const href = await page.getByRole('link', { name: 'Help' }).getAttribute('href')
    expect([path, wrongWith(href ?? '')]).toEqual([path, undefined])
  }
})

testInBrowser('the help is read without a token, and found by words', async () => {
  await using page = await openPage(service, '/help', { token: null })
  await page.getByRole('heading', { name: 'The dashboard', level: 1 }).waitFor()
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('retention bytes')
  const found = page.getByRole('region', { name: 'Found' })
  await found.getByRole('link').first().waitFor()
  await found.getByRole('link').first().click()
  await page.waitForURL(/\/help\/[\w-]+#/)
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('qqqqq')
  await page.getByText('Nothing has all of these words').waitFor()
  const missing = await fetch(`${service.url}/help/nothing`)
  expect([missing.status, await missing.json()]).toMatchObject([404, { message: expect.stringContaining('nothing') }])
  for (const hostile of ['..%2findex', 'a%00b']) expect((await fetch(`${service.url}/help/${hostile}`)).status).toBe(404)
})

testInBrowser('no page is wider than its window', async () => {
  await using page = await openPage(service, '/help', { token: null })
  const wide: string[] = []
  for (const [name] of pages) {
    await page.goto(`${service.url}/help/${name}`)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(`${name} at ${width}`)
    }
  }
  expect(wide).toEqual([])
})
