/** The panel of a release that hurt: the stored judgement at once, and the way to the requests that failed. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { markOn, panelOf } from './support/charts.ts'
import { ago, MESSAGE, requests, untilWorse } from './support/shop.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceForTests()
let id: string
beforeAll(async () => {
  await ingest(service, 'web', requests({ from: 90, until: 20, version: '2.14.1' }))
  await ingest(service, 'web', requests({ from: 20, version: '2.15.0' }))
  const post = (title: string, minutes: number, more: object = {}) =>
    annotate(service, { datasets: ['web'], type: 'production-deploy', title, time: ago(minutes), ...more })
  id = (await post('web 2.15.0', 22, { endTime: ago(20), url: 'https://ci.example.com/runs/7' })).id
  await post('Flag new-search on for 10 %', 28, { type: 'feature-flag', datasets: ['search'] })
  await post('web 2.15.1', 1, { open: true })
  await untilWorse(service)
})

const asked = (page: Page): string[] => {
  const queries: string[] = []
  page.on('request', (request) => request.url().includes('_apl') && queries.push(request.postData() ?? ''))
  return queries
}
const seeFailing = (page: Page) => panelOf(page).getByRole('link', { name: /^See the / })
const carrier = (page: Page, name: RegExp) => panelOf(page).getByRole('button', { name })

testInBrowser('a click on its mark shows the stored judgement, and asks nothing', async () => {
  await using page = await openPage(service, '/?datasets=web')
  await markOn(page, 'web', /2\.15\.0/).waitFor()
  await page.waitForLoadState('networkidle')
  const queries = asked(page)
  await markOn(page, 'web', /2\.15\.0/).click()
  const panel = panelOf(page)
  await panel.getByRole('heading', { name: 'web 2.15.0' }).waitFor()
  await panel.getByText('· operator').waitFor()
  expect(await panel.getByRole('region', { name: 'Summary' }).textContent()).toMatch(
    /^\d\d:\d\d, 2\d min ago · took 2 min · operatorErrors rose 2\.\d-fold: 1 → 2\.\d+ %, nearly all on \/checkout$/,
  )
  const table = panel.getByRole('table', { name: 'First 10 min, against the hour before' })
  expect(await table.getByRole('row').allTextContents()).toEqual([
    'beforeafterchange, 95 % sure',
    expect.stringMatching(/^Errors12\.\d+ %×\S+ to ×\S+$/),
    expect.stringMatching(/^p95\d+\d\d ms/),
    expect.stringMatching(/^Traffic200200\/min/),
  ])
  expect(await panel.getByRole('region', { name: 'What else happened' }).getByRole('button').allTextContents()).toEqual([
    'Flag new-search on for 10 %6 min before',
    '◐openweb 2.15.1 is going out19 min after',
  ])
  await page.waitForLoadState('networkidle')
  expect(queries).toEqual([])
})

testInBrowser('one button leads to exactly the requests that failed, with the carriers that are pressed as filters', async () => {
  await using page = await openPage(service, `/?datasets=web&annotations=${id}`)
  const route = carrier(page, /^route \/checkout ?new, \d/)
  await route.waitFor()
  expect(await carrier(page, /version/).count()).toBe(0)
  expect(await carrier(page, /^message /).textContent()).toMatch(/^message payment timeout after 3000 msnew, \d\.\d+\/min$/)
  for (const name of [/^route/, /^message/]) expect(await carrier(page, name).getAttribute('aria-pressed')).toBe('true')
  const listed = async () => {
    const count = Number(/\d+/.exec((await seeFailing(page).textContent()) ?? '')?.[0])
    await seeFailing(page).click()
    const shown = page.getByRole('region', { name: 'Events' }).getByRole('status').first()
    await expectSoon(() => shown.textContent().then((text) => text?.replace(/.* of /, '')), `${count} events`)
    return { count, filters: new URL(page.url()).searchParams.getAll('filters') }
  }
  const alike = await listed()
  expect(alike.filters.slice(-2)).toEqual(["route == '/checkout'", `message == '${MESSAGE}'`])
  await page.goBack()
  for (const name of [/^route/, /^message/]) await carrier(page, name).click()
  await expectSoon(() => carrier(page, /^route/).getAttribute('aria-pressed'), 'false')
  const all = await listed()
  expect(all.filters).toEqual(alike.filters.slice(0, -2))
  expect(all.count).toBeGreaterThan(alike.count)
  await page.goBack()
  // What the judge did not count is counted by who lists it.
  await carrier(page, /^message/).click()
  await expectSoon(() => seeFailing(page).textContent(), 'See the failing requests')
})

testInBrowser('on a phone the way to the requests that failed is on the screen', async () => {
  const viewport = { width: 390, height: 844 }
  await using page = await openPage(service, `/?datasets=web&annotations=${id}`, { viewport })
  await seeFailing(page).waitFor()
  await page.waitForLoadState('networkidle')
  const box = await seeFailing(page).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(viewport.height)
})
