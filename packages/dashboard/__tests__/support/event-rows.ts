/** The rows of the list of events as a reader gets to see them: only those near the view are in the page. */
import type { Page } from 'playwright-core'

/** Scrolls from the first row to the last. @returns the lines of all rows that the list has, in their order */
export async function readLines(page: Page): Promise<string[]> {
  const texts = await page.evaluate(async () => {
    const list = document.querySelector('.event-rows')
    const found = new Map<number, string>()
    const collect = () => {
      for (const row of list?.querySelectorAll('[aria-posinset]') ?? [])
        found.set(Number(row.getAttribute('aria-posinset')), row.querySelector('.event-line')?.textContent ?? '')
    }
    const count = () => Number(list?.querySelector('[aria-setsize]')?.getAttribute('aria-setsize') ?? 0)
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    list?.scrollIntoView({ block: 'start' })
    for (let turns = 0; turns < 2_000; turns++) {
      await frame()
      collect()
      if (found.size >= count() && found.has(count())) break
      const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
      if (atEnd && found.size < count()) list?.scrollIntoView({ block: 'start' })
      else scrollBy(0, innerHeight * 0.7)
    }
    return [...found].sort(([a], [b]) => a - b).map(([, text]) => text)
  })
  return texts
}

/** Scrolls to the end until the list says that it has so many rows. */
export async function loadRows(page: Page, rows: number): Promise<void> {
  const count = () =>
    page.evaluate(() => Number(document.querySelector('.event-rows [aria-setsize]')?.getAttribute('aria-setsize') ?? 0))
  for (let tries = 0; (await count()) < rows && tries < 400; tries++) {
    await page.mouse.wheel(0, 20_000)
    await page.waitForTimeout(50)
  }
}
