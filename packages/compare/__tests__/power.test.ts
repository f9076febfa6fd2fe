/**
 * How often a doubled error rate is found, counted out and not simulated: over all numbers of errors that may come, each with its
 * probability. 20 errors are expected in a window of 2,000 requests, and 40 where the rate has doubled.
 */
import { expect, test } from '@jest/globals'
import { JUDGE_DEFAULTS, judge } from '../src/judge.ts'

const NEGLIGIBLE = 1e-5

/** Probabilities of 0, 1, 2 … events of a Poisson distribution. */
function poisson(mean: number): number[] {
  const probabilities = [Math.exp(-mean)]
  while (probabilities.length < mean * 2 + 60) probabilities.push(((probabilities.at(-1) ?? 0) * mean) / probabilities.length)
  return probabilities
}

/** By halving. */
function firstWhere(isTrue: (at: number) => boolean, length: number): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** @returns how probable `worse` is with so many times 2,000 requests before */
function probabilityOfWorse(times: number, rateAfter: number): number {
  const after = poisson(2_000 * rateAfter)
  let sum = 0
  for (const [errorsBefore, probability] of poisson(20 * times).entries()) {
    if (probability < NEGLIGIBLE) continue
    const isWorse = (events: number) => {
      const before = [{ events: errorsBefore, outOf: 2_000 * times }]
      const series = { kind: 'share', before, after: [{ events, outOf: 2_000 }], direction: 'higher-is-worse' } as const
      return judge([series], JUDGE_DEFAULTS)[0]?.verdict === 'worse'
    }
    // More errors after are never less worse: from the first number that is worse on, all are.
    const first = firstWhere(isWorse, after.length)
    sum += probability * after.slice(first).reduce((total, one) => total + one, 0)
  }
  return sum
}

test.each([
  [1, 0.82],
  [4, 0.95],
  [6, 0.96],
])('with %d × 2,000 requests before, a rate doubled from 1 %% is found with a probability of %d', (times, found) => {
  expect(probabilityOfWorse(times, 0.02)).toBeCloseTo(found, 2)
})

test('the default window before finds it in at least 95 %, and says worse in at most 5 % where nothing changed', () => {
  expect(probabilityOfWorse(6, 0.02)).toBeGreaterThan(0.95)
  expect(probabilityOfWorse(6, 0.01)).toBeLessThan(0.05)
})
