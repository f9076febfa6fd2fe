/** Lays out a plot: its panes, one below the other, share the axis of time and the marks. Pure. */
import { axisSteps, type Unit } from '../address/unit.ts'
import type { Frame } from './frame.ts'

/** The heights of a pane that is the only one, of the first, which is read first, and of the others. */
const ONLY_PX = 190
const FIRST_PX = 96
const PANE_PX = 60
/** A line across a pane for about so many pixels. */
const TICK_PX = 45
/** The part of a pane above its values, and what its name and figure take there on a narrow page. */
const ABOVE_PX = 10
const HEAD_PX = 26
/** The room above the panes, that of the axis of time, and that of the values at the right. */
export const TOP_PX = 14
export const TIME_PX = 40
export const VALUES_PX = 56
/** A narrower plot has the names of its panes above them, and not at its left. */
const BESIDE_PX_MIN = 520
const WIDE_PX = 760

/** @returns whether the names of panes are above them */
export const isNarrow = (width: number) => width < BESIDE_PX_MIN

/** @returns the room at the left of panes: for their names and figures, or for half of a time */
export function asideOf({ panes }: Frame, width: number): number {
  if (isNarrow(width) || panes.every(({ name }) => name === '')) return 14
  return width < WIDE_PX ? 84 : 112
}

/** @returns the height of a pane without what is above it */
function baseOf(pane: number, count: number): number {
  return count === 1 ? ONLY_PX : pane === 0 ? FIRST_PX : PANE_PX
}

/** @returns the height of each pane, the uppermost first */
export function paneHeights(count: number, width: number): number[] {
  const above = isNarrow(width) ? HEAD_PX : 0
  return Array.from({ length: count }, (_, pane) => baseOf(pane, count) + above)
}

export function heightOf({ panes }: Frame, width: number): number {
  return paneHeights(panes.length, width).reduce((sum, px) => sum + px, TOP_PX + TIME_PX)
}

/** @returns the name of the scale of values of a pane */
export function scaleOf(pane = 0): string {
  return pane === 0 ? 'y' : `y${pane}`
}

/** @returns the range of the values of a pane, with zero in it, so that heights can be compared */
export function rangeOfValues(min: number | null, max: number | null): [number, number] {
  const low = Math.min(0, min ?? 0)
  const high = Math.max(0, max ?? 0)
  return [low * 1.1, (high === low ? 1 : high) * 1.1]
}

/**
 * Widens the range of a pane's values to the whole plot, so that the values keep to the pane.
 * @param range of the values as the pane shows them, from its floor to its top
 * @returns the range of the pane's scale, which reaches over the other panes
 */
export function spreadRange(
  [low, high]: readonly [number, number],
  pane: number,
  panes: number,
  width: number,
): [number, number] {
  const heights = paneHeights(panes, width)
  const sum = (all: readonly number[]) => all.reduce((total, px) => total + px, 0)
  const total = sum(heights)
  const floor = sum(heights.slice(pane + 1)) / total
  const shown = (heights[pane] ?? 0) - (isNarrow(width) ? HEAD_PX : ABOVE_PX)
  const size = (high - low) / (shown / total)
  const least = low - floor * size
  return [least, least + size]
}

const DECADES = Array.from({ length: 19 }, (_, power) => [1, 2, 3, 5].map((n) => n * 10 ** (power - 7))).flat()

/** @returns the values of the lines across a pane, the more the higher it is, such as 0 and 300 */
export function ticksOf([low, high]: readonly [number, number], pane: number, panes: number, unit: Unit): number[] {
  const wanted = Math.floor(baseOf(pane, panes) / TICK_PX)
  const widest = Math.max(high, -low)
  const step = (axisSteps(unit) ?? DECADES).findLast((one) => one <= widest / wanted) ?? widest
  const first = Math.ceil(low / step)
  // A step of a fraction is no exact number, and neither are its multiples.
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}
