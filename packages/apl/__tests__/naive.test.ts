/**
 * Random programs over random data: the engine's answer against that of a second, naive evaluator over plain arrays (`naive/`), which
 * shares the parser with the compiler and nothing else. The seed is in the names of the tests; run one again with FAST_CHECK_SEED=….
 * A service is asked the same in packages/service/__tests__/query/naive.test.ts.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs, tried } from '../../../__tests__/support/long.ts'
import { KINDS, OCCURRED } from './naive/occurrences.ts'
import { EVENTS, EXPRESSION, PROGRAM } from './naive/programs.ts'
import { findDifference, load } from './naive/world.ts'
import { engineForTests } from './support/test-engine.ts'

const seed = fc.readConfigureGlobal()?.seed ?? 1
/** How many sets of data, and how many programs and expressions are tried on each. */
const [SETS, PROGRAMS, SELECTS, EXPRESSIONS] = [runs(3, 50), runs(35, 200), runs(8, 40), 20]
const LIMIT_MS = 3_600_000

const engine = engineForTests()

/** For each set of data, so many programs. */
async function findDifferences<T>(of: fc.Arbitrary<T>, count: number, textsOf: (one: T) => readonly string[]): Promise<object[]> {
  const differences: object[] = []
  for (const [events, all] of fc.sample(fc.tuple(EVENTS, fc.array(of, { minLength: count, maxLength: count })), {
    seed,
    numRuns: SETS,
  })) {
    const world = await load(engine, events)
    tried(count)
    for (const one of all) {
      const [whole, ...alone] = textsOf(one) as [string, ...string[]]
      const difference = findDifference(engine, whole, world)
      // Alone, so that the one that differs is the one that is shown.
      if (difference) differences.push(alone.map((text) => findDifference(engine, text, world)).find(Boolean) ?? difference)
    }
  }
  return differences
}

test(
  `${SETS * SELECTS * EXPRESSIONS} random expressions are what the evaluator says, seed ${seed}`,
  async () => {
    const list = fc.array(EXPRESSION, { minLength: EXPRESSIONS, maxLength: EXPRESSIONS })
    const text = (some: readonly string[]) => `data | project id, ${some.map((one, at) => `v${at} = ${one}`).join(', ')}`
    expect(await findDifferences(list, SELECTS, (some) => [text(some), ...some.map((one) => text([one]))])).toEqual([])
  },
  LIMIT_MS,
)

test(
  `${SETS * PROGRAMS} random programs answer what the evaluator does, seed ${seed}`,
  async () => {
    expect(await findDifferences(PROGRAM, PROGRAMS, (program) => [program])).toEqual([])
  },
  LIMIT_MS,
)

test('they meet what was once answered wrongly', () => {
  expect(KINDS.filter((kind) => (OCCURRED.get(kind) ?? 0) < 5)).toEqual([])
})
