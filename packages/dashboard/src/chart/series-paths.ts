/** Draws a plot's series: stepped lines and areas, because a bin has one value, bars, and stacks of either. */
import uPlot from 'uplot'
import { resolveColor } from '../address/type-colors.ts'
import { type Frame, lineColor } from './frame.ts'
import { scaleOf } from './panes.ts'
import { isOwn, type Stack } from './stack.ts'
import { type ChartStyle, type Shape, shapeOf } from './style.ts'

/** Areas are transparent, so that the data behind them can be seen. */
const AREA_ALPHA = 0.18
const BAR_ALPHA = 0.75
const STACK_ALPHA = 0.55
/** The gap between two bars, as a fraction of the room of one. */
const GAP = 0.15

/**
 * @param stackOf returns the current positions of stacked series
 * @param floorOf returns the value at the lower end of a scale's pane
 * @returns the series, with earlier ones and a threshold dashed
 */
export function buildSeries(
  frame: Frame,
  style: ChartStyle,
  stackOf: () => Stack | undefined,
  floorOf: (scale: string) => number,
): uPlot.Series[] {
  const steps = uPlot.paths.stepped?.({ align: 1 })
  const shape = shapeOf(style, frame)
  const stacked = stackOf() !== undefined
  const drawn = frame.series.map((one, at): uPlot.Series => {
    const stroke = resolveColor(lineColor(one, at))
    const scale = scaleOf(one.pane)
    const base = {
      ...{ label: one.label, scale, stroke, width: 1.5, points: { show: false } },
      ...(steps && { paths: steps }),
      ...(frame.panes && { fillTo: () => floorOf(scale) }),
    }
    if (!isOwn(one)) return { ...base, dash: [4, 3] }
    const fill = withAlpha(stroke, alphaOf(shape, stacked))
    if (shape === 'bars' || stacked)
      return { ...base, fill, paths: cellPaths(shape, scale, () => stackOf()?.lowers[at], floorOf) }
    return shape === 'line' ? base : { ...base, fill }
  })
  return [{}, ...drawn]
}

function alphaOf(shape: Shape, stacked: boolean): number {
  return shape === 'bars' ? BAR_ALPHA : stacked ? STACK_ALPHA : AREA_ALPHA
}

function withAlpha(color: string, alpha: number): string {
  return color.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}

/** Draws a cell for each bin, from the lower end of the series to the upper one; cells of a stack have a line on top. */
function cellPaths(
  shape: Shape,
  scale: string,
  lowersOf: () => readonly number[] | undefined,
  floorOf: (scale: string) => number,
): uPlot.Series.PathBuilder {
  return (plot, at, from, to) => {
    const [times = [], uppers = []] = [plot.data[0], plot.data[at]]
    const lowers = lowersOf()
    const [fill, stroke] = [new Path2D(), new Path2D()]
    const xOf = (bin: number) => Math.round(plot.valToPos(times[bin] ?? 0, 'x', true))
    const floor = floorOf(scale)
    let isDrawing = false
    // The last time is only the end of the last bin.
    for (let bin = from; bin <= Math.min(to, times.length - 2); bin++) {
      const upper = uppers[bin]
      if (upper === null || upper === undefined) {
        isDrawing = false
        continue
      }
      const [left, right] = [xOf(bin), xOf(bin + 1)]
      const top = plot.valToPos(upper, scale, true)
      const bottom = plot.valToPos(Math.max(lowers?.[bin] ?? 0, floor), scale, true)
      const gap = shape === 'bars' ? Math.floor((right - left) * GAP) : 0
      fill.rect(left, Math.min(top, bottom), Math.max(1, right - left - gap), Math.abs(bottom - top))
      if (shape === 'bars') continue
      if (isDrawing) stroke.lineTo(left, top)
      else stroke.moveTo(left, top)
      stroke.lineTo(right, top)
      isDrawing = true
    }
    return { fill, stroke: shape === 'bars' ? null : stroke, flags: 0 } as uPlot.Series.Paths
  }
}
