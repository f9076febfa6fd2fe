/**
 * Chooses which fields of a dataset are worth a column or an index, by a sample of the newest events.
 * Deliberately not here: taking the sample, and building the columns and indexes.
 */

import type { FieldLayout, LayoutKind } from '../schema/field-layout.ts'
import type { FieldSample, LayoutCost } from './layout-trial.ts'

/**
 * The room for columns and indexes as a part of the events' room. The documentation promises a third; the rest is a margin, because
 * later events may differ, and rare words take more room the more of them there are. Messages that each have an id of their own take
 * 10 to 13 of 58 bytes an event for an index of words; with 22 % of the room it was left out, and a rare word took 155 ms and not 21.
 */
const DISK_SHARE_MAX = 0.31

/**
 * The most columns and indexes of each kind. An insert writes the columns (0.1 µs each per event, measured on 2 million) and merges
 * build the indexes over values (0.2 µs), of the 9 to 16 µs that an event takes in all; an index of words is built separately, at 3 µs.
 */
const COUNT_MAX: Readonly<Record<LayoutKind, number>> = { column: 6, codes: 3, values: 3, words: 1 }

/** Fields that are present in fewer events of the sample are quick without. */
const PRESENT_SHARE_MIN = 0.01
/**
 * A dictionary holds this many values easily, below the engine's limit of 8,192: 4,000 paths are grouped in a fifth of the time. With
 * 50,000 users a column was slower than none.
 */
const FEW_VALUES_MAX = 4_000
/** Each value must occur this often on average, because a dictionary saves nothing otherwise. */
const REPEATS_MIN = 10
/** Of many values so large a share must be in the earlier half, too. Sessions are few in any sample, but ever new ones come. */
const MANY_VALUES_MIN = 500
const EARLIER_SHARE_MIN = 0.7
/** The values must differ this much, so that most stretches of 2,048 rows lack a given one. */
const DIFFERING_SHARE_MIN = 0.4
/** Longer texts of more words are searched by words, shorter ones as a whole. */
const LONG_TEXT_BYTES_MIN = 24
const WORDS_MIN = 4

/** A column or an index that would be of use, and why there is none. */
interface LeftOut {
  layout: FieldLayout
  reason: string
}

/** @param rows of the sample. @returns the kind of column or index that suits the values of a field */
function candidateOf(sample: FieldSample, rows: number): LayoutKind | undefined {
  const { type, count, distinct, distinctEarlier, length, words } = sample
  if (count < rows * PRESENT_SHARE_MIN) return undefined
  const areSame = distinct < MANY_VALUES_MIN || distinctEarlier >= distinct * EARLIER_SHARE_MIN
  const areFew = distinct <= FEW_VALUES_MAX && distinct * REPEATS_MIN <= count && areSame
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
export function candidatesOf(samples: readonly FieldSample[], rows: number): { candidates: FieldLayout[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = []
  const best = (kind: LayoutKind): FieldLayout[] => {
    const ranked = samples
      .filter((sample) => candidateOf(sample, rows) === kind)
      .sort((a, b) => benefitOf(b, kind) - benefitOf(a, kind))
      .map(({ path }) => ({ path, kind }))
    const reason = `there are ${COUNT_MAX[kind]} others that serve more, the most of this kind`
    leftOut.push(...ranked.slice(COUNT_MAX[kind]).map((layout) => ({ layout, reason })))
    return ranked.slice(0, COUNT_MAX[kind])
  }
  const [first, ...others] = best('values')
  const candidates = [...best('column'), ...best('codes'), ...(first ? [first] : []), ...best('words'), ...others]
  return { candidates, leftOut }
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
 * @returns the candidates that fit, in order, and those that do not
 */
export function fitting(costs: readonly LayoutCost[], bytes: number): { chosen: LayoutCost[]; leftOut: LeftOut[] } {
  const room = bytes * DISK_SHARE_MAX
  let left = room
  const chosen: LayoutCost[] = []
  const leftOut: LeftOut[] = []
  for (const cost of costs) {
    if (cost.bytes <= left) {
      left -= cost.bytes
      chosen.push(cost)
    } else {
      const reason = `it would take ${cost.bytes.toFixed(1)} bytes an event, and ${left.toFixed(1)} of ${room.toFixed(1)} are left`
      leftOut.push({ layout: cost.layout, reason })
    }
  }
  return { chosen, leftOut }
}
