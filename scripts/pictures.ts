/**
 * Takes the pictures of the documents: what `npm start` shows in a browser, and of docs/compare.md the summary that the built step writes
 * for a real service with known traffic, and the page's panel for the same. To be run, and looked at, when one of them changes.
 *
 *   node scripts/pictures.ts       needs Chromium, as the browser tests do
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@deployment-annotations/client'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { type Browser, chromium, type Page } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../__tests__/support/chromium.ts'
import { startService } from '../__tests__/support/service.ts'
import { ERRORS, LATENCY, storeTraffic } from '../__tests__/support/traffic.ts'
import { renderBlocks } from './help.js'
import { runStep } from './runner.ts'

const TARGET = 'docs/images'
const FAILURES = "['shop'] | where path == '/checkout'\n| summarize count() by bin(_time, 2m), status"
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

const browser = await chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: [...FLAGS] })
try {
  await drawExample()
  await drawDeployment()
} finally {
  await browser.close()
}

/** @param more the options of the page @returns a page that is signed in */
async function openPage(token: string, more: Parameters<Browser['newPage']>[0]) {
  const page = await browser.newPage({ locale: 'en-GB', ...more })
  await page.addInitScript((secret) => sessionStorage.setItem('token', secret), token)
  return page
}

/** Opens the page again until every verdict is there: the service judges the releases one after the other. */
async function openJudged(page: Page, url: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    if ((await page.getByText(/Verdict pending|No verdict/).count()) === 0) return
    await page.waitForTimeout(1_000)
  }
  throw new Error(`${url} still shows a release without its verdict`)
}

function sign(text: string, color: string): string {
  return `<span style="color: ${color}">${text}</span>`
}

async function drawExample(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'pictures-'))
  const example = spawn(process.execPath, ['scripts/quickstart/quickstart.ts', '--keep', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [, origin = '', token = ''] = await readLink(createInterface(example.stdout))
    const page = await openPage(token, { viewport: { width: 1_200, height: 900 }, colorScheme: 'light' })
    const incident = { name: /^Checkout fails/ }
    await openJudged(page, origin)
    await page.getByRole('button', incident).first().waitFor()
    await page.screenshot({ path: join(TARGET, 'dashboard.png') })
    // It has a panel beside its query.
    const dark = await openPage(token, { viewport: { width: 1_200, height: 960 }, colorScheme: 'dark' })
    await dark.goto(`${origin}/?apl=${encodeURIComponent(FAILURES)}`)
    await dark.getByRole('button', incident).first().click()
    await dark.getByRole('region', { name: 'Before and after' }).getByRole('row').first().waitFor()
    await dark.mouse.move(0, 0)
    await dark.waitForLoadState('networkidle')
    await dark.screenshot({ path: join(TARGET, 'query.png') })
  } finally {
    example.kill('SIGTERM')
    rmSync(data, { recursive: true, force: true })
  }
}

async function readLink(lines: AsyncIterable<string>): Promise<RegExpExecArray> {
  for await (const line of lines) {
    const link = /(http:\S+)\/#token=(\S+)/.exec(line)
    if (link) return link
  }
  throw new Error('npm start printed no link')
}

async function drawDeployment(): Promise<void> {
  await using service = await startService()
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const atMs = Math.floor(Date.now() / UNIT_MS.m) * UNIT_MS.m - 30 * UNIT_MS.m
  const [startTime, time, endTime] = [-65, 0, 15].map((minutes) => new Date(atMs + minutes * UNIT_MS.m).toISOString())
  await storeTraffic(client, { dataset: 'shop', atMs, failing: [0.01, 0.03], slower: 1.02 })
  const { id } = await client.annotations.create({ datasets: ['shop'], type: 'deploy', title: 'v1.2', time: time ?? '' })
  const queries = [ERRORS('shop'), LATENCY('shop'), ORDERS].join('\n')
  const inputs = { token: service.token, baseUrl: service.url, id, queries }
  const { summary } = await runStep({ action: 'compare', phase: 'main', inputs })
  const signed = Object.entries(SIGNS).reduce((text, [emoji, drawn]) => text.replaceAll(emoji, drawn), renderBlocks(summary))
  // These tags are no text on the pages of GitHub.
  const html = signed.replace(/&lt;(\/?(?:details|summary))&gt;/g, '<$1>')
  const page = await openPage(service.token, { viewport: { width: 1_120, height: 100 }, deviceScaleFactor: 1.5 })
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>${STYLE}</style>${html}`)
  await page.screenshot({ path: join(TARGET, 'compare-summary.png'), fullPage: true })
  const apl = encodeURIComponent(ERRORS('shop').replace('errors: ', ''))
  const panel = await openPage(service.token, { viewport: { width: 1_200, height: 840 } })
  await openJudged(panel, `${service.url}/?startTime=${startTime}&endTime=${endTime}&annotations=${id}&apl=${apl}`)
  await panel.getByRole('region', { name: 'Before and after' }).waitFor()
  await panel.screenshot({ path: join(TARGET, 'compare-panel.png') })
}
