/** Corrects for several tests at once: with ten tests, a false alarm is more likely than with one. */

/**
 * Raises p-values so that the probability of any false alarm is that of a single test (Holm's method).
 * @returns one for each, in their order
 */
export function adjust(probabilities: readonly number[]): number[] {
  const order = probabilities.map((_, at) => at).sort((a, b) => (probabilities[a] ?? 1) - (probabilities[b] ?? 1))
  const adjusted = new Array<number>(probabilities.length).fill(1)
  let highest = 0
  for (const [step, at] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (probabilities[at] ?? 1) * (order.length - step)))
    adjusted[at] = highest
  }
  return adjusted
}
