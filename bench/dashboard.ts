/**
 * What the page costs in a real browser: first paint, and how long toggling takes with 10,000 annotations over 5,000 intervals, from the
 * click to the frame that shows it; a day of a million events, from navigation; the frames of a list of 10,000 events
 * while it scrolls. And what it weighs. Prints a table for docs/performance.md; exits 1 where a target is missed.
 *
 *   npm run bench -- dashboard        needs Chromium, as the browser tests do
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { chromium, type Locator, type Page } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../__tests__/support/chromium.ts'
import { annotate, ingest } from '../__tests__/support/fill.ts'
import { startService } from '../__tests__/support/service.ts'
import { median, report, startTable } from './support/figures.ts'
import { DAY_MS, sendLogs } from './support/sent-logs.ts'

const ANNOTATIONS = 10_000
const INTERVALS = 5_000
const ROUNDS = 15
const LIST_ROWS = 10_000
const DAY_EVENTS = 1_000_000
const DAY = 'logs'
const START_MS = Date.UTC(2026, 0, 31)
const at = (second: number) => new Date(START_MS + second * 1_000).toISOString()

startTable()
weigh()
await using service = await startService()
await fill()
const browser = await chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: [...FLAGS] })
try {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } })
  await context.addInitScript((secret) => sessionStorage.setItem('token', secret), service.token)
  const page = await context.newPage()
  const apl = encodeURIComponent("['web'] | summarize count() by bin(_time, 1s)")
  const address = `${service.url}/?startTime=${at(0)}&endTime=${at(INTERVALS)}&apl=${apl}`
  judge('first paint, over loopback', await repeatedly(page, address, whenPainted), 1_000)
  await page.getByRole('toolbar').first().getByRole('button').nth(20).waitFor()
  judge('hide or show one of two types, of 10,000 annotations', await toggles(page), 100)
  const day = `${service.url}/?datasets=${DAY}&startTime=${at(0)}&endTime=${at(DAY_MS / 1_000)}`
  judge('chart of a day over 1,000,000 events with 5,000 annotations', await repeatedly(page, day, whenCharted), 350)
  judge('frames while 10,000 events scroll', await frames(page), 17)
} finally {
  await browser.close()
}

/** By the median, which single frames that come late do not move. */
function judge(what: string, times: readonly number[], wantedMs: number): void {
  const figure = `${Math.round(median(times))} ms (at most ${Math.round(Math.max(...times))} ms)`
  report(what, figure, `${wantedMs} ms`, Math.round(median(times)) <= wantedMs)
}

interface Output {
  entryPoint?: string
  cssBundle?: string
  imports: { path: string; kind: string }[]
}

/** Reads what the build says of itself: the page as it opens, without what it loads later. */
function weigh(): void {
  const { outputs } = JSON.parse(readFileSync('packages/service/public/metafile.json', 'utf8')) as {
    outputs: Record<string, Output>
  }
  const files = new Set<string>()
  const add = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') add(path)
  }
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint?.endsWith('main.tsx'))
  if (entry === undefined) throw new Error('the build names no entry')
  add(entry)
  const style = outputs[entry]?.cssBundle
  if (style) files.add(style)
  const kilobytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length / 1_000, 0)
  report('scripts and styles before the editor is opened, gzip', `${Math.round(kilobytes)} kB`, '140 kB', kilobytes <= 140)
}

async function fill(): Promise<void> {
  const seconds = Array.from({ length: INTERVALS }, (_, second) => second)
  const events = seconds.flatMap((second) => Array.from({ length: 1 + (second % 7) }, () => ({ _time: at(second) })))
  await ingest(service, 'web', events)
  await sendLogs(service, { dataset: DAY, total: DAY_EVENTS, startMs: START_MS })
  const marks = (dataset: string, count: number, spanSeconds: number) =>
    Array.from({ length: count }, (_, n) => ({
      datasets: [dataset],
      type: n % 2 === 0 ? 'deploy' : 'incident',
      time: at((n * spanSeconds) / count),
      title: `Mark ${n}`,
      ...(n % 4 === 1 && { endTime: at((n * spanSeconds) / count + 5) }),
    }))
  const next = [...marks('web', ANNOTATIONS, INTERVALS), ...marks(DAY, 5_000, DAY_MS / 1_000)].values()
  const annotateAll = async () => {
    for (const mark of next) await annotate(service, mark)
  }
  await Promise.all(Array.from({ length: 32 }, annotateAll))
}

/** @returns what `when` says of each of some visits of an address */
async function repeatedly(page: Page, address: string, when: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(address)
    times.push(await page.evaluate(when))
  }
  return times
}

/** @returns when the first contents were painted, in milliseconds since the navigation */
function whenPainted(): Promise<number> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const entry = list.getEntriesByName('first-contentful-paint')[0]
      if (entry) resolve(entry.startTime)
    })
    observer.observe({ type: 'paint', buffered: true })
  })
}

/** @returns when the frame was drawn that has the chart, in milliseconds since the navigation */
function whenCharted(): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const isThere = document.querySelector('figcaption')?.textContent?.includes('events')
      requestAnimationFrame(() => (isThere ? resolve(performance.now()) : look()))
    }
    look()
  })
}

/** The time between frames while a list of many events is scrolled through. */
async function frames(page: Page): Promise<number[]> {
  await page.goto(`${service.url}/?datasets=web&startTime=${at(0)}&endTime=${at(INTERVALS)}&hiddenTypes=deploy,incident`)
  const rows = page.locator('.event-rows [aria-setsize]').first()
  await rows.waitFor()
  for (let tries = 0; Number(await rows.getAttribute('aria-setsize')) < LIST_ROWS && tries < 3_000; tries++) {
    await page.mouse.wheel(0, 30_000)
    await page.waitForTimeout(20)
  }
  return await page.evaluate(async () => {
    document.querySelector('.event-rows')?.scrollIntoView()
    const times: number[] = []
    let before = 0
    await new Promise<void>((resolve) => {
      const step = (now: number) => {
        if (before > 0) times.push(now - before)
        before = now
        scrollBy(0, 60)
        if (times.length < 120) requestAnimationFrame(step)
        else resolve()
      }
      requestAnimationFrame(step)
    })
    return times
  })
}

async function toggles(page: Page): Promise<number[]> {
  const box = page.getByRole('checkbox', { name: /^incident/ })
  if ((await box.count()) === 0) await page.locator('summary', { hasText: /^Annotations/ }).click()
  return await timesOf(box)
}

/** From the click to the second frame after it, which is when its effect is on the screen. */
async function timesOf(target: Locator): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    times.push(
      await target.evaluate((element: HTMLElement) => {
        const from = performance.now()
        element.click()
        return new Promise<number>((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - from))),
        )
      }),
    )
  return times
}
