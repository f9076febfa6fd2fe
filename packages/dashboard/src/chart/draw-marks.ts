/**
 * Draws annotations onto a chart's canvas: bands beneath the series, lines above. Where there are so many that lines would hide
 * the series, small bars at the upper edge say how many there are.
 */
import type uPlot from 'uplot'
import type { MarksLayout } from './marks.ts'

/** @returns the colour of a type as a canvas takes it */
type ColourOfType = (type: string) => string

const BAND_ALPHA = 0.2
/** Of many bands over each other. */
const DENSE_BAND_ALPHA = 0.07
const CROWD_PX_MIN = 3
const CROWD_PX_MAX = 16

export function drawBands({ ctx, bbox }: uPlot, { bands, crowds }: MarksLayout, colourOf: ColourOfType): void {
  ctx.save()
  ctx.globalAlpha = crowds.length > 0 ? DENSE_BAND_ALPHA : BAND_ALPHA
  for (const { x, width, type } of bands) {
    ctx.fillStyle = colourOf(type)
    ctx.fillRect(bbox.left + x * devicePixelRatio, bbox.top, Math.max(1, width * devicePixelRatio), bbox.height)
  }
  ctx.restore()
}

export function drawLines({ ctx, bbox }: uPlot, { lines }: MarksLayout, colourOf: ColourOfType): void {
  ctx.save()
  ctx.lineWidth = Math.max(1, devicePixelRatio)
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  // One path for each type: hundreds of strokes take longer than a frame.
  const paths = new Map<string, Path2D>()
  for (const { x, type } of lines) {
    const path = paths.get(type) ?? new Path2D()
    const at = Math.round(bbox.left + x * devicePixelRatio) + 0.5
    path.moveTo(at, bbox.top)
    path.lineTo(at, bbox.top + bbox.height)
    paths.set(type, path)
  }
  for (const [type, path] of paths) {
    ctx.strokeStyle = colourOf(type)
    ctx.stroke(path)
  }
  ctx.restore()
}

/** The more marks, the higher the bar and the fuller its colour. */
export function drawCrowds({ ctx, bbox }: uPlot, { crowds }: MarksLayout, colourOf: ColourOfType): void {
  const most = crowds.reduce((max, { count }) => Math.max(max, count), 1)
  ctx.save()
  for (const { x, width, count, type } of crowds) {
    const share = count / most
    ctx.globalAlpha = 0.45 + 0.5 * share
    ctx.fillStyle = colourOf(type)
    const height = CROWD_PX_MIN + share * (CROWD_PX_MAX - CROWD_PX_MIN)
    ctx.fillRect(bbox.left + x * devicePixelRatio, bbox.top, (width - 1) * devicePixelRatio, height * devicePixelRatio)
  }
  ctx.restore()
}
