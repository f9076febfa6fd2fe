/** Finds and uses what lists of resources have in common: their rows and their menus of actions. */
import type { Locator, Page } from 'playwright-core'

export function rowOf(page: Page, name: string) {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
}

/** Chooses an action from the first menu within, such as that of a row. */
export async function actIn(place: Locator, words: string): Promise<void> {
  await place.locator('summary').first().press('Enter')
  await place.getByRole('button', { name: words, exact: true }).press('Enter')
}

/** Chooses an action on the first resource with this name. */
export async function act(page: Page, name: string, words: string): Promise<void> {
  await actIn(page.locator('details', { hasText: `Actions on ${name}` }).first(), words)
}

/** What stands in a column of the list of annotations, which is the first if it is 1. */
export async function cellsOf(page: Page, column: number): Promise<string[]> {
  const cells = page.getByRole('region', { name: 'Annotations' }).locator(`tbody td:nth-child(${column})`)
  return (await cells.allTextContents()).map((text) => text.trim())
}
