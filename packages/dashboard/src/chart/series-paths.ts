/** How a plot's series are drawn: lines and areas in steps, because a bin has one value, bars, and stacks of either. */
import uPlot from 'uplot'
import { resolveColour } from '../address/type-colours.ts'
import { type Frame, lineColour } from './frame.ts'
import { isOwn, type Stack } from './stack.ts'
import { type ChartStyle, type Shape, shapeOf } from './style.ts'

/** Of an area, so that what is behind it can be seen. */
const AREA_ALPHA = 0.18
const BAR_ALPHA = 0.75
const STACK_ALPHA = 0.55
/** Between two bars, of the room of one. */
const GAP = 0.15

/**
 * @param stackOf where the series lie now, if they are stacked
 * @returns dashed what was earlier, and a threshold
 */
export function buildSeries(frame: Frame, style: ChartStyle, stackOf: () => Stack | undefined): uPlot.Series[] {
  const steps = uPlot.paths.stepped?.({ align: 1 })
  const shape = shapeOf(style, frame)
  const stacked = stackOf() !== undefined
  const drawn = frame.series.map((one, at): uPlot.Series => {
    const stroke = resolveColour(lineColour(one, at))
    const base = { label: one.label, stroke, width: 1.5, points: { show: false }, ...(steps && { paths: steps }) }
    if (!isOwn(one)) return { ...base, dash: [4, 3] }
    const fill = withAlpha(stroke, alphaOf(shape, stacked))
    if (shape === 'bars' || stacked) return { ...base, fill, paths: cellPaths(shape, () => stackOf()?.lowers[at]) }
    return shape === 'line' ? base : { ...base, fill }
  })
  return [{}, ...drawn]
}

function alphaOf(shape: Shape, stacked: boolean): number {
  return shape === 'bars' ? BAR_ALPHA : stacked ? STACK_ALPHA : AREA_ALPHA
}

function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}

/** Draws a cell for each bin, from where the series starts in it to where it ends; cells of a stack have a line above them. */
function cellPaths(shape: Shape, lowersOf: () => readonly number[] | undefined): uPlot.Series.PathBuilder {
  return (plot, at, from, to) => {
    const [times = [], uppers = []] = [plot.data[0], plot.data[at]]
    const lowers = lowersOf()
    const [fill, stroke] = [new Path2D(), new Path2D()]
    const xOf = (bin: number) => Math.round(plot.valToPos(times[bin] ?? 0, 'x', true))
    const floor = plot.scales.y?.min ?? 0
    let isDrawing = false
    // The last time is only where the last bin ends.
    for (let bin = from; bin <= Math.min(to, times.length - 2); bin++) {
      const upper = uppers[bin]
      if (upper === null || upper === undefined) {
        isDrawing = false
        continue
      }
      const [left, right] = [xOf(bin), xOf(bin + 1)]
      const top = plot.valToPos(upper, 'y', true)
      const bottom = plot.valToPos(Math.max(lowers?.[bin] ?? 0, floor), 'y', true)
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
