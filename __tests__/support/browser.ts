/**
 * A real browser for a test: Chromium as installed on this machine, driven over its own protocol. Every page records the hosts it
 * asked for, what its scripts threw and what the content policy refused; none of that may happen, and `close` says so.
 * Where there is no Chromium, `testInBrowser` says that its tests are skipped.
 *
 *   await using page = await openPage(service, '/?datasets=web')
 */
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { CHROMIUM, FLAGS } from './chromium.ts'
import type { RunningService } from './service.ts'

// Not by the console, whose lines are not shown for a file in which every test is skipped.
if (!CHROMIUM) process.stderr.write('Browser tests are skipped: there is no Chromium on this machine.\n')

/** As `test`; skipped, with the reason in its name, on a machine without Chromium. */
export const testInBrowser: typeof test = CHROMIUM
  ? test
  : (((name: string, run: () => Promise<void>) =>
      test.skip(`${name} (skipped: no Chromium on this machine)`, run)) as typeof test)

export interface OpenPage extends Page {
  [Symbol.asyncDispose](): Promise<void>
}

export interface OpenPageOptions extends BrowserContextOptions {
  /** Signed in with the service's personal token unless told otherwise; `null` leaves the page signed out. */
  token?: string | null
  /** Console errors that the test provokes, such as a refused request. */
  expectedErrors?: RegExp
  /** Another origin that the page may ask. */
  alsoAsks?: string
}

let browser: Promise<Browser> | undefined
let pictures = 0
// Of each file that opens pages, before the service that they show ends.
afterAll(async () => {
  await (await browser)?.close()
})

export async function openPage(
  service: Pick<RunningService, 'url' | 'token'>,
  path = '/',
  { token = service.token, expectedErrors, alsoAsks, ...contextOptions }: OpenPageOptions = {},
): Promise<OpenPage> {
  browser ??= chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: [...FLAGS] })
  const context = await (await browser).newContext({ locale: 'en-GB', timezoneId: 'UTC', ...contextOptions })
  const wrong: string[] = []
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  page.on('request', (request) => {
    if (![service.url, alsoAsks].includes(new URL(request.url()).origin)) wrong.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => wrong.push(`threw ${error}`))
  page.on('console', (message) => {
    // Refusals of the content policy are written there, too.
    if (message.type() === 'error' && !expectedErrors?.test(message.text())) wrong.push(`console: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    wrong.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  if (token !== null) {
    await page.addInitScript((secret) => sessionStorage.setItem('token', secret), token)
  }
  await page.goto(service.url + path)
  return Object.assign(page, {
    [Symbol.asyncDispose]: async () => {
      await leavePicture(page)
      await context.close()
      expect(wrong).toEqual([])
    },
  })
}

/** Leaves a picture of how a test ended, for whoever wants to look: in the folder that `SCREENSHOTS` names, under the name of the test. */
async function leavePicture(page: Page): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  const name = expect.getState().currentTestName?.replace(/\W+/g, '-').slice(0, 100)
  await page.screenshot({ path: join(folder, `${name}-${++pictures}.png`) })
}
