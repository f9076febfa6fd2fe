/** Against values that published tables have, and what must hold between them. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { betaQuantile, incompleteBeta, normalQuantile, normalTail } from '../src/distributions.ts'

test.each([
  [0, 0.5],
  [1, 0.15865525393145707],
  [1.959963984540054, 0.025],
  [3.2905267314918945, 0.0005],
  [6, 9.865876450376981e-10],
  [-1.2815515655446004, 0.9],
])('above %d lies %d of the normal distribution', (z, tail) => {
  expect(normalTail(z) / tail).toBeCloseTo(1, 9)
  if (Math.abs(z) < 4) expect(normalQuantile(tail)).toBeCloseTo(z, 7)
})

test('binomial tails are those of adding up the terms', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k)
  for (const [n, k, p] of [
    [60, 37, 0.5],
    [12, 3, 0.1],
    [40, 1, 0.02],
  ] as const) {
    const terms = Array.from({ length: n - k + 1 }, (_, at) => choose(n, k + at) * p ** (k + at) * (1 - p) ** (n - k - at))
    expect(incompleteBeta(p, k, n - k + 1)).toBeCloseTo(
      terms.reduce((sum, term) => sum + term, 0),
      10,
    )
  }
})

test('the interval of Clopper and Pearson for 10 of 100 is the published one', () => {
  expect(betaQuantile(0.025, 10, 91)).toBeCloseTo(0.049, 4)
  expect(betaQuantile(0.975, 11, 90)).toBeCloseTo(0.1762, 4)
})

test('a quantile of any size leads back to its probability', () => {
  const size = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(size, size, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (a, b, probability) => {
      expect(incompleteBeta(betaQuantile(probability, a, b), a, b)).toBeCloseTo(probability, 6)
    }),
  )
})
