/** What axe, the accessibility checker, finds on a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** @param rules alone, also such as are not checked by themselves @returns each violation with the element that has it */
export async function audit(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run(only ? { runOnly: only } : {})
    return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`))
  }, rules)
}
