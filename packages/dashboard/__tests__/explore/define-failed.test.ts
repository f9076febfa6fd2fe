/** Where no field says what failed, the page says so, and offers the virtual field that would. */
import { expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { ingest } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { at, MORNING } from '../support/times.ts'

const service = serviceForTests()

testInBrowser('a chart without errors offers to define them, with the likely field filled in', async () => {
  const events = Array.from({ length: 120 }, (_, minute) => ({
    _time: at(minute),
    verdictText: 'x',
    finalResult: minute % 4 ? 'paid' : 'failed',
  }))
  await ingest(service, 'orders', events)
  await using page = await openPage(service, `/?${MORNING}`)
  await page.getByText('Errors are not looked at: no field says what failed.').waitFor()
  await page.getByRole('button', { name: 'Define failed' }).click()
  const dialog = page.getByRole('dialog', { name: 'What failed in orders?' })
  expect(await dialog.getByLabel('An event failed if').inputValue()).toBe("finalResult == 'failed'")
  await dialog.getByRole('button', { name: 'Define' }).click()
  await page.locator('figure', { hasText: 'Errors 25 %' }).waitFor()
  expect(await page.getByText('Errors are not looked at').count()).toBe(0)
})
