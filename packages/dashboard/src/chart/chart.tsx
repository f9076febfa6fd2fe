/**
 * A chart of series over time with annotations on it. Dragging zooms, dragging with Shift marks a span, Ctrl-click a point;
 * arrow keys move, plus and minus zoom. The plot is uPlot's; the buttons of annotations are elements, so that they can be reached
 * by keyboard and named to screen readers.
 */
import './chart.css'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Range } from '../view/range.ts'
import { scaleRange, shiftRange } from '../view/range.ts'
import type { Frame } from './frame.ts'
import { MarkButtons } from './mark-buttons.tsx'
import type { Mark, MarkGroup } from './marks.ts'
import { createPlot, type Plot } from './plot.ts'
import { useDarkMode } from './use-dark-mode.ts'

export interface ChartProps {
  /** What it is of, for people who cannot see it. */
  label: string
  frame: Frame
  range: Range
  /** Ascending by start. */
  marks: readonly Mark[]
  /** Ids of the annotations whose panel is open. */
  selected: readonly string[]
  utc: boolean
  /** @param isRepeated by a key that is held: not a step of its own on the way back */
  onRange: (range: Range, isRepeated?: boolean) => void
  onSelect: (ids: string[]) => void
  /** Somebody wants an annotation of this span, or point if both are equal. */
  onMark: (range: Range) => void
  /** Which bin the pointer is over. */
  onHover?: (bin: number | undefined) => void
}

const KEYS: Readonly<Record<string, (range: Range) => Range>> = {
  ArrowLeft: (range) => shiftRange(range, -0.25),
  ArrowRight: (range) => shiftRange(range, 0.25),
  '+': (range) => scaleRange(range, 0.5),
  '=': (range) => scaleRange(range, 0.5),
  '-': (range) => scaleRange(range, 2),
}

export function Chart(props: ChartProps) {
  const { label, frame, range, marks, selected, utc } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [groups, setGroups] = useState<{ list: MarkGroup[]; left: number }>({ list: [], left: 0 })
  const isDark = useDarkMode()
  const seriesKey = frame.series.map((series) => series.label).join('\n')

  // A plot is made anew when what it is made of changes; data, range and marks are given to the one that is there.
  useEffect(() => {
    if (!place.current) return
    const made = createPlot(place.current, {
      frame: latest.current.frame,
      range: latest.current.range,
      marks: latest.current.marks,
      utc,
      onRange: (to) => latest.current.onRange(to),
      onMark: (span) => latest.current.onMark(span),
      onHover: (bin) => latest.current.onHover?.(bin),
      onMarks: (list, left) => setGroups({ list, left }),
    })
    plot.current = made
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [seriesKey, utc, isDark])
  useEffect(() => plot.current?.show(frame, range), [frame, range.startMs, range.endMs])
  useEffect(() => plot.current?.mark(marks), [marks])

  const summary = useMemo(() => summarize(label, frame, marks.length), [label, frame, marks])
  return (
    <div class="chart">
      <MarkButtons
        label={label}
        groups={groups.list}
        left={groups.left}
        selected={selected}
        utc={utc}
        onSelect={props.onSelect}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={place}
        class="chart-plot"
        role="group"
        aria-label={summary}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move it
        tabIndex={0}
        onKeyDown={(event) => {
          const move = KEYS[event.key]
          if (!move || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          props.onRange(move(range), event.repeat)
        }}
      />
    </div>
  )
}

function summarize(label: string, { series, times }: Frame, marks: number): string {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null))
  const highest = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY)
  const most = values.length > 0 ? `, highest ${highest}` : ''
  return `Chart of ${label}: ${times.length} intervals${most}, ${marks} annotations. Arrow keys move, plus and minus zoom.`
}
