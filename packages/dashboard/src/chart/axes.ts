/** How a plot's axes and series look. Deliberately not here: marks, and what pointers do. */
import uPlot from 'uplot'
import { readColour, resolveColour } from '../view/colours.ts'
import { formatCount } from '../view/format-time.ts'
import { lineColour, type Series } from './frame.ts'

const VALUES_PX = 56

/** @returns the axes of time and of values, in the colours of now */
export function buildAxes(): uPlot.Axis[] {
  const stroke = readColour('--muted')
  const lines = { stroke: readColour('--line'), width: 1 }
  return [
    { stroke, grid: lines, ticks: lines, values: TIME_LABELS },
    { stroke, grid: lines, ticks: lines, size: VALUES_PX, values: (_, values) => values.map(formatCount) },
  ]
}

/** @returns steps, because a bin has one value; filled where there is one series only; dashed what was earlier, and a threshold */
export function buildSeries(series: readonly Series[]): uPlot.Series[] {
  const paths = uPlot.paths.stepped?.({ align: 1 })
  const isOwn = ({ earlierOf, isThreshold }: Series) => earlierOf === undefined && !isThreshold
  const own = series.filter(isOwn).length
  const drawn = series.map((one, at): uPlot.Series => {
    const stroke = resolveColour(lineColour(one, at))
    return {
      label: one.label,
      stroke,
      width: 1.5,
      points: { show: false },
      ...(paths && { paths }),
      ...(!isOwn(one) && { dash: [4, 3] }),
      ...(own === 1 && isOwn(one) && { fill: stroke.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.18)') }),
    }
  })
  return [{}, ...drawn]
}

/** With zero in it, so that heights can be compared. */
export function rangeOfValues(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const low = Math.min(0, min ?? 0)
  const high = Math.max(0, max ?? 0)
  return [low * 1.1, (high === low ? 1 : high) * 1.1]
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
