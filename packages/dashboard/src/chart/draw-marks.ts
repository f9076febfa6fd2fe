/** Draws bands and lines of annotations onto a chart's canvas: bands beneath the series, lines above. */
import type uPlot from 'uplot'
import { colourOf } from '../view/colours.ts'
import type { MarksLayout } from './marks.ts'

/** Colours by number, as `readColour` gave them. */
export type TypeColours = readonly string[]

export function drawBands({ ctx, bbox }: uPlot, { bands }: MarksLayout, colours: TypeColours): void {
  ctx.save()
  ctx.globalAlpha = 0.2
  for (const { x, width, type } of bands) {
    ctx.fillStyle = colours[colourOf(type)] ?? ''
    ctx.fillRect(bbox.left + x * devicePixelRatio, bbox.top, Math.max(1, width * devicePixelRatio), bbox.height)
  }
  ctx.restore()
}

export function drawLines({ ctx, bbox }: uPlot, { lines }: MarksLayout, colours: TypeColours): void {
  ctx.save()
  ctx.lineWidth = Math.max(1, devicePixelRatio)
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  // One path for each colour: ten thousand strokes take longer than a frame, eight do not.
  const paths = new Map<number, Path2D>()
  for (const { x, type } of lines) {
    const colour = colourOf(type)
    const path = paths.get(colour) ?? new Path2D()
    const at = Math.round(bbox.left + x * devicePixelRatio) + 0.5
    path.moveTo(at, bbox.top)
    path.lineTo(at, bbox.top + bbox.height)
    paths.set(colour, path)
  }
  for (const [colour, path] of paths) {
    ctx.strokeStyle = colours[colour] ?? ''
    ctx.stroke(path)
  }
  ctx.restore()
}
