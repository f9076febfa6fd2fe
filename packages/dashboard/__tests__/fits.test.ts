/** Every page in each of its states at every width, in light and in dark: nothing is cut, nothing lies under its neighbor, and axe finds nothing. */
import { expect } from '@jest/globals'
import { testInBrowser } from '../../../__tests__/support/browser.ts'
import { isLong } from '../../../__tests__/support/long.ts'
import { audit } from './support/audit.ts'
import { listMisfits, WIDTHS } from './support/fits.ts'
import { SCREENS, worldForTests } from './support/screens.ts'

const world = worldForTests()

/** Menus, dialogs and panels lie over the page on purpose. */
const isOver = (path: string, steps: readonly unknown[]) => /annotations=|open=|moment=/.test(path) || steps.length > 0

// npm test looks at some of the others, without their widths (accessibility.test.ts).
for (const screen of SCREENS.filter((_, n) => isLong || n % 3 === 2))
  testInBrowser(`nothing is cut or covered, and all of it is accessible: ${screen[0]}`, async () => {
    const [, path, , ...steps] = screen
    const found: string[] = []
    await using page = await world.open()
    await world.show(page, screen)
    // What waits for an answer that never comes stays as it is.
    if (!screen[0].endsWith('while it loads')) await page.waitForLoadState('networkidle')
    for (const width of WIDTHS) {
      const misfits = await listMisfits(page, width)
      found.push(...misfits.filter((one) => !isOver(path, steps) || !one.includes('covered: ')))
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const violations = await audit(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
        found.push(...violations.map((violation) => `${width}, ${colorScheme}: ${violation}`))
      }
    }
    expect(found).toEqual([])
  })
