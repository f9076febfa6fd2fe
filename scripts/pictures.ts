/**
 * Takes the pictures of the documents anew, from a service whose clock is driven, so that each run draws the same:
 *
 *   dashboard.png          README.md, docs/dashboard.md: the example of `npm start`, five minutes after its start
 *   query.png              docs/dashboard.md: a query in the dark, beside the panel of the release that hurts
 *   compare-summary.png    README.md, docs/compare.md: what the built step writes about known traffic
 *   compare-panel.png      docs/compare.md: the panel for the same
 *
 *   node scripts/pictures.ts [FOLDER]      needs Chromium, as the browser tests do
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@deployment-annotations/client'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { type Browser, chromium, type Page } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../__tests__/support/chromium.ts'
import { TEST_TOKEN } from '../__tests__/support/service.ts'
import { ERRORS, LATENCY, storeTraffic } from '../__tests__/support/traffic.ts'
import { openStore } from '../packages/event-store/src/open-store.ts'
import { openRecords } from '../packages/records/src/open-records.ts'
import { buildTestServer } from '../packages/service/__tests__/in-process.ts'
import { createDrivenClock } from '../packages/service/__tests__/monitors/driven-clock.ts'
import { renderBlocks } from './help.js'
import { startExample } from './quickstart/example-data.ts'
import { runStep } from './runner.ts'

const TARGET = process.argv[2] ?? 'docs/images'
const NOW_MS = Date.UTC(2026, 0, 31, 12, 5)
const START_MS = NOW_MS - 5 * UNIT_MS.m
const FAILURES = "['shop'] | where route == '/checkout'\n| summarize count() by bin(_time, 2m), status"
const ORDERS = "orders (lower is worse): ['shop']\n  | where path == '/checkout' | summarize count() by bin(_time, 1m)"
const STYLE = `body { font: 14px/1.5 sans-serif; margin: 16px; color: #1f2328 } table { border-collapse: collapse }
  td, th { border: 1px solid #d1d9e0; padding: 6px 10px; text-align: left } code { background: #eff1f3; padding: 2px 4px }`
/** In place of emoji, for which the machine that draws may have no font. */
const SIGNS = {
  '🔴': sign('●', '#d1242f'),
  '🟢': sign('●', '#1a7f37'),
  '⚪': sign('●', '#c8d1da'),
  '🟠': sign('●', '#bc4c00'),
}

// Corners of what was drawn again differ otherwise.
const args = [...FLAGS, '--disable-partial-raster']
const browser = await chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args })
try {
  await drawExample()
  await drawDeployment()
} finally {
  await browser.close()
}

/** A service that is empty, at the time of the pictures. */
async function openWorld() {
  const data = mkdtempSync(join(tmpdir(), 'pictures-'))
  const clock = createDrivenClock(NOW_MS)
  const records = await openRecords(data)
  const events = await openStore({ directory: join(data, 'engine') }, records, { fieldsMax: 100, clock: clock.now })
  const app = await buildTestServer({ records, events, clock, releaseTypes: ['deploy'] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const client = createClient({ token: TEST_TOKEN, baseUrl: url })
  const close = async () => {
    await Promise.all([client.close(), app.close()])
    await events.close()
    await records.close()
    rmSync(data, { recursive: true, force: true })
  }
  return { clock, client, url, [Symbol.asyncDispose]: close }
}

/** Waits until every release is judged; the judge rests after each by the clock. @returns the id of the last one that has the title */
async function judged(client: Client, clock: ReturnType<typeof createDrivenClock>, title: string): Promise<string> {
  for (;;) {
    const all = await client.annotations.list({}, { include: 'all' })
    if (all.every(({ verdict }) => verdict !== undefined)) return all.findLast((one) => one.title === title)?.id ?? ''
    clock.advance(50)
    await sleep(50)
  }
}

/** @param more the options of the page @returns a page that is signed in, at the time of the pictures and without the banner of an example */
async function openPage(more: Parameters<Browser['newPage']>[0]) {
  const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', ...more })
  await page.clock.setFixedTime(NOW_MS)
  await page.addInitScript((secret) => {
    sessionStorage.setItem('token', secret)
    localStorage.setItem('example-hidden', 'true')
  }, TEST_TOKEN)
  return page
}

async function draw(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await page.locator('.time-chart canvas').first().waitFor()
  await page.waitForLoadState('networkidle')
  // What has arrived is drawn in the next frames.
  await sleep(1_000)
  await page.screenshot({ path: join(TARGET, name), animations: 'disabled' })
}

function sign(text: string, color: string): string {
  return `<span style="color: ${color}">${text}</span>`
}

async function drawExample(): Promise<void> {
  await using world = await openWorld()
  await (await startExample(world.client, START_MS))?.(NOW_MS)
  const id = await judged(world.client, world.clock, 'Shop 1.42.0')
  await draw(await openPage({ viewport: { width: 1_200, height: 900 } }), world.url, 'dashboard.png')
  // It has a panel beside its query.
  const dark = await openPage({ viewport: { width: 1_200, height: 960 }, colorScheme: 'dark' })
  await draw(dark, `${world.url}/?annotations=${id}&apl=${encodeURIComponent(FAILURES)}`, 'query.png')
}

async function drawDeployment(): Promise<void> {
  await using world = await openWorld()
  const { client, url } = world
  const atMs = START_MS - 30 * UNIT_MS.m
  const [startTime, time, endTime] = [-65, 0, 15].map((minutes) => new Date(atMs + minutes * UNIT_MS.m).toISOString())
  await storeTraffic(client, { dataset: 'shop', atMs, failing: [0.01, 0.03], slower: 1.02 })
  await client.annotations.create({ datasets: ['shop'], type: 'deploy', title: 'v1.2', time: time ?? '' })
  const id = await judged(client, world.clock, 'v1.2')
  const queries = [ERRORS('shop'), LATENCY('shop'), ORDERS].join('\n')
  const inputs = { token: TEST_TOKEN, baseUrl: url, id, queries }
  const { summary } = await runStep({ action: 'compare', phase: 'main', inputs })
  const signed = Object.entries(SIGNS).reduce((text, [emoji, drawn]) => text.replaceAll(emoji, drawn), renderBlocks(summary))
  // These tags are no text on the pages of GitHub.
  const html = signed.replace(/&lt;(\/?(?:details|summary))&gt;/g, '<$1>')
  const page = await openPage({ viewport: { width: 1_120, height: 100 }, deviceScaleFactor: 1.5 })
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>${STYLE}</style>${html}`)
  await page.screenshot({ path: join(TARGET, 'compare-summary.png'), fullPage: true })
  const apl = encodeURIComponent(ERRORS('shop').replace('errors: ', ''))
  const panel = await openPage({ viewport: { width: 1_200, height: 840 } })
  await draw(panel, `${url}/?startTime=${startTime}&endTime=${endTime}&annotations=${id}&apl=${apl}`, 'compare-panel.png')
}
