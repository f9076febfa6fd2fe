/** The tooltip at the pointer: the time of the bin and the value of every series that is drawn, the highest first. */
import type { ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatTimes } from '../address/format-time.ts'
import { formatInUnit, type Unit } from '../address/unit.ts'
import { unfinishedFrom } from './draw-marks.ts'
import { type Frame, lineColor } from './frame.ts'
import type { Hover, PlotContent } from './plot.ts'

interface TooltipProps extends Pick<PlotContent, 'frame' | 'hidden'> {
  at: ReadonlySignal<Hover | undefined>
  /** The left edge of the plot, in pixels. */
  left: number
  /** The end of the range that is shown. */
  endMs: number
  zone: string
  unit?: Unit | undefined
}

interface Line {
  label: string
  text: string
  color: string
}

export function Tooltip({ frame, hidden, at, left, endMs, zone, unit = 'none' }: TooltipProps) {
  const place = useWhole()
  const hover = at.value
  const startMs = hover && frame.times[hover.bin]
  if (!hover || startMs === undefined) return null
  const { bin, x, isRight } = hover
  const lines = linesOf(frame, hidden, bin, unit)
  const isUnfinished = unfinishedFrom(frame, endMs) === startMs
  const half = lines.length > LINES_MAX ? Math.ceil(lines.length / 2) : lines.length
  return (
    <div ref={place} class={isRight ? 'chart-tip is-right' : 'chart-tip'} style={{ left: `${left + x}px` }} aria-hidden="true">
      <div class="hint">
        {formatTimes(startMs, startMs + frame.stepMs, zone)}
        {isUnfinished && ', so far'}
      </div>
      <div class="chart-tip-lines">
        <Lines lines={lines.slice(0, half)} />
        {half < lines.length && <Lines lines={lines.slice(half)} />}
      </div>
    </div>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <table>
      <tbody>
        {lines.map(({ label, text, color }) => (
          <tr key={label}>
            <td>
              <span class="swatch" style={{ background: color }} /> {label}
            </td>
            <td class="number">{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Of a chart at the end of the page it goes up, so that all of it is in the window. */
function useWhole() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const tip = place.current
    if (!tip) return
    tip.style.marginTop = ''
    const { top, bottom } = tip.getBoundingClientRect()
    const below = bottom + EDGE_PX - innerHeight
    if (below > 0) tip.style.marginTop = `${-Math.min(below, Math.max(0, top - EDGE_PX))}px`
  })
  return place
}

const EDGE_PX = 8
/** More stand in two columns. */
const LINES_MAX = 14

function linesOf({ series, panes }: Frame, hidden: ReadonlySet<string>, bin: number, unit: Unit): Line[] {
  return series
    .map((one, at) => ({ label: one.label, pane: one.pane ?? 0, value: one.values[bin] ?? null, color: lineColor(one, at) }))
    .filter(({ label }) => !hidden.has(label))
    .sort((a, b) => a.pane - b.pane || (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
    .map(({ label, pane, value, color }) => ({
      label,
      color,
      text: value === null ? '–' : formatInUnit(value, panes?.[pane]?.unit ?? unit),
    }))
}
