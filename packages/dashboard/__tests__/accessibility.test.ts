/**
 * What axe, the accessibility checker, finds on a sixth of all screens in light, and on another in dark: nothing. fits.test.ts has a third
 * of them, and in its long form all, in both and at every width.
 */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { audit } from './support/audit.ts'
import { fillWorld, openScreen, SCREENS } from './support/screens.ts'

const service = serviceForTests()
const empty = serviceForTests()
let world: Awaited<ReturnType<typeof fillWorld>>
beforeAll(async () => {
  world = await fillWorld(service, empty)
}, 120_000)

// Of all rules, colors alone depend on the scheme.
for (const [at, [colorScheme, rules]] of ([['light'], ['dark', ['color-contrast']]] as const).entries())
  testInBrowser(`the pages are accessible, in ${colorScheme}`, async () => {
    const viewport = { width: 1_440, height: 900 }
    await using page = await openPage(service, '/', {
      colorScheme,
      viewport,
      alsoAsks: empty.url,
      expectedErrors: /40\d|ERR_FAILED/,
    })
    const found: string[] = []
    for (const screen of SCREENS.filter((_, n) => n % 6 === at)) {
      await page.setViewportSize(viewport)
      await openScreen(page, world, screen)
      found.push(...(await audit(page, rules)).map((violation) => `${screen[0]}: ${violation}`))
    }
    expect(found).toEqual([])
  })
