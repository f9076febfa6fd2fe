/**
 * A chart of series over time with annotations on it. Dragging zooms; dragging with Shift marks a span, and Ctrl-click a point; arrow
 * keys move, plus and minus zoom. uPlot draws the plot; the buttons of annotations are elements, so that the keyboard and screen
 * readers reach them.
 */
import './chart.css'
import 'uplot/dist/uPlot.min.css'
import { useMemo, useState } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import { scaleRange, shiftRange } from '../address/range.ts'
import { FoundMarks } from './found-marks.tsx'
import type { Frame, Pane } from './frame.ts'
import { MarkButtons } from './mark-buttons.tsx'
import { PANE_PX } from './panes.ts'
import type { Hover } from './plot.ts'
import { Tooltip } from './tooltip.tsx'
import { type PlotProps, usePlot } from './use-plot.ts'

interface ChartProps extends Omit<PlotProps, 'onRange' | 'onHover'> {
  /** Names the chart for people who cannot see it. */
  label: string
  /** Ids of the annotations whose panel is open. */
  selected: readonly string[]
  /** @param isRepeated whether a key is held down, so that the change is no step of its own in the history */
  onRange: (range: Range, isRepeated?: boolean) => void
  onSelect: (ids: string[]) => void
}

const KEYS: Readonly<Record<string, (range: Range) => Range>> = {
  ArrowLeft: (range) => shiftRange(range, -0.25),
  ArrowRight: (range) => shiftRange(range, 0.25),
  '+': (range) => scaleRange(range, 0.5),
  '=': (range) => scaleRange(range, 0.5),
  '-': (range) => scaleRange(range, 2),
}

/** A click on a mark of a query zooms in by this factor. */
const CLOSER = 8

export function Chart(props: ChartProps) {
  const { label, frame, range, marks, selected, zone, onRange, onSelect } = props
  const [hover, setHover] = useState<Hover>()
  const { place, groups, found, left } = usePlot({
    ...props,
    // Nothing changes while the pointer stays within a bin.
    onHover: (now) => setHover((before) => (before && now && before.bin === now.bin ? before : now)),
  })
  const description = useMemo(() => describeChart(label, frame, marks.length), [label, frame, marks])
  // There may be dozens of buttons, so they are not rendered again for each bin that the pointer enters.
  const buttons = useMemo(
    () => <MarkButtons label={label} groups={groups} left={left} selected={selected} zone={zone} onSelect={onSelect} />,
    [label, groups, left, selected, zone],
  )
  const lookAround = (ms: number) => {
    const halfMs = (range.endMs - range.startMs) / (2 * CLOSER)
    onRange({ startMs: Math.round(ms - halfMs), endMs: Math.round(ms + halfMs) })
  }
  return (
    <div class="chart">
      {buttons}
      {found.length > 0 && <FoundMarks label={label} groups={found} left={left} zone={zone} onLook={lookAround} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={place}
        class="chart-plot"
        role="group"
        aria-label={description}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move it
        tabIndex={0}
        onKeyDown={(event) => {
          const move = KEYS[event.key]
          if (!move || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          onRange(move(range), event.repeat)
        }}
      />
      {frame.panes && <PaneHeads panes={frame.panes} left={left} />}
      {hover && (
        <Tooltip
          frame={frame}
          hidden={props.hidden}
          hover={hover}
          left={left}
          endMs={range.endMs}
          zone={zone}
          unit={props.style?.unit}
        />
      )}
    </div>
  )
}

/** What each pane shows, above its values. */
function PaneHeads({ panes, left }: { panes: readonly Pane[]; left: number }) {
  const { length } = panes
  return (
    <div
      class="pane-heads"
      style={{ left: `${left}px`, height: `${length * PANE_PX}px`, gridTemplateRows: `repeat(${length}, 1fr)` }}
    >
      {panes.map(({ name, figure, note }) => (
        <p key={name}>
          {name} <strong>{figure}</strong>
          {note && <span class={note.isBad ? 'note is-bad' : 'note'}> {note.text}</span>}
        </p>
      ))}
    </div>
  )
}

function describeChart(label: string, { series, times }: Frame, marks: number): string {
  const values = series.filter(({ pane = 0 }) => pane === 0).flatMap((one) => one.values.filter((value) => value !== null))
  const highest = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY)
  const most = values.length > 0 ? `, highest ${highest}` : ''
  return `Chart of ${label}: ${times.length} intervals${most}, ${marks} annotations. Arrow keys move, plus and minus zoom.`
}
