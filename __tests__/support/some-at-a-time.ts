/** A machine that is busy refuses a thousand connections at once. */
const AT_ONCE = 91

/** Does the task `count` times, never more than 91 at once. @returns what came of them, in their order */
export async function someAtATime<T>(count: number, task: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < count) {
    const from = results.length
    results.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => task(from + i)))))
  }
  return results
}
