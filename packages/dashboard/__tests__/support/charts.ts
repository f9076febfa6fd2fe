/** The charts of a page with what lies on them, the panel beside them, and what is focused. */
import type { Locator, Page } from 'playwright-core'

/** @param name of a dataset or of a chart of a view; `The query` for a typed query */
export const chartOf = (page: Page, name: string): Locator => page.getByRole('group', { name: new RegExp(`^Chart of ${name}`) })

/** The buttons of the annotations on a chart. */
export const marksOn = (page: Page, name: string): Locator =>
  page.getByRole('toolbar', { name: `Annotations on ${name}` }).getByRole('button')

export const markOn = (page: Page, name: string, title: RegExp): Locator =>
  page.getByRole('toolbar', { name: `Annotations on ${name}` }).getByRole('button', { name: title })

/** What is shown of the annotations that are selected. */
export const panelOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Selected annotations' })

/** Where the plot is on the screen, without its axes. @param name as of {@link chartOf}; the only chart's by default */
export async function plotBox(page: Page, name = '') {
  const box = await chartOf(page, name).locator('.u-over').boundingBox()
  if (!box) throw new Error('there is no plot')
  return box
}

/** The name of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')
