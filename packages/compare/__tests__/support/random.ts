/** Chance that is the same in each run, and what simulations draw from it. */

// Jest looks up a global through the sandbox each time, which takes longer than the function does.
const { ceil, cos, exp, imul, log, log1p, max, PI, sqrt } = Math

export interface Chance {
  uniform(): number
  normal(): number
  poisson(mean: number): number
  binomial(trials: number, chance: number): number
  /** Mean `shape * scale`. */
  gamma(shape: number, scale: number): number
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  // Mulberry32.
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = imul(state ^ (state >>> 15), 1 | state)
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const normal = () => sqrt(-2 * log(1 - uniform())) * cos(2 * PI * uniform())
  const poisson = (mean: number): number => {
    if (mean > 30) return poisson(mean / 2) + poisson(mean / 2)
    const limit = exp(-mean)
    let count = 0
    for (let product = uniform(); product > limit; product *= uniform()) count++
    return count
  }
  const binomial = (trials: number, chance: number) => {
    // By the distances between successes, which are geometric.
    let count = 0
    for (let at = step(chance); at <= trials; at += step(chance)) count++
    return count
  }
  const step = (chance: number) => max(1, ceil(log(1 - uniform()) / log1p(-chance)))
  const gamma = (shape: number, scale: number): number => {
    if (shape < 1) return gamma(shape + 1, scale) * (1 - uniform()) ** (1 / shape)
    // Marsaglia and Tsang.
    const d = shape - 1 / 3
    for (;;) {
      const x = normal()
      const v = (1 + x / sqrt(9 * d)) ** 3
      if (v > 0 && log(1 - uniform()) < 0.5 * x * x + d - d * v + d * log(v)) return d * v * scale
    }
  }
  return { uniform, normal, poisson, binomial, gamma }
}
