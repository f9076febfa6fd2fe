/** What axe, the accessibility checker, finds on the pages: nothing, in light and in dark. */
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { audit } from './support/audit.ts'
import { panelOf } from './support/charts.ts'
import { queryField } from './support/editor.ts'
import { signOut } from './support/menus.ts'
import { act, actIn } from './support/resources.ts'

const TIME = '2026-01-31T10:30:00Z'
const RANGE = 'startTime=2026-01-31T10:00:00Z&endTime=2026-01-31T12:00:00Z'

const service = serviceForTests()
let id: string
let board: string
beforeAll(async () => {
  await ingest(service, 'web', [
    { _time: TIME, status: 200, level: 'warn' },
    { _time: TIME, status: 200, level: 'fatal' },
    { _time: TIME, status: 200, level: 'info' },
    { _time: TIME, status: 200, level: 'debug' },
  ])
  const annotation = {
    datasets: ['web'],
    type: 'deploy',
    time: TIME,
    title: 'Release 7',
    description: '*fine*',
    url: 'https://example.com',
  }
  id = (await annotate(service, annotation)).id
  const charts = [
    { title: 'Series', aplQuery: "['web'] | summarize count() by bin(_time, 5m)", datasets: ['web'] },
    { title: 'Number', aplQuery: "['web'] | count", datasets: ['web'] },
  ]
  const times = { startTime: '2026-01-31T10:00:00Z', endTime: '2026-01-31T12:00:00Z' }
  board = (await send<{ id: string }>(service, 'POST', '/v2/saved-views', { name: 'Board', charts, ...times })).id
  await send(service, 'POST', '/v2/integrations', { platform: 'generic', datasets: ['web'], name: 'Scripts' })
  await send(service, 'POST', '/v2/saved-views', { name: 'Counts', startTime: 'now-1h', endTime: 'now', datasets: ['web'] })
  const monitor = { name: 'm', operator: 'Above', threshold: 0, intervalMinutes: 1, rangeMinutes: 1 }
  await send(service, 'POST', '/v2/monitors', { ...monitor, aplQuery: "['web'] | count" })
  await send(service, 'POST', '/v2/monitors', { ...monitor, aplQuery: "['nowhere'] | count", description: 'd' })
}, 60_000)

async function preview(page: Page): Promise<void> {
  await page.getByLabel('Query').fill("['web'] | count")
  await page.getByLabel('Threshold').fill('1')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('group', { name: /^Chart of the preview/ }).waitFor()
}

testInBrowser('marks can be called by what is to be read on them, and what scrolls can be reached', async () => {
  for (const minute of [30, 31, 32, 50])
    await annotate(service, {
      ...{ datasets: ['crowd'], type: 'deploy', title: `Storefront of the shop 1.${minute}.0` },
      ...{ time: `2026-01-31T10:${minute}:00Z`, description: 'success after 1 min' },
    })
  const rules = ['label-content-name-mismatch', 'scrollable-region-focusable']
  for (const viewport of [
    { width: 1_280, height: 720 },
    { width: 390, height: 844 },
  ]) {
    await using page = await openPage(service, `/?${RANGE}&datasets=crowd`, { viewport, expectedErrors: /404/ })
    await page.locator('.mark').nth(1).waitFor()
    expect(await audit(page, rules)).toEqual([])
    await page.goto(`${service.url}/monitors`)
    await page.getByRole('rowheader').filter({ hasText: 'Error' }).getByRole('link').click()
    await page.locator('.run-error pre').first().waitFor()
    expect(await audit(page, rules)).toEqual([])
  }
})

// Of all rules, colors alone depend on the scheme.
for (const [colorScheme, rules] of [['light'], ['dark', ['color-contrast']]] as const) {
  testInBrowser(`the pages are accessible, in ${colorScheme}`, async () => {
    await using page = await openPage(service, `/?${RANGE}&datasets=web&annotations=${id}`, {
      colorScheme,
      expectedErrors: /400/,
    })
    await page.getByRole('heading', { name: 'Release 7' }).waitFor()
    await page.locator('figcaption').getByText('4 events').waitFor()
    expect(await audit(page, rules)).toEqual([])
    await actIn(panelOf(page), 'Change')
    await page.getByRole('dialog').waitFor()
    expect(await audit(page, rules)).toEqual([])
    await page.goto(`${service.url}/?datasets=web`)
    await page.locator('summary', { hasText: /^Range/ }).click()
    await page.getByRole('group', { name: 'Refresh every' }).waitFor()
    expect(await audit(page, rules)).toEqual([])
    const look = 'events=true&fields=true&filters=status+!%3D+500&columns=status&columns=level'
    await page.goto(`${service.url}/?${RANGE}&${look}`)
    await page.getByRole('button', { name: 'status integer' }).click()
    await page.locator('.event-line').first().click()
    await page.getByRole('button', { name: 'Only events where status is 200' }).first().waitFor()
    expect(await audit(page, rules)).toEqual([])
    await page.goto(`${service.url}/annotations`)
    await page.getByRole('link', { name: 'Release 7' }).waitFor()
    expect(await audit(page, rules)).toEqual([])
    await page.goto(`${service.url}/?${RANGE}&apl=${encodeURIComponent("['web'] | summarize count() by bin(_time, 5m), status")}`)
    await page.getByRole('group', { name: /^Chart of The query/ }).waitFor()
    expect(await audit(page, rules)).toEqual([])
    await page.getByText('Recent queries').click()
    expect(await audit(page, rules)).toEqual([])
    await page.locator('summary', { hasText: /^Display/ }).click()
    await page.getByRole('radio', { name: 'Table' }).check()
    expect(await audit(page, rules)).toEqual([])
    await page.goto(`${service.url}/?${RANGE}&apl=${encodeURIComponent("['web'] | summarize count() by status, st")}`)
    await page.getByRole('alert').waitFor()
    expect(await audit(page, rules)).toEqual([])
    await queryField(page).press('Control+End')
    await queryField(page).press('Control+ ')
    await page.getByRole('option', { name: 'status integer' }).first().waitFor()
    expect(await audit(page, ['color-contrast'])).toEqual([])
    for (const apl of ["['web'] | summarize count() by status", "['web'] | summarize count()"]) {
      await page.goto(`${service.url}/?${RANGE}&compare=1d&apl=${encodeURIComponent(apl)}`)
      await page.locator('.top-bar, .result-numbers').first().waitFor()
      expect(await audit(page, rules)).toEqual([])
    }
    await page.goto(`${service.url}/?${RANGE}&fields=true&datasets=web&annotationsQuery=${encodeURIComponent("['web']")}`)
    await page.locator('.found').first().focus()
    expect(await audit(page, rules)).toEqual([])
    await page.locator('summary', { hasText: 'Saved views' }).click()
    await page.getByRole('link', { name: 'Counts' }).waitFor()
    expect(await audit(page, rules)).toEqual([])
    await page.goto(`${service.url}/views`)
    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByRole('group', { name: /^Chart of Series/ }).waitFor()
    await page.locator('summary', { hasText: 'Actions on Series' }).click()
    expect(await audit(page, rules)).toEqual([])
    await page.goto(`${service.url}/views?savedView=${board}&annotations=${id}`)
    await page.getByRole('heading', { name: 'Release 7' }).waitFor()
    expect(await audit(page, rules)).toEqual([])
    for (const name of ['Monitors', 'Datasets', 'Integrations', 'Tokens']) {
      await page.goto(`${service.url}/${name.toLowerCase()}`)
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      expect(await audit(page, rules)).toEqual([])
      // The token given at start has no actions.
      if (name !== 'Tokens') await page.locator('td summary').first().click()
      expect(await audit(page, rules)).toEqual([])
      await page.getByRole('button', { name: `New ${name.toLowerCase().slice(0, -1)}` }).click()
      await page.getByRole('dialog').waitFor()
      if (name === 'Monitors') await preview(page)
      expect(await audit(page, rules)).toEqual([])
    }
    await page.getByLabel('Name').fill('checked')
    await page.getByRole('button', { name: 'Read only' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('shown only this once').waitFor()
    expect(await audit(page, rules)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await act(page, 'checked', 'Revoke')
    expect(await audit(page, rules)).toEqual([])
    await page.keyboard.press('Escape')
    await signOut(page)
    await page.getByLabel('Token').waitFor()
    expect(await audit(page, rules)).toEqual([])
  })
}
