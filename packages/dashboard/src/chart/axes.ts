/** How a plot's axes look, and what of the values they show. Deliberately not here: series, marks, and what pointers do. */
import type uPlot from 'uplot'
import { readColour } from '../address/type-colours.ts'
import { axisSteps, formatInUnit, type Unit } from '../address/unit.ts'

const VALUES_PX = 56
/** With the name of a unit behind them. */
const VALUES_WITH_UNIT_PX = 70

/** @returns the axes of time and of values, in the colours of now */
export function buildAxes(unit: Unit, isLog: boolean): uPlot.Axis[] {
  const stroke = readColour('--muted')
  const lines = { stroke: readColour('--line'), width: 1 }
  const steps = axisSteps(unit)
  const powers = isLog ? { filter: keepPowersOfTen } : {}
  return [
    { stroke, grid: lines, ticks: lines, values: TIME_LABELS },
    {
      ...{
        stroke,
        grid: { ...lines, ...powers },
        ticks: { ...lines, ...powers },
        size: unit === 'none' ? VALUES_PX : VALUES_WITH_UNIT_PX,
      },
      ...(steps && { incrs: steps }),
      // Of a logarithmic scale some lines have no label.
      values: (_, values: (number | null)[]) => values.map((value) => (value === null ? '' : formatInUnit(value, unit))),
    },
  ]
}

/** The lines between them would be a wall. */
function keepPowersOfTen(_plot: uPlot, splits: number[]): (number | null)[] {
  return splits.map((value) => (Math.abs(Math.log10(value) % 1) < 1e-9 ? value : null))
}

/** With zero in it, so that heights can be compared. */
export function rangeOfValues(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const low = Math.min(0, min ?? 0)
  const high = Math.max(0, max ?? 0)
  return [low * 1.1, (high === low ? 1 : high) * 1.1]
}

/** From the power of ten below the lowest value, of those above zero. */
export function rangeOfLogValues(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const [low, high] = [min !== null && min > 0 ? min : 1, max !== null && max > 0 ? max : 10]
  const from = 10 ** Math.floor(Math.log10(low))
  // A little more, so that the highest label is whole.
  return [from === low ? from / 2 : from, Math.max(high, 2 * from) * 1.6]
}

/**
 * Labels of the axis of time, from the widest steps to the narrowest: the smallest step in ms, the label, and what is added where
 * year, month, day, hour, minute or second is another one than at the label before. 24 hours; the date where it changes.
 */
const DAY = '\n{D} {MMM}'
const TIME_LABELS: (string | number | null)[][] = [
  [365 * 86_400_000, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * 86_400_000, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400_000, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60_000, '{HH}:{mm}', `${DAY} {YYYY}`, null, DAY, null, null, null, 1],
  [1_000, '{HH}:{mm}:{ss}', `${DAY} {YYYY}`, null, DAY, null, null, null, 1],
  [1, '{ss}.{fff}', `${DAY} {YYYY} {HH}:{mm}`, null, `${DAY} {HH}:{mm}`, null, '\n{HH}:{mm}', null, 1],
]
