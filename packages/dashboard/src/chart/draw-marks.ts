/** Draws the unfinished bin of a frame, and the marks on it. */
import type uPlot from 'uplot'
import type { Frame } from './frame.ts'
import { type MarksLayout, ROWS_MAX } from './marks.ts'

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

/** Brings a color from the form a style takes into that of a canvas. */
export type Resolve = (declared: string) => string

const BAR_ALPHA = 0.75
/** The height of a row with the space below it. */
const ROW_PX = 4
/** The height of all rows, which are above the values. */
export const ROWS_PX = ROWS_MAX * ROW_PX
const CROWD_PX_MIN = 3
const CROWD_PX_MAX = 16

/** Draws the marks in rows above the plot. */
export function drawBars({ ctx, bbox }: uPlot, { bars }: MarksLayout, resolve: Resolve): void {
  ctx.save()
  ctx.globalAlpha = BAR_ALPHA
  for (const { x, width, row, color } of bars) {
    ctx.fillStyle = resolve(color)
    const top = bbox.top + (row * ROW_PX - ROWS_PX) * devicePixelRatio
    ctx.fillRect(bbox.left + x * devicePixelRatio, top, width * devicePixelRatio, (ROW_PX - 1) * devicePixelRatio)
  }
  ctx.restore()
}

export function drawLines({ ctx, bbox }: uPlot, { lines }: MarksLayout, resolve: Resolve): void {
  ctx.save()
  ctx.lineWidth = Math.max(1, devicePixelRatio)
  // What was drawn before may have left its dashes.
  ctx.setLineDash([])
  for (const { x, color } of lines) {
    const at = Math.round(bbox.left + x * devicePixelRatio) + 0.5
    ctx.strokeStyle = resolve(color)
    ctx.beginPath()
    ctx.moveTo(at, bbox.top)
    ctx.lineTo(at, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

/** Draws a bar where marks are dense: the more marks, the higher the bar and the fuller its color. */
export function drawCrowds({ ctx, bbox }: uPlot, { crowds }: MarksLayout, resolve: Resolve): void {
  const most = crowds.reduce((max, { count }) => Math.max(max, count), 1)
  ctx.save()
  for (const { x, width, count, color } of crowds) {
    const share = count / most
    ctx.globalAlpha = 0.45 + 0.5 * share
    ctx.fillStyle = resolve(color)
    const height = CROWD_PX_MIN + share * (CROWD_PX_MAX - CROWD_PX_MIN)
    ctx.fillRect(bbox.left + x * devicePixelRatio, bbox.top, (width - 1) * devicePixelRatio, height * devicePixelRatio)
  }
  ctx.restore()
}
