/**
 * The probability functions of the tests, to about ten digits: Student's distribution, and the incomplete beta function, which gives the
 * tails of the binomial distribution. They are our own because packages for them add hundreds
 * of other functions to the dashboard and the step.
 */

/** Coefficients of Lanczos's approximation for g = 7. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const

/** Logarithm of the gamma function, for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let sum: number = LANCZOS[0]
  for (let at = 1; at < LANCZOS.length; at++) sum += (LANCZOS[at] ?? 0) / (x + at - 1)
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

/**
 * The regularized incomplete beta function I_x(a, b). For whole numbers it is a binomial tail: of n trials with chance x, the
 * probability of at least k successes is I_x(k, n − k + 1).
 * @param a above 0, as is b
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The continued fraction converges quickly only on one side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)
  return Math.min(1, (Math.exp(logFront) * betaFraction(x, a, b)) / a)
}

const STEPS_MAX = 10_000
const PRECISION = 1e-12

/** The continued fraction of the incomplete beta function, by the modified method of Lentz. */
function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number) => (value === 0 ? 1e-300 : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= STEPS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d)
      c = away(1 + term / c)
      fraction *= c * d
    }
    const step = c * d - 1
    if (step < PRECISION && step > -PRECISION) break
  }
  return fraction
}

/** The probability that a variable of Student's distribution with `freedom` degrees of freedom is above t. */
export function studentTail(t: number, freedom: number): number {
  const tail = incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
  return t > 0 ? tail : 1 - tail
}

/** The root of a rising function, by bisection. */
export function findRoot(rising: (x: number) => number, from: number, to: number, halvings = 50): number {
  let [low, high] = [from, to]
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2
    if (rising(middle) < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}
