/** Every page in each of its states at every width, in light and in dark: nothing is cut, nothing lies under its neighbor, and axe finds nothing. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { isLong } from '../../../__tests__/support/long.ts'
import { audit } from './support/audit.ts'
import { listMisfits, WIDTHS } from './support/fits.ts'
import { fillWorld, openScreen, SCREENS } from './support/screens.ts'

const service = serviceForTests()
const empty = serviceForTests()
let world: Awaited<ReturnType<typeof fillWorld>>
beforeAll(async () => {
  world = await fillWorld(service, empty)
}, 120_000)

/** Menus, dialogs and panels lie over the page on purpose. */
const isOver = (path: string, steps: readonly unknown[]) => /annotations=|open=|moment=/.test(path) || steps.length > 0

// npm test looks at some of the others, without their widths (accessibility.test.ts).
for (const screen of SCREENS.filter((_, n) => isLong || n % 3 === 2))
  testInBrowser(`nothing is cut or covered, and all of it is accessible: ${screen[0]}`, async () => {
    const [, path, , ...steps] = screen
    const found: string[] = []
    await using page = await openPage(service, '/', { alsoAsks: empty.url, expectedErrors: /40\d|ERR_FAILED/ })
    await page.setViewportSize({ width: 1_440, height: 900 })
    await openScreen(page, world, screen)
    await page.waitForLoadState('networkidle')
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
