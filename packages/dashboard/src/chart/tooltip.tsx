/** The tooltip at the pointer: the time of the bin and the value of every series that is drawn, the highest first. */
import { formatTimes } from '../address/format-time.ts'
import { formatInUnit, type Unit } from '../address/unit.ts'
import { unfinishedFrom } from './draw-marks.ts'
import { type Frame, lineColour } from './frame.ts'
import type { Hover } from './plot.ts'

interface TooltipProps {
  frame: Frame
  /** Labels of series that are not drawn. */
  hidden: ReadonlySet<string>
  hover: Hover
  /** The left edge of the plot, in pixels. */
  left: number
  /** The end of the range that is shown. */
  endMs: number
  utc: boolean
  unit?: Unit | undefined
}

interface Line {
  label: string
  text: string
  colour?: string
}

export function Tooltip({ frame, hidden, hover, left, endMs, utc, unit = 'none' }: TooltipProps) {
  const { bin, x, isRight } = hover
  const startMs = frame.times[bin]
  if (startMs === undefined) return null
  const lines = frame.heat ? cellsOf(frame, bin, unit) : linesOf(frame, hidden, bin, unit)
  const isUnfinished = unfinishedFrom(frame, endMs) === startMs
  return (
    <div class={isRight ? 'chart-tip is-right' : 'chart-tip'} style={{ left: `${left + x}px` }} aria-hidden="true">
      <div class="hint">
        {formatTimes(startMs, startMs + frame.stepMs, utc)}
        {isUnfinished && ', so far'}
      </div>
      <table>
        <tbody>
          {lines.map(({ label, text, colour }) => (
            <tr key={label}>
              <td>
                {colour !== undefined && <span class="swatch" style={{ background: colour }} />} {label}
              </td>
              <td class="number">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function linesOf({ series }: Frame, hidden: ReadonlySet<string>, bin: number, unit: Unit): Line[] {
  return series
    .map((one, at) => ({ label: one.label, value: one.values[bin] ?? null, colour: lineColour(one, at) }))
    .filter(({ label }) => !hidden.has(label))
    .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
    .map(({ label, value, colour }) => ({ label, colour, text: value === null ? '–' : formatInUnit(value, unit) }))
}

/** The unit belongs to the edges of a cell; its count is a number of events. */
function cellsOf({ heat }: Frame, bin: number, unit: Unit): Line[] {
  const cells = heat?.cells.filter((cell) => cell.bin === bin) ?? []
  return cells
    .sort((a, b) => b.low - a.low)
    .map(({ low, high, count }) => ({
      label: `${formatInUnit(low, unit)} to ${formatInUnit(high, unit)}`,
      text: formatInUnit(count, 'none'),
    }))
}
