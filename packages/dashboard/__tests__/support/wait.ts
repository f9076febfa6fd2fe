/** Waits for what the page comes to. */
import { expect } from '@jest/globals'

/** Reads until it is what is wanted; after ten seconds, fails with what it is. */
export async function expectSoon<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const endMs = Date.now() + 10_000
  while (Date.now() < endMs) {
    if (JSON.stringify(await read()) === JSON.stringify(wanted)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(await read()).toEqual(wanted)
}
