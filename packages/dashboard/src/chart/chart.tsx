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
import { type Range, scaleRange, shiftRange } from '../address/range.ts'
import { titleOf } from '../annotations/annotation-view.ts'
import { type Frame, unfinishedFrom } from './frame.ts'
import { buttonWidth, MarkButtons } from './mark-buttons.tsx'
import { layoutMarks, type Mark, type MarksLayout } from './marks.ts'
import { heightOf, isNarrow, paneHeights, TIME_PX, TOP_PX, VALUES_PX } from './panes.ts'
import { type Hover, type PlotProps, usePlot } from './plot.ts'
import { Tooltip } from './tooltip.tsx'

interface ChartProps extends Omit<PlotProps, 'hover' | 'onRange'> {
  /** Names the chart for people who cannot see it. */
  label: string
  /** Ascending by start. */
  marks: readonly Mark[]
  /** The rows of a query, ascending by time. */
  found?: readonly Mark[]
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

const NONE: readonly Mark[] = []
/** The width of the button of a row of a query, as in the style sheet. */
const FOUND_PX = 20
/** A click on a row of a query zooms in by this factor. */
const CLOSER = 8

export function Chart(props: ChartProps) {
  const { label, frame, range, marks, found = NONE, selected, zone, onRange, onSelect } = props
  // The chart is not rendered again for each bin that the pointer enters: only the tooltip is.
  const hover = useSignal<Hover | undefined>(undefined)
  const { place, left, valuesWidth, width } = usePlot({ ...props, hover })
  const placed = [range.startMs, range.endMs, valuesWidth]
  const { groups, lines } = useMemo(() => layoutMarks(marks, range, valuesWidth, buttonWidth), [marks, ...placed])
  const rows = useMemo(() => layoutMarks(found, range, valuesWidth, () => FOUND_PX), [found, ...placed])
  const description = useMemo(() => describeChart(label, frame, marks), [label, frame, marks])
  const toX = (ms: number) => left + ((ms - range.startMs) / (range.endMs - range.startMs)) * valuesWidth
  const bar = { left, selected, zone }
  return (
    <div class="chart">
      <MarkButtons
        {...bar}
        label={`Annotations on ${label}`}
        groups={groups}
        onPick={(group) => onSelect(group.marks.map(({ annotation }) => annotation.id))}
      />
      {found.length > 0 && (
        <MarkButtons
          {...bar}
          areFound
          label={`Annotations from the query on ${label}`}
          groups={rows.groups}
          onPick={({ marks: [first] }) => {
            const [ms, halfMs] = [first?.startMs ?? 0, (range.endMs - range.startMs) / (2 * CLOSER)]
            onRange({ startMs: Math.round(ms - halfMs), endMs: Math.round(ms + halfMs) })
          }}
        />
      )}
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
      <Lines {...props} {...{ lines, left, width, toX }} />
      <PaneHeads panes={frame.panes} {...{ left, width, toX }} />
      <Tooltip frame={frame} at={hover} left={left} endMs={range.endMs} zone={zone} />
    </div>
  )
}

interface PlacesProps {
  /** The left edge of the plot and its width, in pixels. */
  left: number
  width: number
  toX: (ms: number) => number
}

type LinesProps = PlacesProps & Pick<ChartProps, 'frame' | 'range' | 'zone' | 'momentMs'> & Pick<MarksLayout, 'lines'>

/** What crosses the values: the lines of marks, the moment that is asked about, and a veil over the bin that is not over. */
function Lines({ frame, range, zone, momentMs, lines, left, width, toX }: LinesProps) {
  const fromMs = frame.series.some(({ points }) => points) ? undefined : unfinishedFrom(frame, range.endMs)
  const [bottom, height] = [`${TIME_PX}px`, `${heightOf(frame, width) - TOP_PX - TIME_PX}px`]
  return (
    <>
      {lines.map(({ x, color }) => (
        <div key={`${x} ${color}`} class="pole" style={{ left: `${left + x}px`, bottom, background: color }} />
      ))}
      {momentMs !== undefined && momentMs >= range.startMs && momentMs <= range.endMs && (
        <div class="moment" style={{ left: `${toX(momentMs)}px` }}>
          <span>{formatClock(momentMs, zone, Date.now())}</span>
        </div>
      )}
      {fromMs !== undefined && (
        <div class="unfinished" style={{ left: `${Math.max(left, toX(fromMs))}px`, right: `${VALUES_PX}px`, bottom, height }} />
      )}
    </>
  )
}

/** What each pane shows, beside its values or above them; and what is over, where it was. */
function PaneHeads({ panes, left, width, toX }: PlacesProps & Pick<Frame, 'panes'>) {
  const rows = paneHeights(panes.length, width).map((px) => `${px}px`)
  return (
    <div
      class={isNarrow(width) ? 'pane-heads' : 'pane-heads is-beside'}
      style={{ bottom: `${TIME_PX}px`, gridTemplateRows: rows.join(' '), '--beside': `${left}px` }}
    >
      {panes.map(({ name, figure, hurt, note }) => {
        const x = note ? Math.max(left, toX(note.ms)) : 0
        return (
          <div key={name}>
            <p>
              {name} <strong class={hurt ? 'is-bad' : ''}>{figure}</strong>
              {hurt && <span> was {hurt.was}</span>}
            </p>
            {note && x < width - VALUES_PX && (
              <span class="note" style={x > width / 2 ? { right: `${width - x}px` } : { left: `${x}px` }}>
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
  const figures = panes.filter(({ figure }) => figure !== '').map(({ name, figure }) => `${name} ${figure}`)
  const drawn = [`${times.length} intervals`, ...(values.length > 0 ? [`highest ${highest}`] : [])]
  const all = [...(figures.length > 0 ? figures : drawn), `${marks.length} ${marks.length === 1 ? 'annotation' : 'annotations'}`]
  const judged = marks.map(({ annotation }) => annotation).filter(({ verdictDetails }) => verdictDetails)
  const release = judged.findLast(({ hurtsNow }) => hurtsNow) ?? judged.at(-1)
  const verdict = release ? ` ${titleOf(release)}: ${release.verdictDetails?.headline.replace(/\.$/, '')}.` : ''
  return `Chart of ${label}: ${all.join(', ')}.${verdict} Arrow keys move, plus and minus zoom.`
}
