/** The refresh interval: what is asked again, and when nothing is. The page's clock is driven by the test. */
import { expect } from '@jest/globals'
import { type OpenPage, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { countClasses } from './support/heap.ts'
import { openRange } from './support/menus.ts'
import { expectSoon, hold } from './support/wait.ts'

const service = serviceWithEvents({ web: [{ n: 1 }] })

const eventCount = (page: OpenPage) => page.locator('#events-title + .hint').textContent()
const chartCount = (page: OpenPage) => page.locator('.time-chart figcaption .chart-count').textContent()
const numberOf = async (text: Promise<string | null>) => Number.parseInt((await text) ?? '', 10)
const isOfChart = (url: URL) => url.pathname.startsWith('/v1/datasets/_apl') && url.search.includes('tabular')

/** @returns how many charts were asked for since */
function countCharts(page: OpenPage): () => number {
  let count = 0
  page.on('request', (request) => {
    if (isOfChart(new URL(request.url()))) count++
  })
  return () => count
}

/** The clock stands still but for `page.clock.runFor`. */
async function openWithClock(path: string): Promise<OpenPage> {
  const page = await openPage(service, path)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  await page.reload()
  // What is loaded after the first paint waits for timers, too.
  await soonWithClock(page, async () => (await page.locator('.time-chart figcaption .chart-count').count()) > 0, true)
  return page
}

/** As `expectSoon`, while the clock of the page goes on. */
function soonWithClock<T>(page: OpenPage, read: () => Promise<T>, wanted: T): Promise<void> {
  const readLater = async () => {
    await page.clock.runFor(500)
    return read()
  }
  return expectSoon(readLater, wanted)
}

async function refreshEvery(page: OpenPage, words: string): Promise<void> {
  await openRange(page)
  await page.getByRole('group', { name: 'Refresh every' }).getByRole('radio', { name: words }).check()
  await page.keyboard.press('Escape')
}

async function setHidden(page: OpenPage, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

testInBrowser('charts and events are refreshed at the chosen interval, which the address keeps', async () => {
  await using page = await openWithClock('/?events=true&datasets=web')
  const before = await numberOf(chartCount(page))
  await expectSoon(() => numberOf(eventCount(page)), before)
  await refreshEvery(page, '30 s')
  expect(new URL(page.url()).searchParams.get('refresh')).toBe('30s')
  await ingest(service, 'web', [{ n: 2 }])
  const asked = countCharts(page)
  await page.clock.runFor(29_000)
  expect([await numberOf(chartCount(page)), asked()]).toEqual([before, 0])
  await page.clock.runFor(2_000)
  await expectSoon(() => chartCount(page), `${before + 1} events`)
  await soonWithClock(page, () => eventCount(page), `${before + 1} events`)
  expect(asked()).toBe(1)
  await refreshEvery(page, 'off')
  await page.clock.runFor(600_000)
  expect([asked(), new URL(page.url()).searchParams.has('refresh')]).toEqual([1, false])
})

testInBrowser('nothing is refreshed while the tab is hidden, or while an answer is awaited', async () => {
  await using page = await openWithClock('/?events=true&datasets=web&refresh=10s')
  await expectSoon(async () => /\d event/.test((await chartCount(page)) ?? ''), true)
  await setHidden(page, true)
  const asked = countCharts(page)
  await page.clock.runFor(60_000)
  expect(asked()).toBe(0)
  const release = await hold(page, isOfChart)
  await setHidden(page, false)
  await soonWithClock(page, async () => asked(), 1)
  await page.clock.runFor(60_000)
  expect(asked()).toBe(1)
  release()
  await expectSoon(() => page.locator('[aria-busy=true]').count(), 0)
  await soonWithClock(page, async () => asked(), 2)
})

testInBrowser('a page that refreshes all day keeps nothing of what it showed before', async () => {
  const times = Array.from({ length: 60 }, (_, n) => new Date(Date.now() - n * 120_000).toISOString())
  const marks = await Promise.all(
    times.map((time, n) => annotate(service, { datasets: ['shop'], type: 'deploy', time, title: `web ${n}` })),
  )
  // A dataset of which nobody said what failed has a question below its chart, and another one has none.
  const took = times.map((_time, n) => ({ _time, duration_ms: n }))
  await ingest(service, 'shop', took)
  await ingest(service, 'api', [{ status: 500 }])
  await using page = await openWithClock(`/?datasets=shop,api&events=true&refresh=10s&annotations=${marks[7]?.id}`)
  await page.getByRole('complementary').getByRole('heading', { name: 'web 7' }).waitFor()
  const session = await page.context().newCDPSession(page)
  const refresh = async (count: number) => {
    for (let left = count; left > 0; left--) {
      const answered = page.waitForResponse((answer) => isOfChart(new URL(answer.url())))
      await page.clock.runFor(10_000)
      await answered
      await expectSoon(() => page.locator('.charts [aria-busy=true]').count(), 0)
    }
    return countClasses(session)
  }
  const before = await refresh(5)
  const after = await refresh(12)
  const grown = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  // A tree of the page has about three thousand objects of one class.
  expect(grown.filter(([, more]) => more > 600)).toEqual([])
})
