/** Corrects for several tests at once: with ten tests, a false alarm is more likely than with one. */

/**
 * Raises p-values so that the probability of any false alarm is that of a single test. Each question has an equal part of it; the tests of
 * one question, such as the percentiles of a duration, resemble each other, and are corrected among themselves by Hochberg's method.
 * @param questions which question each is of
 * @param weights how large a part of its question each has, relative to the others
 * @returns one for each, in their order
 */
export function adjust(probabilities: readonly number[], questions: readonly unknown[], weights: readonly number[]): number[] {
  const adjusted = [...probabilities]
  const asked = new Set(questions)
  for (const question of asked) {
    const ats = [...questions.keys()].filter((at) => questions[at] === question)
    const weightOf = (at: number) => weights[at] ?? 1
    const mean = ats.reduce((sum, at) => sum + weightOf(at), 0) / ats.length
    const weighed = (at: number) => ((probabilities[at] ?? 1) * mean) / weightOf(at)
    let least = 1
    for (const [step, at] of ats.toSorted((a, b) => weighed(b) - weighed(a)).entries()) {
      least = Math.min(least, (step + 1) * asked.size * weighed(at))
      adjusted[at] = least
    }
  }
  return adjusted
}
