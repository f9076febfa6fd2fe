/** Waits for what the page comes to, and holds back what it waits for. */
import { once } from 'node:events'
import { expect } from '@jest/globals'
import type { Page, Route } from 'playwright-core'

/** Reads until it is what is wanted; after ten seconds, fails with what it is. */
export async function expectSoon<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const endMs = Date.now() + 10_000
  while (Date.now() < endMs) {
    if (JSON.stringify(await read()) === JSON.stringify(wanted)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(await read()).toEqual(wanted)
}

/**
 * Holds back what the page asks at these addresses.
 * @param end what becomes of it then
 * @param times how many requests are held; by default all
 * @returns lets it go on, once and for all
 */
export async function hold(
  page: Page,
  addresses: Parameters<Page['route']>[0],
  end = (route: Route): Promise<void> => route.continue(),
  times = Number.MAX_SAFE_INTEGER,
): Promise<() => void> {
  const release = new AbortController()
  const released = once(release.signal, 'abort')
  const answer = async (route: Route) => {
    await released
    await end(route)
  }
  await page.route(addresses, answer, { times })
  return () => release.abort()
}
