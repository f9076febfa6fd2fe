/** Hostile texts in every field of everything, on every page in each of its states: they are shown as texts, nothing runs, and no other host is asked. */
import { expect } from '@jest/globals'
import { testInBrowser } from '../../../__tests__/support/browser.ts'
import { MARKUP } from './support/hostile.ts'
import { SCREENS, worldForTests } from './support/screens.ts'
import { expectSoon } from './support/wait.ts'

const world = worldForTests((text) => `${MARKUP}${'long'.repeat(20)}${text}`)

testInBrowser(
  'nothing that somebody wrote becomes a part of a page',
  async () => {
    await using page = await world.open()
    const shown = new Set<string>()
    for (const screen of SCREENS) {
      await world.show(page, screen)
      expect([screen[0], await page.locator('img[src=x], main script, a[href^="javascript:"]').count()]).toEqual([screen[0], 0])
      await page.setViewportSize({ width: 390, height: 844 })
      await expectSoon(
        async () => [screen[0], await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)],
        [screen[0], 0],
      )
      if (await page.getByText('<img src=x onerror=alert(1)>').count()) shown.add(screen[0])
    }
    expect([...shown]).toEqual(
      expect.arrayContaining(['Home', 'the panel of a release', 'What changed?', 'releases', 'an event']),
    )
  },
  400_000,
)
