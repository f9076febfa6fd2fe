/** Draws onto a chart's canvas what uPlot does not: the cells of histograms, and that the last bin is not over yet. */
import type uPlot from 'uplot'
import type { Frame } from './frame.ts'

/** Of events with one value, whose cell has no height. */
const CELL_PX_MIN = 2

/** @param colour as a canvas takes it; cells of few events are paler */
export function drawHeat(plot: uPlot, { heat, times, stepMs }: Frame, colour: string): void {
  if (!heat) return
  const { ctx } = plot
  const { left: from, top: above, width, height } = plot.bbox
  ctx.save()
  ctx.beginPath()
  ctx.rect(from, above, width, height)
  ctx.clip()
  ctx.fillStyle = colour
  for (const { bin, low, high, count } of heat.cells) {
    const startMs = times[bin]
    if (startMs === undefined) continue
    const [left, right] = [plot.valToPos(startMs, 'x', true), plot.valToPos(startMs + stepMs, 'x', true)]
    // On a logarithmic scale zero is far below the lower edge.
    const floor = plot.bbox.top + plot.bbox.height
    const [top, bottom] = [high, low].map((edge) => Math.min(floor, plot.valToPos(edge, 'y', true))) as [number, number]
    // A few events must be seen beside many.
    ctx.globalAlpha = 0.1 + 0.9 * Math.sqrt(count / heat.countMax)
    ctx.fillRect(left, top, Math.max(1, right - left - 1), Math.max(CELL_PX_MIN, bottom - top - 1))
  }
  ctx.restore()
}

/** @returns where the bin starts that ends after `endMs`: what it counts so far would look like a drop */
export function unfinishedFrom({ times, stepMs }: Frame, endMs: number): number | undefined {
  const last = times.at(-1)
  return last !== undefined && times.length > 2 && last + stepMs > endMs ? last : undefined
}

/** @param ground the colour of the page, which makes the bin pale */
export function drawUnfinished(plot: uPlot, fromMs: number, ground: string): void {
  const { ctx, bbox } = plot
  const left = Math.max(bbox.left, plot.valToPos(fromMs, 'x', true))
  ctx.save()
  ctx.globalAlpha = 0.6
  ctx.fillStyle = ground
  ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height)
  ctx.restore()
}
