/**
 * Constants that are written as something else: a timespan in quotes, a pattern where texts are compared whole.
 * Deliberately not here: tokens and names.
 */
import type { Guess } from '../error.ts'
import { type LiteralValue, parseTimespan } from '../text/literal.ts'

/** Advice for a timespan in quotes, as `'1h'`. A bare number would be one of days. */
export function unquoted(literal: LiteralValue | undefined): Guess | undefined {
  if (literal?.type !== 'string' || !parseTimespan(literal.value) || !/^[\d.]+[a-z]+$/.test(literal.value)) return undefined
  return { hint: `write ${literal.value} without quotes`, written: literal.value }
}

const COUNTS = new Map(
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, count) => [word, count]),
)
  .set('twelve', 12)
  .set('twenty', 20)
  .set('fifty', 50)
  .set('hundred', 100)
  .set('thousand', 1_000)

/** `limit ten`. */
export function adviceOnCount(name: string): Guess | undefined {
  const count = COUNTS.get(name.toLowerCase())
  return count === undefined ? undefined : { hint: `write ${count}`, written: String(count) }
}
