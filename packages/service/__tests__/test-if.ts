/**
 * Tests that need what not every machine has: a disk that can be mounted, a group of processes. Where it cannot be made, they say why they
 * are skipped.
 */
import { test } from '@jest/globals'

/** @param makeOne is called once, and what it made is disposed of */
export function testIf(makeOne: () => Disposable, why: string): typeof test {
  try {
    makeOne()[Symbol.dispose]()
    return test
  } catch {
    return ((name: string, run: () => Promise<void>) => test.skip(`${name} (skipped: ${why})`, run)) as typeof test
  }
}
