/** Draws the same chart of an earlier time behind the current one. Pure. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Range } from '../address/range.ts'
import type { Frame, Series } from '../chart/frame.ts'

/** The shifts by their names in the address. */
const SHIFTS_MS: Readonly<Record<string, number>> = { '1h': UNIT_MS.h, '1d': UNIT_MS.d, '7d': 7 * UNIT_MS.d }

/** The choices; the first is no comparison. */
export const EARLIER: readonly [string, string][] = [
  ['', 'nothing'],
  ['1h', 'an hour earlier'],
  ['1d', 'a day earlier'],
  ['7d', 'a week earlier'],
]

/** @returns how much earlier, in milliseconds; `undefined` without a comparison */
function shiftOf(compare: string): number | undefined {
  return SHIFTS_MS[compare]
}

/** @returns such as `a day earlier`; empty without a comparison */
export function whenOf(compare: string): string {
  return shiftOf(compare) === undefined ? '' : (EARLIER.find(([value]) => value === compare)?.[1] ?? '')
}

export function earlierRange({ startMs, endMs }: Range, compare: string): Range | undefined {
  const shiftMs = shiftOf(compare)
  return shiftMs === undefined ? undefined : { startMs: startMs - shiftMs, endMs: endMs - shiftMs }
}

/**
 * @param earlier the frame of the earlier range, if it is loaded
 * @returns the frame with the earlier series, each after the one that it belongs to
 */
export function withEarlier(frame: Frame, earlier: Frame | undefined, compare: string): Frame {
  const shiftMs = shiftOf(compare)
  if (!earlier || shiftMs === undefined) return frame
  const words = whenOf(compare)
  const endOf = ({ times, stepMs }: Frame) => [...times, (times.at(-1) ?? 0) + stepMs]
  const binOf = new Map(endOf(earlier).map((time, bin) => [time + shiftMs, bin]))
  const shifted = (one: Series): Series => ({
    label: `${one.label}, ${words}`,
    values: frame.times.map((time) => one.values[binOf.get(time) ?? -1] ?? null),
    earlierOf: frame.series.findIndex(({ label }) => label === one.label),
    ...(one.pane !== undefined && { pane: one.pane }),
    ...(one.points && { points: endOf(frame).map((time) => one.points?.[binOf.get(time) ?? -1]) }),
  })
  const own = earlier.series.map(shifted).filter(({ earlierOf = -1 }) => earlierOf >= 0)
  return { ...frame, series: [...frame.series, ...own] }
}
