/** The axes of a plot: their looks and their labels. Deliberately not here: series, marks, and the handling of pointers. */
import type uPlot from 'uplot'
import { readColor } from '../address/type-colors.ts'
import { axisSteps, formatInUnit, type Unit } from '../address/unit.ts'
import { scaleOf, splitsOf } from './panes.ts'

const VALUES_PX = 56
/** The width of the axis whose labels have a unit. */
const VALUES_WITH_UNIT_PX = 70

/**
 * @param panes the units of the values, the uppermost pane first
 * @param shownOf returns the values from the floor to the top of a scale's pane; absent for a plot without panes
 * @returns the axis of time and those of values, in the current colors
 */
export function buildAxes(
  panes: readonly { unit: Unit }[],
  isLog: boolean,
  shownOf?: (scale: string) => readonly [number, number],
): uPlot.Axis[] {
  const stroke = readColor('--muted')
  const lines = { stroke: readColor('--line'), width: 1 }
  const width = panes.some(({ unit }) => unit !== 'none') ? VALUES_WITH_UNIT_PX : VALUES_PX
  const values = panes.map(({ unit }, pane) => ({
    ...buildValues(unit, isLog, { stroke, lines }),
    ...{ scale: scaleOf(pane), size: pane === 0 ? width : 0 },
    ...(shownOf && {
      splits: (_plot: uPlot, _axis: number, _min: number, _max: number, step: number) =>
        splitsOf(shownOf(scaleOf(pane)), step, isLog),
    }),
  }))
  // Each axis is outside of those before it: all of them are in one place if those without a width come first.
  return [{ stroke, grid: lines, ticks: lines, values: TIME_LABELS }, ...values.reverse()]
}

function buildValues(unit: Unit, isLog: boolean, { stroke, lines }: { stroke: string; lines: uPlot.Axis.Grid }): uPlot.Axis {
  const steps = axisSteps(unit)
  const powers = isLog ? { filter: keepPowersOfTen } : {}
  return {
    ...{ stroke, grid: { ...lines, ...powers }, ticks: { ...lines, ...powers } },
    ...(steps && { incrs: steps }),
    // Some lines of a logarithmic scale have no label.
    values: (_, values: (number | null)[]) => values.map((value) => (value === null ? '' : formatInUnit(value, unit))),
  }
}

/** Lines between the powers of ten would be too dense. */
function keepPowersOfTen(_plot: uPlot, splits: number[]): (number | null)[] {
  return splits.map((value) => (Math.abs(Math.log10(value) % 1) < 1e-9 ? value : null))
}

/** The range has zero in it, so that heights can be compared. */
export function rangeOfValues(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const low = Math.min(0, min ?? 0)
  const high = Math.max(0, max ?? 0)
  return [low * 1.1, (high === low ? 1 : high) * 1.1]
}

/** The range starts at the power of ten below the lowest value above zero. */
export function rangeOfLogValues(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const [low, high] = [min !== null && min > 0 ? min : 1, max !== null && max > 0 ? max : 10]
  const from = 10 ** Math.floor(Math.log10(low))
  // The margin leaves room for the highest label.
  return [from === low ? from / 2 : from, Math.max(high, 2 * from) * 1.6]
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
