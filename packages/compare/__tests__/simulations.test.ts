/**
 * What docs/compare.md promises, by simulation: how often `worse` is said where nothing changed, and how often a change is found. The
 * worlds are those of its tables. Few rounds in `npm test`, many in `npm run test:with -- long packages/compare`.
 */
import { expect, test } from '@jest/globals'
import { runs } from '../../../__tests__/support/long.ts'
import { countRounds, SERVICE_WORLDS } from '../../../bench/verdicts/service-worlds.ts'
import { CHANGED, UNCHANGED, type World } from '../../../bench/verdicts/worlds.ts'
import { withShare } from '../src/around.ts'
import { JUDGE_DEFAULTS, judge } from '../src/judge.ts'
import { createChance } from './support/random.ts'

const ROUNDS = runs(40, 2_000)
const SERVICE_ROUNDS = runs(10, 200)

/** A bound is missed if chance, three standard deviations of so many rounds, does not explain it. */
function expectWithin(found: number, rounds: number, [atLeast, atMost]: readonly [number, number]) {
  const reach = (bound: number) => 3 * Math.sqrt((bound * (100 - bound)) / rounds)
  expect((100 * found) / rounds).toBeGreaterThanOrEqual(atLeast - reach(atLeast))
  expect((100 * found) / rounds).toBeLessThanOrEqual(atMost + reach(atMost))
}

test.each<World>([...UNCHANGED, ...CHANGED])('alone, within its bounds: $name', (world) => {
  const { draw, direction = 'higher-is-worse', share = 1, atLeast = 0, atMost = 100 } = world
  const chance = createChance(20_261_122)
  let found = 0
  for (let round = 0; round < ROUNDS; round++) {
    const [one] = judge([{ ...draw(chance), direction, bucketMs: 60_000 }], withShare(JUDGE_DEFAULTS, share))
    found += Number(one?.verdict === 'worse')
  }
  expectWithin(found, ROUNDS, [atLeast, atMost])
})

test.each(SERVICE_WORLDS.map((world) => [world[0], world] as const))(
  'as the service judges, within its bounds: %s',
  async (_, world) => {
    const found = await countRounds(world, createChance(20_261_122), SERVICE_ROUNDS)
    expectWithin(found, SERVICE_ROUNDS, world[2])
  },
)
