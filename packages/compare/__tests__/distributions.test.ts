/** Against values that published tables have, and what must hold between them. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { incompleteBeta, studentTail } from '../src/distributions.ts'

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

test.each([
  [2.228139, 10, 0.025],
  [1.812461, 10, 0.05],
  [-2.570582, 5, 0.975],
  [1.959964, 1e7, 0.025],
])('above %d lies, with %d degrees of freedom, %d of the distribution of Student', (t, freedom, tail) => {
  expect(studentTail(t, freedom)).toBeCloseTo(tail, 6)
})

test('an incomplete beta function and its mirror image add up to 1', () => {
  const size = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(size, size, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (a, b, x) => {
      expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 9)
    }),
  )
})
