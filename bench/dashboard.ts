/**
 * What the page costs in a real browser: first paint, and how long panning and toggling take with 10,000 annotations over 5,000
 * intervals, from the input to the frame that shows it; a day of a million events with 5,000 annotations, from navigation; the
 * frames of a list of 10,000 events while it scrolls; a key in the editor with a thousand fields to complete. And what it weighs.
 * Prints a table for docs/dashboard.md.
 *
 *   node bench/dashboard.ts        needs Chromium, as the browser tests do
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../__tests__/support/chromium.ts'
import { startService } from '../__tests__/support/service.ts'
import { annotate, ingest } from '../packages/dashboard/__tests__/support/fill.ts'
import { DATASET, END_NS, loadLogs, START_NS } from './log-data.ts'

const ANNOTATIONS = 10_000
const INTERVALS = 5_000
const ROUNDS = 15
const LIST_ROWS = 10_000
const FIELDS = 1_000
const KEY_PAUSE_MS = 200
/** As the browser counts what a page does. */
const WORK = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration']
const DAY_EVENTS = 1_000_000
const DAY_ANNOTATIONS = 5_000
const DAY = { startMs: Number(START_NS / 1_000_000n), endMs: Number(END_NS / 1_000_000n) }
const START_MS = Date.UTC(2026, 0, 31)
const at = (second: number) => new Date(START_MS + second * 1_000).toISOString()

const report = (what: string, figure: string, target: string) => console.log(`| ${what} | ${figure} | ${target} |`)
const spread = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  return `${Math.round(sorted[sorted.length >> 1] ?? 0)} ms (at most ${Math.round(sorted.at(-1) ?? 0)} ms)`
}

weigh()
const dataDir = mkdtempSync(join(tmpdir(), 'bench-dashboard-'))
await loadLogs(dataDir, DAY_EVENTS)
const service = await startService({ dataDir })
const browser = await chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: [...FLAGS] })
try {
  await fill()
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } })
  await context.addInitScript((secret) => sessionStorage.setItem('token', secret), service.token)
  const page = await context.newPage()
  const apl = encodeURIComponent("['web'] | summarize count() by bin(_time, 1s)")
  const address = `${service.url}/?startTime=${at(0)}&endTime=${at(INTERVALS)}&apl=${apl}`
  report('first paint, over loopback', spread(await paints(page, address)), '≤ 1 s')
  await page.getByRole('toolbar').first().getByRole('button').nth(20).waitFor()
  report('hide or show one of two types', spread(await toggles(page)), '≤ 100 ms')
  report('pan by a turn of the wheel', spread(await pans(page)), '≤ 100 ms')
  await day(page)
  for (const rows of [100, LIST_ROWS]) await list(page, rows)
  report('a key in the editor, 1,000 fields', spread(await keys(page)), '≤ 16 ms')
} finally {
  await browser.close()
  await service.stop()
  rmSync(dataDir, { recursive: true })
}

interface Output {
  entryPoint?: string
  cssBundle?: string
  imports: { path: string; kind: string }[]
  inputs: Record<string, { bytesInOutput: number }>
}

/** Reads what the build says of itself: the page as it opens, without what it loads later. uPlot is the chart library. */
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
  const zipped = (bytes: Buffer) => gzipSync(bytes, { level: 9 }).length
  const all = [...files].map((file) => zipped(readFileSync(file))).reduce((sum, bytes) => sum + bytes)
  const library = zipped(readFileSync('node_modules/uplot/dist/uPlot.iife.min.js'))
  report(
    'scripts and styles before the editor is opened, gzip',
    `${Math.round(all / 1_000)} kB, of which the chart library ${Math.round(library / 1_000)} kB`,
    '≤ 140 kB',
  )
}

async function fill(): Promise<void> {
  const seconds = Array.from({ length: INTERVALS }, (_, second) => second)
  await ingest(
    service,
    'web',
    seconds.flatMap((second) => Array.from({ length: 1 + (second % 7) }, () => ({ _time: at(second) }))),
  )
  const marks = Array.from({ length: ANNOTATIONS }, (_, n) => ({
    datasets: ['web'],
    type: n % 2 === 0 ? 'deploy' : 'incident',
    time: at((n * INTERVALS) / ANNOTATIONS),
    title: `Mark ${n}`,
    ...(n % 4 === 1 && { endTime: at((n * INTERVALS) / ANNOTATIONS + 5) }),
  }))
  const { startMs, endMs } = DAY
  const ofDay = Array.from({ length: DAY_ANNOTATIONS }, (_, n) => ({
    datasets: [DATASET],
    type: n % 2 === 0 ? 'deploy' : 'incident',
    time: new Date(startMs + (n * (endMs - startMs)) / DAY_ANNOTATIONS).toISOString(),
    title: `Mark ${n}`,
  }))
  const next = [...marks, ...ofDay].values()
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const mark of next) await annotate(service, mark)
    }),
  )
}

/** A day of a million events: from navigation to the frame in which its chart is drawn, and what a toggle of its marks costs. */
async function day(page: Page): Promise<void> {
  const [from, to] = [DAY.startMs, DAY.endMs].map((ms) => new Date(ms).toISOString())
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${service.url}/?datasets=${DATASET}&startTime=${from}&endTime=${to}`)
    times.push(await page.evaluate(whenCharted))
  }
  report('chart of 24 h over 1,000,000 events with 5,000 annotations, from navigation', spread(times), '≤ 350 ms')
  await page.getByRole('toolbar').first().getByRole('button').nth(20).waitFor()
  await page.locator('.event').first().waitFor()
  report('hide or show one of two types, of 5,000 annotations', spread(await toggles(page)), '≤ 50 ms')
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

/** The time between frames while a list of so many events is scrolled through, and how many elements are in the page. */
async function list(page: Page, rows: number): Promise<void> {
  await page.goto(`${service.url}/?datasets=web&startTime=${at(0)}&endTime=${at(INTERVALS)}&hiddenTypes=deploy,incident`)
  const count = () =>
    page.evaluate(() => Number(document.querySelector('.event-rows [aria-setsize]')?.getAttribute('aria-setsize') ?? 0))
  await page.locator('.event').first().waitFor()
  for (let tries = 0; (await count()) < rows && tries < 3_000; tries++) {
    await page.mouse.wheel(0, 30_000)
    await page.waitForTimeout(20)
  }
  const { frames, nodes } = await page.evaluate(async () => {
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
    return { frames: times, nodes: document.querySelectorAll('*').length }
  })
  report(`frames while ${(await count()).toLocaleString('en')} rows scroll`, spread(frames), '≤ 17 ms')
  report(`elements of that page`, String(nodes), '≤ 5,000')
}

/** How long the page works on a key with the list of completions open: scripts, styles and layout, in time of the processor. */
async function keys(page: Page): Promise<number[]> {
  const wide = Object.fromEntries(Array.from({ length: FIELDS }, (_, n) => [`some_field_${n}`, n]))
  await ingest(service, 'wide', [{ _time: at(0), ...wide }])
  await page.goto(`${service.url}/`)
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Query', exact: true })
  await text.pressSequentially("['wide'] | where ")
  await text.press('Control+ ')
  await page.getByRole('option', { name: 'some_field_1 integer' }).waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workedMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const parts = metrics.filter(({ name }) => WORK.includes(name))
    return 1_000 * parts.reduce((sum, { value }) => sum + value, 0)
  }
  const costs: number[] = []
  for (const char of 'some_field_12 > 3 and some_field_9') {
    const before = await workedMs()
    await page.keyboard.type(char)
    // Long enough for the names that come after a pause; nothing runs in the page for it.
    await page.waitForTimeout(KEY_PAUSE_MS)
    costs.push((await workedMs()) - before)
  }
  return costs
}

async function paints(page: Page, address: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(address)
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const observer = new PerformanceObserver((list) => {
              const entry = list.getEntriesByName('first-contentful-paint')[0]
              if (entry) resolve(entry.startTime)
            })
            observer.observe({ type: 'paint', buffered: true })
          }),
      ),
    )
  }
  return times
}

/** From the click to the second frame after it, which is when its effect is on the screen. */
async function toggles(page: Page): Promise<number[]> {
  const box = page.getByRole('checkbox', { name: /^incident/ })
  if ((await box.count()) === 0) await page.locator('summary', { hasText: /^Marks/ }).click()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(
      await box.evaluate(
        (element: HTMLInputElement) =>
          new Promise<number>((resolve) => {
            const from = performance.now()
            element.click()
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - from)))
          }),
      ),
    )
  }
  return times
}

async function pans(page: Page): Promise<number[]> {
  const plot = page.locator('.u-over').first()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(
      await plot.evaluate(
        (element: HTMLElement) =>
          new Promise<number>((resolve) => {
            const from = performance.now()
            element.dispatchEvent(new WheelEvent('wheel', { deltaX: 60, bubbles: true, cancelable: true }))
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - from)))
          }),
      ),
    )
  }
  return times
}
