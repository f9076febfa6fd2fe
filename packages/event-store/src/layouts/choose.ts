/**
 * Which fields of a dataset are worth a column or an index beside the events, by what a sample of the newest events is like.
 * Deliberately not here: taking the sample, and making what is chosen.
 */

import type { FieldLayout, LayoutKind } from '../schema/field-layout.ts'
import type { FieldSample, LayoutCost } from './layout-trial.ts'

/**
 * Of the room that the events take up: what is promised is a quarter. The rest is a margin, because the newest events need not be like
 * those to come, and words that occur once take more room the more of them there are.
 */
const DISK_SHARE_MAX = 0.22

/**
 * How many of each kind. An insert writes the columns (0.1 µs an event each, measured on 2 million) and merges make the indexes over
 * values (0.2 µs), of the 9 to 16 µs that an event takes in all; an index of words is made apart, at 3 µs.
 */
const COUNT_MAX: Readonly<Record<LayoutKind, number>> = { column: 6, codes: 3, values: 3, words: 1 }

/** Fields that fewer events of the sample have are as quick without. */
const PRESENT_SHARE_MIN = 0.01
/** Values that a dictionary holds well below the engine's bound of 8,192: with 50,000 users a column was slower than none. */
const FEW_VALUES_MAX = 1_000
/** Each value is there so often, on average; otherwise a dictionary saves nothing. */
const REPEATS_MIN = 20
/** Values differ so much that most stretches of 2,048 rows do not have a given one. */
const DIFFERING_SHARE_MIN = 0.4
/** Longer texts with more words are searched for words, shorter ones for themselves. */
const LONG_TEXT_BYTES_MIN = 24
const WORDS_MIN = 4

/** @param rows of the sample. @returns what a field might be worth, by its values */
function candidateOf({ type, count, distinct, length, words }: FieldSample, rows: number): LayoutKind | undefined {
  if (count < rows * PRESENT_SHARE_MIN) return undefined
  const areFew = distinct <= FEW_VALUES_MAX && distinct * REPEATS_MIN <= count
  if (type === 'integer') return areFew ? 'codes' : undefined
  if (areFew) return 'column'
  if (words >= WORDS_MIN && length >= LONG_TEXT_BYTES_MIN) return 'words'
  return distinct >= count * DIFFERING_SHARE_MIN ? 'values' : undefined
}

/**
 * What to try, in the order in which the room is given away: columns, which take little, the values that differ most, the words, and then
 * other values. Of each kind those with the most to win come first, and only as many as are kept.
 * @param rows of the sample
 */
export function candidatesOf(samples: readonly FieldSample[], rows: number): FieldLayout[] {
  const best = (kind: LayoutKind): FieldLayout[] =>
    samples
      .filter((sample) => candidateOf(sample, rows) === kind)
      .sort((a, b) => benefitOf(b, kind) - benefitOf(a, kind))
      .slice(0, COUNT_MAX[kind])
      .map(({ path }) => ({ path, kind }))
  const [first, ...others] = best('values')
  return [...best('column'), ...best('codes'), ...(first ? [first] : []), ...best('words'), ...others]
}

/** Columns: the bytes that need not be read. Values: how few rows have one. Words: how much there is to search. */
function benefitOf({ count, distinct, length }: FieldSample, kind: LayoutKind): number {
  return kind === 'values' ? distinct : count * length
}

/**
 * @param costs in the order of {@link candidatesOf}
 * @param bytes that an event takes without any of it
 * @returns those for which there is room, the first ones first
 */
export function fitting(costs: readonly LayoutCost[], bytes: number): LayoutCost[] {
  let left = bytes * DISK_SHARE_MAX
  return costs.filter(({ bytes: wanted }) => {
    if (wanted > left) return false
    left -= wanted
    return true
  })
}
