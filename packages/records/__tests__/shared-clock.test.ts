import { expect, test } from '@jest/globals'
import { SharedClock } from '../src/leases/shared-clock.ts'

/** A machine's clock, and a database that reads its own some time after it is asked, and answers some time after that. */
function clocks(aheadMs: number) {
  const state = { ms: 1_000_000, aheadMs, before: 0, after: 0 }
  const clock = new SharedClock(
    async () => {
      state.ms += state.before
      const shared = state.ms
      state.ms += state.after
      return shared
    },
    () => state.ms + state.aheadMs,
  )
  /** How far the clock is from that of the database. */
  const error = () => clock.now() - state.ms
  return { state, clock, error }
}

test('a clock that agrees stays as it is, however slowly the database answers', async () => {
  const { state, clock, error } = clocks(0)
  for (const [before, after] of [
    [0, 3_000],
    [3_000, 0],
    [1_000, 1_000],
  ] as const) {
    Object.assign(state, { before, after })
    await clock.compare()
    expect(error()).toBe(0)
  }
})

test('a clock that is wrong is set right to within the time of an answer, and better with each', async () => {
  for (const aheadMs of [3_600_000, -3_600_000]) {
    const { state, clock, error } = clocks(aheadMs)
    const errors: number[] = []
    for (const [before, after] of [
      [400, 400],
      [30, 20],
      [2_000, 0],
      [0, 2_000],
      [1, 1],
    ] as const) {
      Object.assign(state, { before, after })
      await clock.compare()
      errors.push(Math.abs(error()))
    }
    expect(errors[0]).toBeLessThanOrEqual(400)
    expect(errors).toEqual([...errors].sort((a, b) => b - a))
    expect(errors.at(-1)).toBeLessThanOrEqual(1)
  }
})

test('a clock that is set while the service runs is followed, and one that cannot be compared goes on', async () => {
  const { state, clock, error } = clocks(0)
  await clock.compare()
  state.aheadMs = 86_400_000
  expect(error()).toBe(86_400_000)
  await clock.compare()
  expect(error()).toBe(0)
  const away = new SharedClock(
    () => Promise.reject(new Error('away')),
    () => 5,
  )
  await expect(away.follow()).rejects.toThrow('away')
  expect(away.now()).toBe(5)
})
