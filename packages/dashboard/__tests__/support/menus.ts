/** Opens the menus above the charts. */
import type { Locator, Page } from 'playwright-core'

/** The menu of the annotations: the words they have, their datasets, types and colors, and annotations from a query. */
export async function openMarks(page: Page): Promise<void> {
  await page.locator('summary', { hasText: /^Annotations/ }).click()
  await page.locator('.marks-menu .find-marks').waitFor()
}

/** The menu of how results are shown, and with what they are compared. */
export async function openDisplay(page: Page): Promise<void> {
  await page.locator('summary', { hasText: /^Display/ }).click()
  await page.getByLabel('Compare with').waitFor()
}

/** The menu of saved views. */
export const savedViews = (page: Page): Locator => page.locator('details', { has: page.locator('.saved-views') })
