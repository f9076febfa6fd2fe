/** The six questions of somebody on call, on one made-up shop: each is answered within so many clicks and keys, which are counted. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { markOn, marksOn, plotBox } from './support/charts.ts'
import { ago, requests, untilWorse } from './support/shop.ts'
import { expectSoon } from './support/wait.ts'

const DAY = UNIT_MS.d / UNIT_MS.m
const RANGE = `startTime=${ago(120)}&endTime=${ago(0)}&utc=true`

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', requests({ from: 90, until: 20, version: '2.14.1' }))
  await ingest(service, 'web', requests({ from: 20, version: '2.15.0' }))
  // What a release and a change of configuration hurt before is healed.
  for (const [dataset, from, until, failsEvery] of [
    ['api', 100, 70, 20],
    ['accounts', 60, 40, 25],
  ] as const)
    for (const part of [{ from: from + 70, until: from }, { from, until, failsEvery }, { from: until }])
      await ingest(service, dataset, requests({ version: '1.0.0', ...part }))
  const mark = (dataset: string, title: string, minutes: number, more: object = {}) =>
    annotate(service, { datasets: [dataset], type: 'production-deploy', title, time: ago(minutes), ...more })
  await mark('web', 'web 2.15.0', 20)
  await mark('api', 'api 7.3.0', 100)
  await mark('api', 'api 7.3.1', 70)
  await mark('accounts', 'Login rate limit 100 to 10', 60, { type: 'config-change' })
  await mark('accounts', 'Login rate limit 10 to 100', 40, { type: 'config-change' })
  await mark('api', 'api 7.4.0', 30, { type: 'staging-deploy', description: 'failed after 1 min' })
  for (const days of [9, 12, 15, 18, 21, 24, 27]) await mark('web', `web 2.13.${30 - days}`, days * DAY)
  await mark('web', 'web 2.12.0', 35 * DAY)
  for (const days of [40, 45, 50]) await mark('web', `web 2.11.${days}`, days * DAY, { description: 'failed after 1 min' })
  await untilWorse(service, 3)
}, 120_000)

/** Counts what a person presses, however often the page is loaded. */
function count(): void {
  for (const name of ['pointerdown', 'keydown'] as const)
    addEventListener(name, () => sessionStorage.setItem('pressed', `${Number(sessionStorage.getItem('pressed')) + 1}`), true)
}

/** Asks on a page; the answer may take so many clicks or keys. */
function question(asked: string, path: string, presses: number, answer: (page: OpenPage) => Promise<unknown>): void {
  testInBrowser(`${asked} ${presses} ${presses === 1 ? 'click' : 'clicks'}`, async () => {
    await using page = await openPage(service, path, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.addInitScript(count)
    await page.evaluate(count)
    await answer(page)
    expect(await page.evaluate(() => Number(sessionStorage.getItem('pressed')))).toBeLessThanOrEqual(presses)
  })
}

question('a) did the release of 20 minutes ago hurt?', '/', 0, async (page) => {
  await page
    .getByRole('region', { name: 'Hurts now: web 2.15.0' })
    .getByText(/^Errors rose 2\.\d-fold: 1 → 2\.\d+ %/)
    .waitFor()
  await page.locator('p', { hasText: /Over today: .*Over after \d+ min, fixed by .*1 more/ }).waitFor()
  await expectSoon(() => page.locator('.hurt-card, .mark.is-harmful').count(), 2)
})

question('b) which of the last ten hurt most, and how?', '/releases', 1, async (page) => {
  await page.getByText('10 releases', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Hurt 2' }).click()
  const rows = page.getByRole('row', { name: /^hurts? / })
  await expectSoon(async () => /api 7\.3\.0Errors rose 5-fold: 1 → 5 %/.test((await rows.first().textContent()) ?? ''), true)
})

question('c) what changed before errors rose?', `/?datasets=accounts&${RANGE}`, 1, async (page) => {
  await markOn(page, 'accounts', /^Login rate limit/)
    .first()
    .waitFor()
  const { x, y, width, height } = await plotBox(page, 'accounts')
  await page.mouse.click(x + width / 2, y + height / 2)
  const likely = page.getByRole('region', { name: 'Most likely' })
  await likely.getByRole('button', { name: 'Login rate limit 100 to 10', exact: true }).waitFor()
  await likely.getByText(/^Errors rose 4-fold: 1 → 4 %/).waitFor()
})

question('d) more often, and failing less than before?', '/', 1, async (page) => {
  await page.getByRole('link', { name: 'Releases' }).click()
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await delivery.getByText(/^2 of 10, from 75 %$/).waitFor()
  expect(await delivery.textContent()).toMatch(/^Deployments0\.33 a day ↑from 0\.033 a day.*Change failure rate20 % ↓/)
})

question('e) the failing requests of this release, by route', '/', 1, async (page) => {
  const link = page.getByRole('region', { name: /^Hurts now/ }).getByRole('link', { name: /^See the \d+ failing requests$/ })
  const [number] = /\d+/.exec((await link.textContent()) ?? '') ?? []
  await link.click()
  await page.getByRole('region', { name: 'Events' }).getByText(`${number} events`).waitFor()
  expect(new URL(page.url()).searchParams.getAll('filters')).toContain("route == '/checkout'")
})

question('f) hide the marks of one dataset', '/', 1, async (page) => {
  await marksOn(page, 'web').first().waitFor()
  await page.getByRole('button', { name: 'Marks of web' }).click()
  await expectSoon(() => marksOn(page, 'web').count(), 0)
  expect(new URL(page.url()).searchParams.get('hiddenDatasets')).toBe('web')
})

question('f) share what I see', '/', 1, async (page) => {
  await page.getByRole('region', { name: /^Hurts now/ }).waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('Copied').waitFor()
  const [sentence, link = ''] = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(sentence).toMatch(/^web 2\.15\.0: Errors rose 2/)
  const { searchParams } = new URL(link)
  expect(searchParams.get('datasets')).toContain('web')
  for (const name of ['startTime', 'endTime']) expect(searchParams.get(name)).toMatch(/^20\d\d-.*Z$/)
})
