/** Every page at every width: nothing is cut, and nothing lies under its neighbor. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { listMisfits, WIDTHS } from './support/fits.ts'
import { NEW_YEAR } from './support/times.ts'

const service = serviceForTests()
const paths: [path: string, shows: string][] = []
beforeAll(async () => {
  const events = Array.from({ length: 120 }, (_, n) => ({
    ...{ _time: new Date(Date.UTC(2026, 0, 1, 11, n)).toISOString(), route: '/a/path/of/some/length' },
    ...{ status: n % 9 === 0 ? 500 : 200, duration_ms: 70 + n },
  }))
  for (const name of ['web', 'payments-of-all-regions']) await ingest(service, name, events)
  const title = 'Release of the storefront with a title that is longer than most people would write it'
  const time = '2026-01-01T12:30:00Z'
  const { id } = await annotate(service, {
    datasets: ['web'],
    type: 'production-deploy',
    time,
    title,
    url: 'https://example.com/1',
  })
  await annotate(service, {
    datasets: ['web'],
    type: 'incident',
    time,
    title: 'Refunds are late',
    endTime: '2026-01-01T12:50:00Z',
  })
  const monitor = { name: 'Web errors above 1.5 %', operator: 'Above', threshold: 1, intervalMinutes: 1, rangeMinutes: 1 }
  await send(service, 'POST', '/v2/monitors', { ...monitor, aplQuery: "['web'] | count" })
  await send(service, 'POST', '/v2/integrations', { platform: 'generic', datasets: ['web'], name: 'Scripts of the team' })
  const charts = [{ title: 'Series', aplQuery: "['web'] | summarize count() by bin(_time, 5m)", datasets: ['web'] }]
  const saved = { name: 'Board', charts, startTime: '2026-01-01T11:00:00Z', endTime: '2026-01-01T13:00:00Z' }
  const board = await send<{ id: string }>(service, 'POST', '/v2/saved-views', saved)
  const query = encodeURIComponent("['web'] | summarize count(), avg(duration_ms) by route, status")
  paths.push(
    [`/?${NEW_YEAR}`, '.time-chart, main section'],
    [`/?${NEW_YEAR}&events=true&fields=true`, '.event-line'],
    [`/?${NEW_YEAR}&apl=${query}`, '.result-scroll'],
    [`/?${NEW_YEAR}&annotations=${id}`, '.panel h2'],
    [`/views?savedView=${board.id}`, '.board-chart'],
    ...['releases', 'views', 'monitors', 'datasets', 'integrations', 'tokens', 'annotations'].map((page): [string, string] => [
      `/${page}`,
      'h1',
    ]),
    ['/monitors?open=new-monitor', 'dialog'],
    ['/nothing', 'h1'],
  )
}, 60_000)

testInBrowser('nothing is cut, and nothing lies under its neighbor', async () => {
  await using page = await openPage(service, '/', { expectedErrors: /40\d/ })
  const misfits: string[] = []
  for (const [path, shows] of paths) {
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.goto(service.url + path)
    await page.locator(shows).first().waitFor()
    await page.waitForLoadState('networkidle')
    // On a phone the panel and the form lie over the page.
    const widths = /annotations=|open=/.test(path) ? WIDTHS.filter((width) => width >= 1_024) : WIDTHS
    for (const width of widths) misfits.push(...(await listMisfits(page, width)))
  }
  expect(misfits).toEqual([])
})
