/** What axe, the accessibility checker, finds on a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Those that axe does not check by itself. */
const MORE = ['label-content-name-mismatch', 'scrollable-region-focusable']

/** @param rules these alone @returns each violation with the element that has it */
export async function audit(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE)
  const more = Object.fromEntries(MORE.map((rule) => [rule, { enabled: true }]))
  const options = rules ? { runOnly: rules } : { rules: more }
  return page.evaluate(async (asked) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run(asked)
    const found = violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`))
    // The field that a list completes scrolls it.
    return found.filter((one) => !/^scrollable.*role="listbox"/.test(one))
  }, options)
}
