/**
 * The probability functions of the tests, to about ten digits: the normal distribution, its quantiles, Student's distribution, and the
 * incomplete beta function, which gives the tails of the binomial distribution. They are our own because packages for them add hundreds
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
  const [first, ...rest] = LANCZOS
  let sum: number = first
  for (const [at, coefficient] of rest.entries()) sum += coefficient / (x + at)
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

/** The probability that a standard normal variable is above z. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  // A series near the middle, where it converges quickly; a continued fraction in the tail.
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < 3) {
    let term = z
    let sum = z
    for (let n = 1; Math.abs(term) > 1e-16; n++) sum += term *= (z * z) / (2 * n + 1)
    return 0.5 - density * sum
  }
  let fraction = z
  for (let n = 60; n >= 1; n--) fraction = z + n / fraction
  return density / fraction
}

/** @returns the z that a standard normal variable exceeds with this probability, 0 < probability < 1 */
export function normalQuantile(probability: number): number {
  return findRoot((z) => probability - normalTail(z), -10, 10)
}

/** The probability that a variable of Student's distribution with `freedom` degrees of freedom (possibly infinite) is above t. */
export function studentTail(t: number, freedom: number): number {
  if (!Number.isFinite(freedom)) return normalTail(t)
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
