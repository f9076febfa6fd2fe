/** The editor of queries in a page: its field, and what is written in it. */
import type { Locator, Page } from 'playwright-core'

export const queryField = (page: Page): Locator => page.getByRole('textbox', { name: 'Query', exact: true })

/** @returns the text as it would be run */
export async function writtenQuery(page: Page): Promise<string> {
  const lines = await queryField(page).locator('.cm-line').allTextContents()
  return lines.join('\n')
}
