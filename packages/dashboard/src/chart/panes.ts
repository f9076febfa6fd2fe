/** Lays out panes: small charts one below the other in one plot, which share the axis of time and the marks. Pure. */
import { axisSteps, type Unit } from '../address/unit.ts'
import type { Frame } from './frame.ts'

/** The heights of the first pane, which is read first, and of the others. */
const FIRST_PX = 96
const PANE_PX = 60
/** The part of a pane above its values, and what its name and figure take there on a narrow page. */
const ABOVE_PX = 10
const HEAD_PX = 26
/** The height of a plot without panes; of its axis of time; and of the rows of marks and the axis of time of panes. */
const PLOT_PX = 190
export const TIME_PX = 40
const AROUND_PX = TIME_PX + 14
/** A narrower plot has the names of its panes above them, and not at its left. */
const BESIDE_PX_MIN = 520
const WIDE_PX = 760

/** @returns whether the names of panes are above them */
export const isNarrow = (width: number) => width < BESIDE_PX_MIN

/** @returns the room at the left of panes: for their names and figures, or for half of a time */
export function asideOf(width: number): number {
  return isNarrow(width) ? 14 : width < WIDE_PX ? 84 : 112
}

/** @returns the height of each pane, the uppermost first */
export function paneHeights(count: number, width: number): number[] {
  const above = isNarrow(width) ? HEAD_PX : 0
  return Array.from({ length: count }, (_, pane) => (pane === 0 ? FIRST_PX : PANE_PX) + above)
}

export function heightOf({ panes }: Frame, width: number): number {
  return panes ? paneHeights(panes.length, width).reduce((sum, px) => sum + px, AROUND_PX) : PLOT_PX
}

/** @returns the name of the scale of values of a pane */
export function scaleOf(pane = 0): string {
  return pane === 0 ? 'y' : `y${pane}`
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

/** @returns the values of the lines across a pane, from its floor: of the first two, of the others one, such as 0 and 300 */
export function ticksOf(high: number, pane: number, unit: Unit): number[] {
  const wanted = pane === 0 ? 2 : 1
  const step = (axisSteps(unit) ?? DECADES).findLast((one) => one <= high / wanted) ?? high
  // A step of a fraction is no exact number, and neither are its multiples.
  return Array.from({ length: wanted + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}
