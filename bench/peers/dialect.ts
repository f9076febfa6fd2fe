/**
 * In what the SQL of the stores differs, where it is written by hand for one of them. Deliberately not here: the questions.
 */
export interface Dialect {
  /** A field as text and as a number: a column, or a member of a JSON document. */
  text(field: string): string
  number(field: string): string
  time(iso: string): string
  /** The start of the interval that an event's time is in. */
  bin(minutes: number): string
  /** `undefined` where there is no such function. */
  p95(value: string): string | undefined
  distinct(value: string): string
  /** Whatever the case of its letters. */
  hasWord(value: string, word: string): string
  contains(value: string, part: string): string
}

/** What most of them have in common. */
export const COMMON = {
  distinct: (value: string) => `count(DISTINCT ${value})`,
  // The cheapest that answers the same, because no word of the events is a part of another.
  hasWord: (value: string, word: string) => `${value} ILIKE '%${word}%'`,
  contains: (value: string, part: string) => `${value} ILIKE '%${part}%'`,
} as const
