/** Hostile texts in every field of everything, on every page in each of its states: they are shown as texts, nothing runs, and no other host is asked. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { MARKUP } from './support/hostile.ts'
import { fillWorld, openScreen, SCREENS } from './support/screens.ts'
import { expectSoon } from './support/wait.ts'

const service = serviceForTests()
const empty = serviceForTests()
let world: Awaited<ReturnType<typeof fillWorld>>
beforeAll(async () => {
  world = await fillWorld(service, empty, (text) => `${MARKUP}${'long'.repeat(20)}${text}`)
}, 120_000)

testInBrowser(
  'nothing that somebody wrote becomes a part of a page',
  async () => {
    const viewport = { width: 1_440, height: 900 }
    await using page = await openPage(service, '/', { viewport, alsoAsks: empty.url, expectedErrors: /40\d|ERR_FAILED/ })
    const shown = new Set<string>()
    for (const screen of SCREENS) {
      await page.setViewportSize(viewport)
      await openScreen(page, world, screen)
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
