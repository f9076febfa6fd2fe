/** The page of releases and the strip above the charts: what hurt is seen without a click, and what did not is not red. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { audit } from './support/audit.ts'

const MINUTE = 60_000
const nowMs = Date.now()
const ago = (minutes: number) => new Date(nowMs - minutes * MINUTE).toISOString()

/** 200 requests a minute, of which every so manieth fails. */
function requests(from: number, until: number, failsEvery: number, version: string): object[] {
  return Array.from({ length: (from - until) * 200 }, (_, at) => ({
    _time: new Date(nowMs - from * MINUTE + (at * MINUTE) / 200).toISOString(),
    status: at % failsEvery === 0 ? 500 : 200,
    version,
  }))
}

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', requests(90, 20, 100, '2.14.1'))
  await ingest(service, 'web', requests(20, 0, 30, '2.15.0'))
  await ingest(service, 'api', requests(90, 0, 100, '7.3.2'))
  const url = 'https://ci.example.com/runs/7'
  const bad = await annotate(service, { datasets: ['web'], type: 'production-deploy', title: 'web 2.15.0', time: ago(20), url })
  await annotate(service, { datasets: ['api'], type: 'staging-deploy', title: 'api 7.3.2', time: ago(18) })
  await annotate(service, { datasets: ['web'], type: 'production-deploy', title: 'web 2.15.1', time: ago(1), open: true })
  await annotate(service, { datasets: ['web'], type: 'incident', title: 'Checkout fails', time: ago(200), open: true })
  for (const until = Date.now() + 40_000; Date.now() < until; ) {
    const judged = await send<Annotation[]>(service, 'GET', '/v2/annotations?verdict=worse')
    if (judged.some(({ id }) => id === bad.id)) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the release was not judged')
})

testInBrowser('each release says first whether it hurt, then what, where and who', async () => {
  await using page = await openPage(service, '/releases')
  const bad = page.getByRole('article', { name: 'web 2.15.0' })
  await bad.waitFor()
  expect(await bad.locator('.release-verdict').textContent()).toMatch(/Errors (?:tripled|rose 3\.\d-fold): 1 → 3\.\d+ %$/)
  expect(await bad.getAttribute('class')).toContain('is-bad')
  expect(await bad.getByRole('link', { name: 'Job' }).getAttribute('href')).toBe('https://ci.example.com/runs/7')
  expect(await bad.getByRole('row', { name: /errors/ }).textContent()).toMatch(/errors.*1 % → 3\.\d+ %×\S+ to ×/)
  expect(await page.getByRole('article', { name: 'api 7.3.2' }).getAttribute('class')).not.toContain('is-bad')
  expect(await page.getByRole('article', { name: 'web 2.15.1' }).textContent()).toContain('In progress')
  // What began three hours ago goes on, whatever the range.
  expect(await page.getByRole('region', { name: 'In progress' }).textContent()).toMatch(/Checkout fails.*open for 3 h 2\d min/)
  expect(await page.getByRole('region', { name: 'Delivery' }).textContent()).toMatch(/Change failure rate50 %/)

  await page.getByLabel('Environment').selectOption('staging')
  await bad.waitFor({ state: 'detached' })
  expect(await page.getByRole('article').count()).toBe(1)
  expect(new URL(page.url()).search).toBe('?environment=staging')
})

testInBrowser('above the charts stands what the last releases did, without a click, and a mark that hurt is marked', async () => {
  await using page = await openPage(service, '/?datasets=web')
  const strip = page.getByRole('list', { name: 'The last releases' })
  const bad = strip.getByRole('button', { name: /web 2\.15\.0/ })
  await bad.waitFor()
  expect(await bad.textContent()).toMatch(/2\d min ago.*Errors (?:tripled|rose)/)
  // What hurts comes first, then what goes on, then the last one.
  expect(await strip.getByRole('button').allTextContents()).toMatchObject([
    expect.stringContaining('web 2.15.0'),
    expect.stringMatching(/Checkout fails.*incident, open for 3 h 2\d min/),
    expect.stringContaining('web 2.15.1'),
  ])
  const errors = page.locator('.pane-heads p', { hasText: 'Errors' })
  expect(await errors.locator('.is-bad').textContent()).toMatch(/▲ ×3\.\d+ after 2\.15\.0/)
  expect(await page.locator('.mark.has-hurt').textContent()).toContain('▲')
  await bad.click()
  await page.getByRole('complementary', { name: 'Selected annotations' }).getByRole('heading', { name: 'web 2.15.0' }).waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  testInBrowser(`what hurt and what goes on is accessible, in ${colorScheme}`, async () => {
    for (const path of ['/releases', '/?datasets=web']) {
      await using page = await openPage(service, path, { colorScheme })
      const error = page.getByText(/Errors (?:tripled|rose)/)
      await error.first().waitFor()
      expect(await audit(page)).toEqual([])
    }
  })
}

testInBrowser('on a phone nothing is cut, and the charts begin in the upper half', async () => {
  await using page = await openPage(service, '/releases', { viewport: { width: 390, height: 844 } })
  await page.getByRole('article', { name: 'web 2.15.0' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.goto(`${service.url}/?datasets=web`)
  const chart = page.locator('.time-chart').first()
  await chart.waitFor()
  expect((await chart.boundingBox())?.y).toBeLessThan(422)
})
