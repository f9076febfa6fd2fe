/** The axes of a plot: their looks and their labels. Deliberately not here: series, marks, and the handling of pointers. */
import type uPlot from 'uplot'
import { readColor } from '../address/colors.ts'
import { axisSteps, formatInUnit, type Unit } from '../address/unit.ts'
import type { Pane } from './frame.ts'
import { isNarrow, scaleOf, TIME_PX, ticksOf } from './panes.ts'

const VALUES_PX = 56
/** The width of the axis whose labels have a unit. */
const VALUES_WITH_UNIT_PX = 70
/** The width of the axis of panes, which is at their right; on a narrow page and on others. */
const PANES_PX = [52, 56] as const
/** The least room for a time below panes. */
const TIME_SPACE_PX = 80

/** @returns the axis of time and that of values, in the current colors */
export function buildAxes(unit: Unit): uPlot.Axis[] {
  const stroke = readColor('--muted')
  const lines = { stroke: readColor('--line'), width: 1 }
  const steps = axisSteps(unit)
  const size = unit === 'none' ? VALUES_PX : VALUES_WITH_UNIT_PX
  const values = (_: uPlot, splits: number[]) => splits.map((value) => formatInUnit(value, unit))
  return [
    { stroke, grid: lines, ticks: lines, values: TIME_LABELS },
    { stroke, grid: lines, ticks: lines, size, values, ...(steps && { incrs: steps }) },
  ]
}

/**
 * @param count of the panes
 * @param paneOf returns a pane as it is now, the uppermost first
 * @param topOf returns the highest value that fits into a pane
 */
export function buildPaneAxes(count: number, paneOf: (at: number) => Pane, topOf: (at: number) => number): uPlot.Axis[] {
  const stroke = readColor('--muted')
  const grid = { stroke: readColor('--line'), width: 1 }
  const ticks = { show: false }
  const values = Array.from({ length: count }, (_, at): uPlot.Axis => {
    const factor = () => paneOf(at).factor ?? 1
    return {
      ...{ scale: scaleOf(at), side: 1, stroke, grid, ticks },
      size: (plot) => (at > 0 ? 0 : PANES_PX[isNarrow(plot.width) ? 0 : 1]),
      splits: () => ticksOf(topOf(at) * factor(), at, paneOf(at).unit).map((tick) => tick / factor()),
      // The floor is zero, which needs no word.
      values: (_, splits) => splits.map((value) => (value === 0 ? '' : formatInUnit(value * factor(), paneOf(at).unit))),
    }
  })
  // Each axis is outside of those before it: all of them are in one place if those without a width come first.
  return [{ stroke, grid: ticks, ticks, size: TIME_PX, space: TIME_SPACE_PX, values: TIME_LABELS }, ...values.reverse()]
}

/** The range has zero in it, so that heights can be compared. */
export function rangeOfValues(_plot: uPlot, min: number | null, max: number | null): [number, number] {
  const low = Math.min(0, min ?? 0)
  const high = Math.max(0, max ?? 0)
  return [low * 1.1, (high === low ? 1 : high) * 1.1]
}

/**
 * Labels of the axis of time, from the widest step to the narrowest. Each has the smallest step in ms, the label, and the text that is
 * added when the year, month, day, hour, minute or second differs from that of the label before.
 */
const DAY = '\n{D} {MMM}'
const TIME_LABELS: (string | number | null)[][] = [
  [365 * 86_400_000, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * 86_400_000, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400_000, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  // The button of the range says the year.
  [60_000, '{HH}:{mm}', DAY, null, DAY, null, null, null, 1],
  [1_000, '{HH}:{mm}:{ss}', DAY, null, DAY, null, null, null, 1],
  [1, '{ss}.{fff}', `${DAY} {HH}:{mm}`, null, `${DAY} {HH}:{mm}`, null, '\n{HH}:{mm}', null, 1],
]
