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

/** The names in a list. */
export function namesIn(page: Page): Promise<string[]> {
  return page.locator('.listing th[scope="row"] .clip').allTextContents()
}
