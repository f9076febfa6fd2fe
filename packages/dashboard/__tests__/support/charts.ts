/** The charts of a page with what lies on them, the panel beside them, and what is focused. */
import type { Locator, Page } from 'playwright-core'
import { expectSoon } from './wait.ts'

/** @param name of a dataset or of a chart of a view; `The query` for a typed query */
export const chartOf = (page: Page, name: string): Locator => page.getByRole('group', { name: new RegExp(`^Chart of ${name}`) })

/** The buttons of the annotations on a chart. */
export const marksOn = (page: Page, name: string): Locator =>
  page.getByRole('toolbar', { name: `Annotations on ${name}` }).getByRole('button')

export const markOn = (page: Page, name: string, title: RegExp): Locator =>
  page.getByRole('toolbar', { name: `Annotations on ${name}` }).getByRole('button', { name: title })

/** What is shown of the annotations that are selected. */
export const panelOf = (page: Page): Locator => page.getByRole('complementary')

/** A plot is made anew when parts of its frame come later, and what begins on one does not end on the other. */
const isSettled = (plot: Element) =>
  new Promise<boolean>((resolve) => setTimeout(() => resolve(plot.isConnected && plot.clientWidth > 0), 200))

/** Where the plot is on the screen, without its axes. @param name as of {@link chartOf}; the only chart's by default */
export async function plotBox(page: Page, name = '') {
  const plot = chartOf(page, name).locator('.u-over')
  await expectSoon(() => plot.evaluate(isSettled), true)
  const box = await plot.boundingBox()
  if (!box) throw new Error('there is no plot')
  return box
}

/** Ctrl-clicks on the middle of a plot, which asks for a new annotation. @param name as of {@link chartOf} */
export async function markMiddle(page: Page, name: string): Promise<void> {
  await plotBox(page, name)
  await chartOf(page, name)
    .locator('.u-over')
    .click({ modifiers: ['Control'] })
}

/** The name of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')
