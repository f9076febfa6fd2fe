/**
 * A chart of series over time with annotations on it. A click asks what changed before a moment; dragging zooms, dragging with Shift
 * marks a span, and Ctrl-click a point; arrow keys move, plus and minus zoom. uPlot draws the plot; the buttons of annotations are elements, so that the keyboard and screen
 * readers reach them.
 */
import './chart.css'
import 'uplot/dist/uPlot.min.css'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatClock } from '../address/format-time.ts'
import type { Range } from '../address/range.ts'
import { scaleRange, shiftRange } from '../address/range.ts'
import { titleOf } from '../annotations/annotation-view.ts'
import { FoundMarks } from './found-marks.tsx'
import type { Frame, Pane } from './frame.ts'
import { MarkButtons } from './mark-buttons.tsx'
import type { Mark } from './marks.ts'
import { isNarrow, paneHeights, TIME_PX } from './panes.ts'
import type { Hover, PlacedMarks } from './plot.ts'
import { Tooltip } from './tooltip.tsx'
import { type PlotProps, usePlot } from './use-plot.ts'

interface ChartProps extends Omit<PlotProps, 'onRange' | 'onHover'> {
  /** Names the chart for people who cannot see it. */
  label: string
  /** The moment that is asked about. */
  momentMs?: number | undefined
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
  // The chart is not rendered again for each bin that the pointer enters: only the tooltip is.
  const hover = useSignal<Hover | undefined>(undefined)
  const { place, groups, found, left, ...placed } = usePlot({
    ...props,
    onHover: (now) => {
      // Nothing changes while the pointer stays within a bin.
      if (now?.bin !== hover.peek()?.bin) hover.value = now
    },
  })
  const description = useMemo(() => describeChart(label, frame, marks), [label, frame, marks])
  const lookAround = (ms: number) => {
    const halfMs = (range.endMs - range.startMs) / (2 * CLOSER)
    onRange({ startMs: Math.round(ms - halfMs), endMs: Math.round(ms + halfMs) })
  }
  return (
    <div class="chart">
      <MarkButtons label={label} groups={groups} left={left} selected={selected} zone={zone} onSelect={onSelect} />
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
      {frame.panes && <PaneHeads {...placed} panes={frame.panes} left={left} range={range} />}
      <Moment ms={props.momentMs} {...{ range, left, zone }} valuesWidth={placed.valuesWidth} />
      <Tooltip frame={frame} hidden={props.hidden} at={hover} left={left} endMs={range.endMs} zone={zone} unit={props.unit} />
    </div>
  )
}

type MomentProps = Pick<ChartProps, 'range' | 'zone'> & Pick<PlacedMarks, 'left' | 'valuesWidth'> & { ms: number | undefined }

/** A line at the moment that is asked about, with its time. */
function Moment({ ms, range: { startMs, endMs }, left, valuesWidth, zone }: MomentProps) {
  if (ms === undefined || ms < startMs || ms > endMs) return null
  const x = left + ((ms - startMs) / (endMs - startMs)) * valuesWidth
  return (
    <div class="moment" style={{ left: `${x}px` }}>
      <span>{formatClock(ms, zone, Date.now())}</span>
    </div>
  )
}

interface PaneHeadsProps extends Pick<PlacedMarks, 'left' | 'valuesWidth' | 'width'> {
  panes: readonly Pane[]
  range: Range
}

/** What each pane shows, beside its values or above them; and what is over, where it was. */
function PaneHeads({ panes, range: { startMs, endMs }, left, valuesWidth, width }: PaneHeadsProps) {
  const rows = paneHeights(panes.length, width).map((px) => `${px}px`)
  return (
    <div
      class={isNarrow(width) ? 'pane-heads' : 'pane-heads is-beside'}
      style={{ bottom: `${TIME_PX}px`, gridTemplateRows: rows.join(' '), '--beside': `${left}px` }}
    >
      {panes.map(({ name, figure, hurt, note }) => {
        const at = note ? Math.max(0, (note.ms - startMs) / (endMs - startMs)) : 0
        const side = at > 0.5 ? { right: `${width - left - at * valuesWidth}px` } : { left: `${left + at * valuesWidth}px` }
        return (
          <div key={name}>
            <p>
              {name} <strong class={hurt ? 'is-bad' : ''}>{figure}</strong>
              {hurt && <span> was {hurt.was}</span>}
            </p>
            {note && at < 1 && (
              <span class="note" style={side}>
                {note.text}
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Says what others see: the metrics, and what the last release did to them, or the one that hurts now. */
function describeChart(label: string, { series, times, panes }: Frame, marks: readonly Mark[]): string {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null))
  const highest = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY)
  const metrics = panes
    ? panes.filter(({ figure }) => figure !== '').map(({ name, figure }) => `${name} ${figure}`)
    : [`${times.length} intervals`, ...(values.length > 0 ? [`highest ${highest}`] : [])]
  const all = [...metrics, `${marks.length} ${marks.length === 1 ? 'annotation' : 'annotations'}`]
  const judged = marks.map(({ annotation }) => annotation).filter(({ verdictDetails }) => verdictDetails)
  const release = judged.findLast(({ hurtsNow }) => hurtsNow) ?? judged.at(-1)
  const verdict = release ? ` ${titleOf(release)}: ${release.verdictDetails?.headline.replace(/\.$/, '')}.` : ''
  return `Chart of ${label}: ${all.join(', ')}.${verdict} Arrow keys move, plus and minus zoom.`
}
