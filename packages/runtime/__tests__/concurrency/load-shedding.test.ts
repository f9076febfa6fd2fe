import { expect, test } from '@jest/globals'
import { isTooLong, watchWait } from '../../src/concurrency/load-shedding.ts'

const WAIT = { sinceMs: 0, waitMsMax: 10_000 }

test('in its first second a wait is too long when most of the longest is expected, later when all of it is', () => {
  expect(isTooLong(WAIT, 5_000, 100)).toBe(false)
  expect(isTooLong(WAIT, 7_000, 100)).toBe(true)
  expect(isTooLong(WAIT, 7_000, 1_500)).toBe(false)
  expect(isTooLong(WAIT, 9_000, 1_500)).toBe(true)
})

test('a wait is looked at more than once, as it becomes known how long it is going to be', async () => {
  const expected = [0, 9_000]
  const looked: number[] = []
  const expectedMs = () => {
    const ms = expected.shift() ?? 0
    looked.push(ms)
    return ms
  }
  let unwatch = () => {}
  await new Promise<void>((resolve) => {
    unwatch = watchWait({ sinceMs: performance.now(), waitMsMax: 10_000 }, { expectedMs, refuse: resolve })
  })
  unwatch()
  expect(looked.slice(0, 2)).toEqual([0, 9_000])
})

test('a wait that has ended is refused no more', async () => {
  let isRefused = false
  const unwatch = watchWait(
    { sinceMs: performance.now(), waitMsMax: 20 },
    { expectedMs: () => 0, refuse: () => (isRefused = true) },
  )
  unwatch()
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(isRefused).toBe(false)
})
