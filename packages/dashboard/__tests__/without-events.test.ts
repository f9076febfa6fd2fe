/** A service with annotations and no events, and a token that may see annotations only: their marks are shown all the same. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, tokenWith } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { marksOn } from './support/charts.ts'
import { at, MORNING } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceForTests()
beforeAll(async () => {
  await annotate(service, { datasets: ['shop'], type: 'deploy', time: at(30), title: 'Release 7' })
})

testInBrowser('marks are on an empty chart of the dataset that they name, and the help for the first events stays', async () => {
  await using page = await openPage(service, `/?${MORNING}`)
  await marksOn(page, 'shop').first().waitFor()
  expect(await marksOn(page, 'shop').allTextContents()).toEqual(['Release 7'])
  await page.locator('figcaption').getByText('There are no events in this dataset yet.').waitFor()
  await page.getByText('Waiting for the first event').waitFor()
})

testInBrowser('a token that may only read annotations sees them, without a refusal', async () => {
  // A page that is loaded again asks before it knows what the token may do.
  await using page = await openPage(service, '/', { token: null, expectedErrors: /403/ })
  await page.getByLabel('Token').fill(await tokenWith(service, 'annotations|read'))
  await page.keyboard.press('Enter')
  await page.locator('.controls').waitFor()
  // Within the page: a new one does not know yet what the token may do.
  await page.locator('summary', { hasText: /^Range:/ }).click()
  await page.getByLabel('From').fill(at(0))
  await page.getByLabel('To').fill(at(120))
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await marksOn(page, 'shop').first().waitFor()
  await page.locator('figcaption').getByText('may see annotations, but not events').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.reload()
  await marksOn(page, 'shop').first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

testInBrowser(
  'the chart is of the service with the last release, the others have a line, and both stay when one zooms',
  async () => {
    await using own = await startService()
    for (const dataset of ['a', 'b', 'c', 'd', 'e'])
      await ingest(own, dataset, dataset === 'c' ? [{ _time: at(30) }, { _time: at(31) }] : [{ _time: at(30) }])
    await annotate(own, { datasets: ['d'], type: 'deploy', time: at(30) })
    await using page = await openPage(own, `/?${MORNING}`)
    const charts = page.locator('figcaption h2, tbody th')
    await expectSoon(() => charts.allTextContents(), ['d', 'c', 'a', 'b', 'e'])
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page.getByRole('button', { name: 'Earlier' }).click()
    await marksOn(page, 'd').first().waitFor({ state: 'detached' })
    await expectSoon(() => charts.allTextContents(), ['d', 'a', 'b', 'c', 'e'])
    await page.getByRole('button', { name: 'e', exact: true }).click()
    await expectSoon(() => charts.allTextContents(), ['e'])
  },
)
