/** Lays out panes: small charts one below the other in one plot, which share the axis of time and the marks. Pure. */
import type { Frame } from './frame.ts'

/** The height of a pane, and the part of it at the top that its name and figure take. */
export const PANE_PX = 80
const HEAD_PX = 24
/** The height of a plot without panes, and of its axis of time. */
const PLOT_PX = 190
const TIME_PX = 64

export function heightOf({ panes }: Frame): number {
  return panes ? panes.length * PANE_PX + TIME_PX : PLOT_PX
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
  isLog: boolean,
): [number, number] {
  const [to, from] = isLog ? [(value: number) => Math.log10(value), (value: number) => 10 ** value] : [Number, Number]
  const floor = (panes - 1 - pane) / panes
  const top = floor + (PANE_PX - HEAD_PX) / (PANE_PX * panes)
  const size = (to(high) - to(low)) / (top - floor)
  const least = to(low) - floor * size
  return [from(least), from(least + size)]
}

/** @returns the values of the lines across a pane, such as 0, 50 and 100 */
export function splitsOf([low, high]: readonly [number, number], step: number, isLog: boolean): number[] {
  const splits: number[] = []
  if (isLog) for (let value = 10 ** Math.ceil(Math.log10(low)); value <= high; value *= 10) splits.push(value)
  // A step of a fraction is no exact number, and neither are its multiples.
  else for (let at = Math.ceil(low / step); at * step <= high * 1.000001; at++) splits.push(Number((at * step).toPrecision(12)))
  return splits
}
