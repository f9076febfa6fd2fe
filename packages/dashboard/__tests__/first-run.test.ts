/** The page of a service that is new: its two commands are run as they stand there, and what of them arrived is said. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { type RunningService, startService } from '../../../__tests__/support/service.ts'

const run = promisify(execFile)
const NOW = () => new Date().toISOString()
const step = (page: Page, title: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })

/** Copies a command and runs it as somebody would who has a token. */
async function runCopied(page: Page, title: string, { url, token }: RunningService): Promise<void> {
  await step(page, title).getByRole('button', { name: /^Copy/ }).click()
  await step(page, title).getByText('Copied').waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect([command.includes(url), command.includes(token)]).toEqual([true, false])
  const annotate = `node packages/cli/lib/annotate.cjs`
  const env = { ...process.env, ANNOTATE_TOKEN: token }
  await run('bash', ['-c', command.replace('npx @deployment-annotations/cli', annotate)], { env })
}

testInBrowser('an event and a mark are sent by the commands of the page, which says when they are in', async () => {
  await using empty = await startService()
  await using page = await openPage(empty, '/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('heading', { name: 'Two commands to see your own releases here' }).waitFor()
  await page.getByText('Waiting for the first event').waitFor()
  expect(await page.locator('.controls').isVisible()).toBe(false)
  for (const way of ['OpenTelemetry', 'Filebeat', 'curl']) {
    await page.getByRole('button', { name: way }).click()
    await step(page, 'Send an event').locator('pre').getByText(empty.url).waitFor()
  }
  await runCopied(page, 'Send an event', empty)
  await page.getByText(/First event is in: web, \d+ s ago/).waitFor()
  await page.getByText('Waiting for the first mark').waitFor()
  expect(await page.getByRole('button', { name: 'Copy the command' }).count()).toBe(1)
  await runCopied(page, 'Mark a release', empty)
  await page.getByText('First mark is in: web 2.15.0').waitFor()
  await page.getByRole('button', { name: 'Other CI' }).click()
  await runCopied(page, 'Mark a release', empty)
  // Without the steps there is more to see.
  await page.reload()
  await page.locator('.controls').waitFor()
  expect(await page.getByText('Two commands').count()).toBe(0)
})

testInBrowser('made-up data are said to be that, beside the steps to data of one’s own, until both are hidden', async () => {
  await using service = await startService()
  const description = 'Made-up data: A shop that keeps sending, to show what you will see here.'
  await send(service, 'POST', '/v2/datasets', { name: 'shop', description })
  await ingest(service, 'shop', [{ _time: NOW(), status: 200 }])
  await annotate(service, { datasets: ['shop'], type: 'deploy', title: 'Shop 1.42.0', time: NOW() })
  await using page = await openPage(service)
  const banner = page.getByText('Made-up data A shop that keeps sending, to show what you will see here.')
  await banner.waitFor()
  await page.getByText('Waiting for the first event').waitFor()
  await page.getByText('Waiting for the first mark').waitFor()
  await page.getByRole('button', { name: 'Hide' }).click()
  await banner.waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('.controls').waitFor()
  expect(await page.getByText(/Made-up|Two commands/).count()).toBe(0)
})
