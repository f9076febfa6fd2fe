/** What does not fit on a page: what makes it wider than the window, and text that is cut or lies under something else. */
import type { Page } from 'playwright-core'

/** Nothing is scrolled out of a window that is so high. */
const HEIGHT = 4_000

/** @returns a line for each thing that does not fit at a width; what scrolls by itself and what ends in dots is as it should be */
export async function listMisfits(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: HEIGHT })
  // Charts are drawn anew for another width.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const found = await page.evaluate(() => {
    // A link may be as large as its row.
    const isRow = (element: Element, of: Element) => element.matches('th a') && element.closest('tr')?.contains(of) === true
    const isOver = (element: Element | null, of: Element) =>
      !element || element.contains(of) || of.contains(element) || isRow(element, of)
    const described = (what: string, node: Node) => `${what}: ${node.textContent?.trim().slice(0, 60)}`
    const root = document.documentElement
    const misfits = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: text } = texts
      const element = text.parentElement
      if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || text.textContent?.trim() === '')
        continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const hiders: Element[] = []
      for (let at: Element | null = element; at; at = at.parentElement) hiders.push(at)
      const looks = hiders.map((one) => ({ one, style: getComputedStyle(one) }))
      // What scrolls, what ends in dots, what is read out alone, and what lies over a chart on purpose.
      const isMeant = looks.some(
        ({ style }) =>
          /auto|scroll/.test(style.overflowX) ||
          style.textOverflow === 'ellipsis' ||
          style.webkitLineClamp !== 'none' ||
          style.clipPath !== 'none',
      )
      if (isMeant) continue
      for (const { left, right, top, bottom } of range.getClientRects()) {
        if (right - left < 2) continue
        const cut = looks.find(({ one, style }) => {
          const box = one.getBoundingClientRect()
          return /hidden|clip/.test(style.overflowX) && (left < box.left - 1 || right > box.right + 1)
        })
        if (cut || left < -1 || right > root.clientWidth + 1) misfits.push(described('cut', text))
        const middle = (top + bottom) / 2
        const covers = [left + 1, (left + right) / 2, right - 1].map((x) => document.elementFromPoint(x, middle))
        // What lets the pointer through lies over what it is of on purpose.
        const isThrough = looks[0]?.style.pointerEvents === 'none'
        if (!isThrough && covers.some((over) => !isOver(over, element))) misfits.push(described('covered', text))
      }
    }
    return [...new Set(misfits)]
  })
  return found.map((one) => `${new URL(page.url()).pathname} at ${width}, ${one}`)
}

/** A desk, a small notebook, a desk at 200 %, and a phone. */
export const WIDTHS = [1_440, 1_024, 720, 390]
