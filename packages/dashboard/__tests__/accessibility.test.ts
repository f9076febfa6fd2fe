/**
 * What axe, the accessibility checker, finds on a sixth of all screens in light, and on another in dark: nothing. fits.test.ts has a third
 * of them, and in its long form all, in both and at every width.
 */
import { expect } from '@jest/globals'
import { testInBrowser } from '../../../__tests__/support/browser.ts'
import { audit } from './support/audit.ts'
import { SCREENS, worldForTests } from './support/screens.ts'

const world = worldForTests()

// Of all rules, colors alone depend on the scheme.
for (const [at, [colorScheme, rules]] of ([['light'], ['dark', ['color-contrast']]] as const).entries())
  testInBrowser(`the pages are accessible, in ${colorScheme}`, async () => {
    await using page = await world.open({ colorScheme })
    const found: string[] = []
    for (const screen of SCREENS.filter((_, n) => n % 6 === at)) {
      await world.show(page, screen)
      found.push(...(await audit(page, rules)).map((violation) => `${screen[0]}: ${violation}`))
    }
    expect(found).toEqual([])
  })
