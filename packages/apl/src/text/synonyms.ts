/** @returns the meaning of each word of a table that lists, for each meaning, the words that have it */
export function byWord<M extends string>(words: Readonly<Record<M, readonly string[]>>): ReadonlyMap<string, M> {
  const entries = Object.entries(words) as [M, readonly string[]][]
  return new Map(entries.flatMap(([meaning, all]) => all.map((word) => [word, meaning] as const)))
}
