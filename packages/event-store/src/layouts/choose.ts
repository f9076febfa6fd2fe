/**
 * Chooses which fields of a dataset are worth a column or an index, by a sample of the newest events.
 * Deliberately not here: taking the sample, and building the columns and indexes.
 */

import type { FieldLayout, LayoutKind } from '../schema/field-layout.ts'
import type { FieldSample, LayoutCost } from './layout-trial.ts'

/**
 * The room for columns and indexes as a part of the events' room. The documentation promises a quarter; the rest is a margin, because
 * later events may differ, and rare words take more room the more of them there are.
 */
const DISK_SHARE_MAX = 0.22

/**
 * The most columns and indexes of each kind. An insert writes the columns (0.1 µs each per event, measured on 2 million) and merges
 * build the indexes over values (0.2 µs), of the 9 to 16 µs that an event takes in all; an index of words is built separately, at 3 µs.
 */
const COUNT_MAX: Readonly<Record<LayoutKind, number>> = { column: 6, codes: 3, values: 3, words: 1 }

/** Fields that are present in fewer events of the sample are quick without. */
const PRESENT_SHARE_MIN = 0.01
/**
 * A dictionary holds this many values easily, far below the engine's limit of 8,192; with 50,000 users a column was slower than none.
 */
const FEW_VALUES_MAX = 1_000
/** Each value must occur this often on average, because a dictionary saves nothing otherwise. */
const REPEATS_MIN = 20
/** The values must differ this much, so that most stretches of 2,048 rows lack a given one. */
const DIFFERING_SHARE_MIN = 0.4
/** Longer texts of more words are searched by words, shorter ones as a whole. */
const LONG_TEXT_BYTES_MIN = 24
const WORDS_MIN = 4

/** @param rows of the sample. @returns the kind of column or index that suits the values of a field */
function candidateOf({ type, count, distinct, length, words }: FieldSample, rows: number): LayoutKind | undefined {
  if (count < rows * PRESENT_SHARE_MIN) return undefined
  const areFew = distinct <= FEW_VALUES_MAX && distinct * REPEATS_MIN <= count
  if (type === 'integer') return areFew ? 'codes' : undefined
  if (areFew) return 'column'
  if (words >= WORDS_MIN && length >= LONG_TEXT_BYTES_MIN) return 'words'
  return distinct >= count * DIFFERING_SHARE_MIN ? 'values' : undefined
}

/**
 * Lists candidates in the order in which room is assigned: columns, which take little, the values that differ most, the words, and then
 * other values. Within a kind those with the most benefit come first, up to the limit.
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

/**
 * The benefit of a column is the bytes that need not be read, of values how few rows have one, and of words how much text is searched.
 */
function benefitOf({ count, distinct, length }: FieldSample, kind: LayoutKind): number {
  return kind === 'values' ? distinct : count * length
}

/**
 * @param costs in the order of {@link candidatesOf}
 * @param bytes of an event without columns and indexes
 * @returns the candidates that fit, in order
 */
export function fitting(costs: readonly LayoutCost[], bytes: number): LayoutCost[] {
  let left = bytes * DISK_SHARE_MAX
  return costs.filter(({ bytes: wanted }) => {
    if (wanted > left) return false
    left -= wanted
    return true
  })
}
