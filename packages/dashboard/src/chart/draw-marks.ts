/** Draws the heat map of a frame, its unfinished bin, and the marks on it. */
import type uPlot from 'uplot'
import type { Frame } from './frame.ts'
import { type MarksLayout, ROWS_MAX, WORSE } from './marks.ts'

/** Gives a cell a height even if all of its events have one value. */
const CELL_PX_MIN = 2

/** @param color in the form a canvas takes; cells of few events are paler */
export function drawHeat(plot: uPlot, { heat, times, stepMs }: Frame, color: string): void {
  if (!heat) return
  const { ctx } = plot
  const { left: from, top: above, width, height } = plot.bbox
  ctx.save()
  ctx.beginPath()
  ctx.rect(from, above, width, height)
  ctx.clip()
  ctx.fillStyle = color
  for (const { bin, low, high, count } of heat.cells) {
    const startMs = times[bin]
    if (startMs === undefined) continue
    const [left, right] = [plot.valToPos(startMs, 'x', true), plot.valToPos(startMs + stepMs, 'x', true)]
    // Zero is far below the lower edge of a logarithmic scale.
    const floor = plot.bbox.top + plot.bbox.height
    const [top, bottom] = [high, low].map((edge) => Math.min(floor, plot.valToPos(edge, 'y', true))) as [number, number]
    // The square root keeps cells of few events visible beside cells of many.
    ctx.globalAlpha = 0.1 + 0.9 * Math.sqrt(count / heat.countMax)
    ctx.fillRect(left, top, Math.max(1, right - left - 1), Math.max(CELL_PX_MIN, bottom - top - 1))
  }
  ctx.restore()
}

/** @returns the start of the bin that ends after `endMs`; it is still being counted and would look like a drop */
export function unfinishedFrom({ times, stepMs }: Frame, endMs: number): number | undefined {
  const last = times.at(-1)
  return last !== undefined && times.length > 2 && last + stepMs > endMs ? last : undefined
}

/** @param ground the color of the page, which makes the bin pale */
export function drawUnfinished(plot: uPlot, fromMs: number, ground: string): void {
  const { ctx, bbox } = plot
  const left = Math.max(bbox.left, plot.valToPos(fromMs, 'x', true))
  ctx.save()
  ctx.globalAlpha = 0.6
  ctx.fillStyle = ground
  ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height)
  ctx.restore()
}

/** Maps a type to its color, in the form a canvas takes. */
type ColorOfType = (type: string) => string

const BAND_ALPHA = 0.15
/** The time in which something was worse is longer than a release takes. */
const WORSE_ALPHA = 0.1
const BAR_ALPHA = 0.75
/** The height of a row with the space below it. */
const ROW_PX = 4
/** The height of all rows, which are above the values. */
export const ROWS_PX = ROWS_MAX * ROW_PX
/** The opacity of bands where many overlap. */
const DENSE_BAND_ALPHA = 0.07
const CROWD_PX_MIN = 3
const CROWD_PX_MAX = 16

export function drawBands({ ctx, bbox }: uPlot, { bands, crowds }: MarksLayout, colorOf: ColorOfType): void {
  ctx.save()
  for (const { x, width, type } of bands) {
    ctx.globalAlpha = crowds.length > 0 ? DENSE_BAND_ALPHA : type === WORSE ? WORSE_ALPHA : BAND_ALPHA
    ctx.fillStyle = colorOf(type)
    ctx.fillRect(bbox.left + x * devicePixelRatio, bbox.top, Math.max(1, width * devicePixelRatio), bbox.height)
  }
  ctx.restore()
}

/** Draws the marks in rows above the plot. */
export function drawBars({ ctx, bbox }: uPlot, { bars }: MarksLayout, colorOf: ColorOfType): void {
  ctx.save()
  ctx.globalAlpha = BAR_ALPHA
  for (const { x, width, row, type } of bars) {
    ctx.fillStyle = colorOf(type)
    const top = bbox.top + (row * ROW_PX - ROWS_PX) * devicePixelRatio
    ctx.fillRect(bbox.left + x * devicePixelRatio, top, width * devicePixelRatio, (ROW_PX - 1) * devicePixelRatio)
  }
  ctx.restore()
}

export function drawLines({ ctx, bbox }: uPlot, { lines }: MarksLayout, colorOf: ColorOfType): void {
  ctx.save()
  ctx.lineWidth = Math.max(1, devicePixelRatio)
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  // There is one path for each type, because hundreds of strokes would take longer than a frame.
  const paths = new Map<string, Path2D>()
  for (const { x, type } of lines) {
    const path = paths.get(type) ?? new Path2D()
    const at = Math.round(bbox.left + x * devicePixelRatio) + 0.5
    path.moveTo(at, bbox.top)
    path.lineTo(at, bbox.top + bbox.height)
    paths.set(type, path)
  }
  for (const [type, path] of paths) {
    ctx.strokeStyle = colorOf(type)
    ctx.stroke(path)
  }
  ctx.restore()
}

/** Draws a bar where marks are dense: the more marks, the higher the bar and the fuller its color. */
export function drawCrowds({ ctx, bbox }: uPlot, { crowds }: MarksLayout, colorOf: ColorOfType): void {
  const most = crowds.reduce((max, { count }) => Math.max(max, count), 1)
  ctx.save()
  for (const { x, width, count, type } of crowds) {
    const share = count / most
    ctx.globalAlpha = 0.45 + 0.5 * share
    ctx.fillStyle = colorOf(type)
    const height = CROWD_PX_MIN + share * (CROWD_PX_MAX - CROWD_PX_MIN)
    ctx.fillRect(bbox.left + x * devicePixelRatio, bbox.top, (width - 1) * devicePixelRatio, height * devicePixelRatio)
  }
  ctx.restore()
}
