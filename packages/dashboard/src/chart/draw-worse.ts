/** Draws the values of a pane that a release hurts. */
import type uPlot from 'uplot'
import type { Resolve } from './draw-marks.ts'
import type { Frame } from './frame.ts'
import { scaleOf } from './panes.ts'

const AREA_ALPHA = 0.09
const WORSE_PX = 2

/** Draws the line of what hurts red from the release on, over a light area down to the floor of its pane. */
export function drawWorse(plot: uPlot, { series, panes }: Frame, resolve: Resolve): void {
  const { ctx, bbox } = plot
  const [times] = plot.data
  for (const { pane = 0, points, earlierOf } of series) {
    const hurt = panes?.[pane]?.hurt
    if (!hurt || !points || earlierOf !== undefined) continue
    const drawn = points.flatMap((value, at) => (value === undefined ? [] : [{ ms: times[at] ?? 0, value }]))
    const first = drawn.findIndex(({ ms }) => ms > hurt.sinceMs)
    if (first === -1) continue
    const toY = (value: number) => plot.valToPos(value, scaleOf(pane), true)
    const line = drawn.slice(Math.max(0, first - 1)).map(({ ms, value }) => [plot.valToPos(ms, 'x', true), toY(value)] as const)
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.fillStyle = resolve('var(--bad)')
    ctx.strokeStyle = ctx.fillStyle
    ctx.lineWidth = WORSE_PX * devicePixelRatio
    ctx.lineJoin = 'round'
    ctx.setLineDash([])
    ctx.beginPath()
    for (const [x, y] of line) ctx.lineTo(x, y)
    ctx.stroke()
    ctx.lineTo(line.at(-1)?.[0] ?? 0, toY(0))
    ctx.lineTo(line[0]?.[0] ?? 0, toY(0))
    ctx.globalAlpha = AREA_ALPHA
    ctx.fill()
    ctx.restore()
  }
}
