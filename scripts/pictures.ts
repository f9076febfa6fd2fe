/**
 * Takes the pictures of the README: what `npm start` shows in a browser. To be run, and looked at, when the page changes.
 *
 *   node scripts/pictures.ts       needs Chromium, as the browser tests do
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../__tests__/support/chromium.ts'

const TARGET = 'docs/images'
/** The second one has a panel beside its query. */
const VIEWPORTS = { light: { width: 1_200, height: 900 }, dark: { width: 1_200, height: 960 } }
const FAILURES = "['shop'] | where path == '/checkout'\n| summarize count() by bin(_time, 2m), status"

mkdirSync(TARGET, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'pictures-'))
const example = spawn(process.execPath, ['scripts/quickstart/quickstart.ts', '--keep', '--data', data], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: [...FLAGS] })
try {
  const [, origin = '', token = ''] = await readLink()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: VIEWPORTS[colorScheme], colorScheme, locale: 'en-GB' })
    await context.addInitScript((secret) => sessionStorage.setItem('token', secret), token)
    const page = await context.newPage()
    if (colorScheme === 'light') {
      // The service judges the releases one after the other; the page shows what it has found when it is opened.
      for (let tries = 0; tries < 20; tries++) {
        await page.goto(origin)
        await page.waitForLoadState('networkidle')
        if ((await page.getByText(/Being judged|Not judged/).count()) === 0) break
        await page.waitForTimeout(1_000)
      }
      await page
        .getByRole('button', { name: /^Checkout fails/ })
        .first()
        .waitFor()
    } else {
      await page.goto(`${origin}/?apl=${encodeURIComponent(FAILURES)}`)
      await page
        .getByRole('button', { name: /^Checkout fails/ })
        .first()
        .click()
      await page.getByRole('region', { name: 'Before and after' }).getByRole('listitem').first().waitFor()
      await page.mouse.move(0, 0)
    }
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(TARGET, colorScheme === 'light' ? 'dashboard.png' : 'query.png') })
  }
} finally {
  await browser.close()
  example.kill('SIGTERM')
  rmSync(data, { recursive: true, force: true })
}

async function readLink(): Promise<RegExpExecArray> {
  for await (const line of createInterface(example.stdout)) {
    const link = /(http:\S+)\/#token=(\S+)/.exec(line)
    if (link) return link
  }
  throw new Error('npm start printed no link')
}
