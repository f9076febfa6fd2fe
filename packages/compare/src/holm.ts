/**
 * Several questions at once: who asks ten gets a false answer to one of them more often than who asks one.
 */

/**
 * Raises probabilities so that all answers together are wrong no oftener than one alone would be (Holm's method).
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
