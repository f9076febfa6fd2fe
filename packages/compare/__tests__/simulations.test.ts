/**
 * What docs/compare.md promises, by simulation: how often `worse` is said where nothing changed, and how often a change is found. The
 * worlds are those of its tables. Few rounds in `npm test`, many in `npm run test:with -- long packages/compare`.
 */
import { expect, test } from '@jest/globals'
import { runs } from '../../../__tests__/support/long.ts'
import { POWER_WORLDS } from '../../../bench/verdicts/power-worlds.ts'
import { countRounds, SERVICE_WORLDS } from '../../../bench/verdicts/service-worlds.ts'
import { countWorse, reachOf, WORLDS } from '../../../bench/verdicts/worlds.ts'
import { createChance } from './support/random.ts'

const ROUNDS = runs(40, 2_000)
const SERVICE_ROUNDS = runs(10, 200)
/** Worlds of a fortnight take half a second each. */
const POWER_ROUNDS = runs(3, 200)

const COUNTED = [
  ...WORLDS.map((world) => [`alone: ${world[0]}`, world[2], ROUNDS, countWorse.bind(null, world)] as const),
  ...SERVICE_WORLDS.map((world) => {
    const rounds = POWER_WORLDS.includes(world) ? POWER_ROUNDS : SERVICE_ROUNDS
    return [`service: ${world[0]}`, world[2], rounds, countRounds.bind(null, world)] as const
  }),
]

test.each(COUNTED)('within its bounds, %s', async (_, [atLeast, atMost], rounds, count) => {
  const found = (100 * (await count(createChance(20_261_122), rounds))) / rounds
  expect(found).toBeGreaterThanOrEqual(atLeast - reachOf(atLeast, rounds))
  expect(found).toBeLessThanOrEqual(atMost + reachOf(atMost, rounds))
})
