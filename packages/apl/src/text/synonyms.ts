/** @returns the meaning of each word of a table that lists, for each meaning, the words that have it, with blanks between them */
export function byWord<M extends string>(words: Readonly<Record<M, string>>): ReadonlyMap<string, M> {
  const entries = Object.entries(words) as [M, string][]
  return new Map(entries.flatMap(([meaning, all]) => all.split(' ').map((word) => [word, meaning] as const)))
}
