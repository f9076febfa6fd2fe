/** Looks of a plot's series: stepped lines, because a bin has one value; straight ones between the points of panes. */
import uPlot from 'uplot'
import { resolveColor } from '../address/colors.ts'
import { lineColor, type Series } from './frame.ts'
import { scaleOf } from './panes.ts'

/** @returns the series, with earlier ones and a threshold dashed */
export function buildSeries(series: readonly Series[]): uPlot.Series[] {
  const steps = uPlot.paths.stepped?.({ align: 1 })
  const drawn = series.map(
    (one, at): uPlot.Series => ({
      ...{ label: one.label, scale: scaleOf(one.pane), stroke: resolveColor(lineColor(one, at)), width: 1.5 },
      points: { show: false },
      ...(steps && !one.points && { paths: steps }),
      ...(one.points && { cap: 'round' }),
      ...((one.earlierOf !== undefined || one.isThreshold) && { dash: one.points ? [1, 4] : [4, 3] }),
    }),
  )
  return [{}, ...drawn]
}
