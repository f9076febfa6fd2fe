/**
 * What docs/compare.md promises, by simulation: how often `worse` is said where nothing changed, and how often a change is found.
 * Few rounds in `npm test`, many in `npm run test:with -- long packages/compare`.
 */
import { expect, test } from '@jest/globals'
import { isLong, runs } from '../../../__tests__/support/long.ts'
import type { Series } from '../src/series.ts'
import type { Chance } from './support/random.ts'
import {
  drawAlike,
  drawBursts,
  drawCounts,
  drawLatencies,
  drawLevels,
  drawRhythm,
  drawShare,
  simulate,
} from './support/simulation.ts'

const ROUNDS = runs(120, 2_000)
/** Ten series take ten times as long. */
const ROUNDS_OF_TEN = runs(25, 2_000)
/** How far the share of so many rounds may lie from the truth by chance: three standard deviations at 5 %. */
const chance = (rounds: number) => 3 * Math.sqrt((0.05 * 0.95) / rounds)
const CHANCE = chance(ROUNDS)
const LONG_BEFORE = { before: 12_000, after: 2_000 }
const ten = (make: (chance: Chance) => Series) => (chance: Chance) => Array.from({ length: 10 }, () => make(chance))

const UNCHANGED: Record<string, (chance: Chance) => Series | Series[]> = {
  'errors at 1 %, 2,000 requests after and six times as many before': (chance) => drawShare(chance, { requests: LONG_BEFORE }),
  'errors at 1 %, 2,000 requests on either side': (chance) => drawShare(chance, { requests: { before: 2_000, after: 2_000 } }),
  'errors at 1 %, 20,000 requests after': (chance) => drawShare(chance, { requests: { before: 120_000, after: 20_000 } }),
  'errors that come in bursts': drawBursts,
  'a few events a minute': (chance) => drawCounts(chance, { mean: 2, shape: 1_000 }),
  'a few events a minute, in bursts': (chance) => drawCounts(chance, { mean: 2, shape: 0.3 }),
  'traffic of 200 events a minute that goes up and down': (chance) => drawCounts(chance, { mean: 200, shape: 20 }),
  'p95 of 50 requests a minute': (chance) => drawLatencies(chance, { requests: 50 }),
  'p95 of 20 requests a minute in 8 buckets': (chance) =>
    drawLatencies(chance, { requests: 20, buckets: { before: 48, after: 8 } }),
  'p99 of 35 requests a minute, of which 1.5 % take 0.9 s': drawLevels,
  'values that resemble the one before by 0.5': (chance) => drawAlike(chance, 0.5),
  'values that resemble the one before by 0.8': (chance) => drawAlike(chance, 0.8),
  'ten shares at once': ten((chance) => drawShare(chance, { requests: LONG_BEFORE })),
  ...(isLong && { 'ten latencies at once': ten((chance) => drawLatencies(chance, { requests: 20 })) }),
  'a p95 that is higher at this hour every day, with the day before as the season': (chance) => drawRhythm(chance),
}

test.each(Object.entries(UNCHANGED))('where nothing changed at most 5 %% are called worse: %s', (name, make) => {
  const rounds = name.includes('ten') ? ROUNDS_OF_TEN : ROUNDS
  expect(simulate(rounds, make).worse).toBeLessThanOrEqual(0.05 + chance(rounds))
})

const CHANGED: Record<string, (chance: Chance) => Series | Series[]> = {
  'errors doubled from 1 % of 12,000 requests to 2 % of 2,000': (chance) =>
    drawShare(chance, { requests: LONG_BEFORE, times: 2 }),
  'errors tripled from 1 % of 2,000 requests to 3 % of 2,000': (chance) =>
    drawShare(chance, { requests: { before: 2_000, after: 2_000 }, times: 3 }),
  'one of ten shares tripled': (chance) => [
    drawShare(chance, { requests: LONG_BEFORE, times: 3 }),
    ...Array.from({ length: 9 }, () => drawShare(chance, { requests: LONG_BEFORE })),
  ],
  'a p95 up by half, 50 requests a minute': (chance) => drawLatencies(chance, { requests: 50, times: 1.5 }),
  'a p95 up by half in 8 buckets of 50 requests': (chance) =>
    drawLatencies(chance, { requests: 50, times: 1.5, buckets: { before: 48, after: 8 } }),
  'a p95 up by half on top of what this hour brings every day': (chance) => drawRhythm(chance, 1.5),
  'events doubled from 2 to 4 a minute': (chance) => drawCounts(chance, { mean: 2, shape: 1_000, times: 2 }),
}

test.each(Object.entries(CHANGED))('at least 95 %% are found: %s', (name, make) => {
  const rounds = name.includes('ten') ? ROUNDS_OF_TEN : ROUNDS
  expect(simulate(rounds, make).worse).toBeGreaterThanOrEqual(0.95 - chance(rounds))
})

test('a doubled rate of 1 % on 2,000 requests on either side is found in four of five cases, as docs/compare.md says', () => {
  const { worse } = simulate(ROUNDS, (chance) => drawShare(chance, { requests: { before: 2_000, after: 2_000 }, times: 2 }))
  expect(worse).toBeGreaterThan(0.8 - 2 * CHANCE)
  expect(worse).toBeLessThan(0.84 + CHANCE)
})

test('without the season a rhythm of the day is taken for a change', () => {
  const { worse } = simulate(ROUNDS / 4, (chance) => {
    const { seasons: _left, ...rest } = drawRhythm(chance) as Series & { kind: 'measurement' }
    return rest
  })
  expect(worse).toBeGreaterThan(0.9)
})
