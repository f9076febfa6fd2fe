/** Opens the menus above the charts. */
import type { Locator, Page } from 'playwright-core'

/** The menu of the annotations: the words they have, their datasets and types, and annotations from a query. */
export async function openMarks(page: Page): Promise<void> {
  await page.locator('summary', { hasText: /^Marks/ }).click()
  await page.locator('.marks-menu .find-marks').waitFor()
}

/** The menu of how results are shown, and with what they are compared. */
export async function openDisplay(page: Page): Promise<void> {
  await page.locator('summary', { hasText: /^Display/ }).click()
  await page.getByLabel('Compare with').waitFor()
}

/** The menu of the range, which also has the refresh and the zoom. */
export async function openRange(page: Page): Promise<void> {
  await page.locator('summary', { hasText: /^Range:/ }).click()
}

/** Does something of the menu of the range, and closes it. */
export async function doInRange(page: Page, name: 'Refresh' | 'Zoom in' | 'Zoom out', times = 1): Promise<void> {
  await openRange(page)
  for (let n = 0; n < times; n++) await page.getByRole('button', { name, exact: true }).click()
  await page.keyboard.press('Escape')
}

export async function signOut(page: Page): Promise<void> {
  await page.locator('summary', { hasText: /^Token/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
}

/** The menu of saved views. */
export const savedViews = (page: Page): Locator => page.locator('details', { has: page.locator('.saved-views') })
