/** The tooltip at the pointer: the time of the bin and the value of every series that is drawn, the highest first. */
import type { ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatTimes } from '../address/format-time.ts'
import { formatInUnit } from '../address/unit.ts'
import { type Frame, unfinishedFrom } from './frame.ts'
import type { Hover } from './plot.ts'

interface TooltipProps {
  frame: Frame
  at: ReadonlySignal<Hover | undefined>
  /** The left edge of the plot, in pixels. */
  left: number
  /** The end of the range that is shown. */
  endMs: number
  zone: string
}

/** More stand in two columns. */
const LINES_MAX = 14

export function Tooltip({ frame, at, left, endMs, zone }: TooltipProps) {
  const place = useWhole()
  const hover = at.value
  const startMs = hover && frame.times[hover.bin]
  if (!hover || startMs === undefined) return null
  const { bin, x, isRight } = hover
  const lines = linesOf(frame, bin)
  const rows = lines.length > LINES_MAX ? Math.ceil(lines.length / 2) : lines.length
  return (
    <div ref={place} class={isRight ? 'chart-tip is-right' : 'chart-tip'} style={{ left: `${left + x}px` }} aria-hidden="true">
      <div class="hint">
        {formatTimes(startMs, startMs + frame.stepMs, zone)}
        {unfinishedFrom(frame, endMs) === startMs && ', so far'}
      </div>
      <table>
        <tbody style={{ '--rows': String(rows) }}>
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
    </div>
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

/** What there was not at an earlier time is left out. */
function linesOf({ series, panes }: Frame, bin: number) {
  return series
    .map(({ values, pane = 0, ...rest }) => ({ ...rest, pane, value: values[bin] ?? null }))
    .filter(({ value, isWorse, isDashed }) => !isWorse && (value !== null || !isDashed))
    .sort((a, b) => a.pane - b.pane || (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
    .map(({ label, pane, value, color }) => ({
      label,
      color,
      text: value === null ? '–' : formatInUnit(value, panes[pane]?.unit ?? 'none'),
    }))
}
