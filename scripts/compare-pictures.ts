/**
 * Makes the pictures of docs/compare.md: the summary that the built step writes for a real service with known traffic, and the page's
 * panel for the same. To be run, and looked at, when either changes.
 *
 *   node scripts/compare-pictures.ts       needs Chromium, as the browser tests do
 */
import { createClient } from '@deployment-annotations/client'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { chromium, type Page } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../__tests__/support/chromium.ts'
import { startService } from '../__tests__/support/service.ts'
import { ERRORS, LATENCY, storeTraffic } from '../__tests__/support/traffic.ts'
import { runStep } from './runner.ts'

await drawDeployment('docs/images/compare-summary.png', 'docs/images/compare-panel.png')

async function drawDeployment(summaryFile: string, panelFile: string): Promise<void> {
  await using service = await startService()
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const atMs = Math.floor(Date.now() / UNIT_MS.m) * UNIT_MS.m - 30 * UNIT_MS.m
  await storeTraffic(client, { dataset: 'shop', atMs, failing: [0.01, 0.03], slower: 1.02 })
  const { id } = await client.annotations.create({
    datasets: ['shop'],
    type: 'deploy',
    title: 'v1.2',
    time: new Date(atMs).toISOString(),
  })
  const orders = "orders (lower is worse): ['shop']\n  | where path == '/checkout' | summarize count() by bin(_time, 1m)"
  const inputs = {
    token: service.token,
    baseUrl: service.url,
    id,
    queries: [ERRORS('shop'), LATENCY('shop'), orders].join('\n'),
  }
  const { summary } = await runStep({ action: 'compare', phase: 'main', inputs })
  const browser = await chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: [...FLAGS] })
  try {
    const page = await browser.newPage({ viewport: { width: 1_120, height: 100 }, deviceScaleFactor: 1.5 })
    await page.setContent(toPage(summary))
    await page.screenshot({ path: summaryFile, fullPage: true })
    await drawPanel(await browser.newPage({ viewport: { width: 1_200, height: 640 } }), panelFile)
  } finally {
    await browser.close()
  }

  async function drawPanel(page: Page, file: string): Promise<void> {
    await page.addInitScript((secret) => sessionStorage.setItem('token', secret), service.token)
    const apl = ERRORS('shop').replace('errors: ', '')
    const [startTime, endTime] = [-65, 15].map((minutes) => new Date(atMs + minutes * UNIT_MS.m).toISOString())
    await page.goto(`${service.url}/?startTime=${startTime}&endTime=${endTime}&annotations=${id}&apl=${encodeURIComponent(apl)}`)
    await page.getByRole('region', { name: 'Before and after' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: file })
  }
}

/** A summary as a page: a heading, paragraphs and one table are all that ours has. */
function toPage(markdown: string): string {
  const code = (text: string) => text.replace(/`([^`]*)`/g, '<code>$1</code>')
  const cells = (line: string) => line.split('|').slice(1, -1).map(code)
  const blocks = markdown.trim().split(/\n{2,}/)
  const html = blocks.map((block) => {
    if (block.startsWith('### ')) return `<h3>${block.slice(4)}</h3>`
    if (!block.startsWith('|')) return `<p>${block}</p>`
    const [head = '', _rule, ...rows] = block.split('\n')
    const row = (tag: string) => (line: string) =>
      `<tr>${cells(line)
        .map((cell) => `<${tag}>${cell}</${tag}>`)
        .join('')}</tr>`
    return `<table>${row('th')(head)}${rows.map(row('td')).join('')}</table>`
  })
  const style = `body { font: 14px/1.5 sans-serif; margin: 16px; color: #1f2328 } table { border-collapse: collapse }
    td, th { border: 1px solid #d1d9e0; padding: 6px 10px; text-align: left } code { background: #eff1f3; padding: 2px 4px }`
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${html.map(withoutEmoji).join('')}`
}

/** The machine that draws may have no font for them. */
function withoutEmoji(html: string): string {
  const dot = (colour: string) => `<span style="color: ${colour}">●</span>`
  return html.replaceAll('🔴', dot('#d1242f')).replaceAll('🟢', dot('#1a7f37')).replaceAll('⚪', dot('#c8d1da'))
}
