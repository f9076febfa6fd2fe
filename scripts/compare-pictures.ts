/**
 * Makes the pictures of docs/compare.md: the summary that the built step writes for a real service with known traffic, in light
 * colours, and how often a doubled error rate is found, by simulation. To be run, and looked at, when either changes.
 *
 *   node scripts/compare-pictures.ts       needs Chromium, as the browser tests do
 */
import { writeFileSync } from 'node:fs'
import { createClient } from '@deployment-annotations/client'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { chromium } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../__tests__/support/chromium.ts'
import { startService } from '../__tests__/support/service.ts'
import { ERRORS, LATENCY, storeTraffic } from '../__tests__/support/traffic.ts'
import { drawShare, simulate } from '../packages/compare/__tests__/support/simulation.ts'
import { runStep } from './runner.ts'

await drawSummary('docs/images/compare-summary.png')
writeFileSync('docs/images/compare-power.svg', drawPower())

async function drawSummary(file: string): Promise<void> {
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
    await page.screenshot({ path: file, fullPage: true })
  } finally {
    await browser.close()
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

/** Two curves over the number of requests after the event. */
function drawPower(): string {
  const [width, height, left, bottom] = [640, 300, 50, 250]
  const requests = [250, 500, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000]
  const x = (count: number) => left + (count / 5_000) * (width - left - 150)
  const y = (share: number) => bottom - share * 220
  const curve = (times: number, colour: string, label: string) => {
    const found = requests.map((after) => {
      const drawn = { requests: { before: after * times, after }, times: 2 }
      return { after, share: simulate(2_000, (chance) => drawShare(chance, drawn)).worse }
    })
    const points = found.map(({ after, share }) => `${x(after).toFixed(1)},${y(share).toFixed(1)}`).join(' ')
    const end = y(found.at(-1)?.share ?? 0) + (times === 1 ? 16 : 0)
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/><text x="${x(5_000) + 6}" y="${end}" fill="${colour}">${label}</text>`
  }
  const grid = [0, 0.5, 0.8, 0.95].map(
    (share) =>
      `<line x1="${left}" x2="${x(5_000)}" y1="${y(share)}" y2="${y(share)}" stroke="#bbb" stroke-dasharray="${share === 0.95 ? '4' : '1 3'}"/><text x="8" y="${y(share) + 4}" fill="#666">${share * 100} %</text>`,
  )
  const ticks = [1_000, 2_000, 3_000, 4_000, 5_000].map(
    (count) => `<text x="${x(count)}" y="${bottom + 18}" text-anchor="middle" fill="#666">${count.toLocaleString('en')}</text>`,
  )
  const caption = `<text x="${left}" y="${height - 8}" fill="#666">requests after the event; 1 % fail before it, 2 % after</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>How often a doubled error rate is found, by the number of requests after the event</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...grid,
    ...ticks,
    curve(6, '#0969da', '6 × as many before'),
    curve(1, '#bc4c00', 'as many before'),
    caption,
    '</svg>\n',
  ].join('\n')
}
