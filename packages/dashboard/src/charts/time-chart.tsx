/** A chart over time with its title, main numbers, legend, and the button that saves it as a picture. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { ComponentChildren, RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { describeDuration, formatTimes } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { formatInUnit } from '../address/unit.ts'
import { select } from '../annotations/select.ts'
import { Chart } from '../chart/chart.tsx'
import { eachFigure } from '../chart/figures.ts'
import type { Found } from '../chart/found.ts'
import { type Frame, firstPane, hasValues, totalOf, withoutCutBin } from '../chart/frame.ts'
import { toMarks } from '../chart/marks.ts'
import { type ChartStyle, shapeOf } from '../chart/style.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { describeValueChange } from '../query/change.ts'
import { isDrawn } from '../query/shown-as.ts'
import { TopList } from '../query/top-list.tsx'
import { describeError } from '../service/request.ts'
import type { Display } from './display.ts'
import { FrameNumbers } from './frame-numbers.tsx'
import { FiguresLegend, Legend } from './legend.tsx'
import { describeLatest } from './vitals.ts'

function ChartFigures({ frame, style, when }: { frame: Frame; style: ChartStyle; when: string }) {
  const [counts, ...others] = frame.series
  const values = counts?.values.filter((value) => value !== null) ?? []
  // A series without values has not been loaded yet; an answer without events has no series.
  if (counts && values.length === 0) return null
  const total = counts ? totalOf(counts) : 0
  const earlier = others.find(({ earlierOf }) => earlierOf === 0)
  const change = counts && earlier && describeSumChange(counts.values, earlier.values)
  return (
    <>
      {!frame.panes && (
        <span class="chart-count">
          <strong class="figure">{total.toLocaleString('en')}</strong> {total === 1 ? 'event' : 'events'}
        </span>
      )}
      {change && <span class="change">{change}</span>}
      <span class="hint">
        {frame.panes && (
          <>
            <span class="chart-count">
              {total.toLocaleString('en')} {total === 1 ? 'event' : 'events'}
            </span>
            {', '}
          </>
        )}
        {binText(frame, style)}
        {frame.panes && total > 0 && `; ${describeLatest(frame)}`}
        {frame.panes && earlier && `, dashed ${when}`}
        {!frame.panes && total > 0 && `, max ${Math.max(...values).toLocaleString('en')}`}
      </span>
    </>
  )
}

const ONE: Readonly<Record<string, string>> = { '1 s': 'second', '1 min': 'minute', '1 h': 'hour', '1 d': 'day' }

/** @returns such as `per 5 min`, or `bars of 5 min` */
function binText(frame: Frame, style: ChartStyle): string {
  const width = describeDuration(frame.stepMs)
  return !frame.heat && shapeOf(style, frame) === 'bars' ? `bars of ${width}` : `per ${ONE[width] ?? width}`
}

/** @returns how the sum of the bins that both have has changed; `undefined` if the earlier sum is zero */
function describeSumChange(now: readonly (number | null)[], before: readonly (number | null)[]): string | undefined {
  let [sum, earlier] = [0, 0]
  for (const [bin, value] of now.entries()) {
    const other = before[bin] ?? null
    if (value === null || other === null) continue
    sum += value
    earlier += other
  }
  return earlier === 0 ? undefined : `${describeValueChange(sum, earlier)} compared with the earlier time`
}

interface PictureButtonProps {
  /** The element with the chart, its marks and its legend. */
  place: RefObject<HTMLElement | null>
  label: string
  /** The charted query; empty for the chart of a dataset. */
  query: string
  range: Range
}

function PictureButton({ place, label, query, range: { startMs, endMs } }: PictureButtonProps) {
  const { error, isBusy, attempt } = useAttempt()
  const save = async () => {
    const { savePicture } = await import('../chart/picture.ts')
    if (place.current)
      await savePicture(place.current, { title: label, lines: [formatTimes(startMs, endMs, view.value.zone), query] })
  }
  return (
    <>
      {error !== undefined && (
        <span class="hint" role="alert">
          Not saved: {describeError(error)}
        </span>
      )}
      <button
        type="button"
        class="quiet"
        aria-disabled={isBusy}
        aria-label={`Download ${label} as PNG`}
        onClick={() => void attempt(save)}
      >
        PNG
      </button>
    </>
  )
}

export interface TimeChartProps {
  label: string
  frame: Frame
  range: Range
  annotations: readonly Annotation[]
  /** The marks that a query found, ascending by time. */
  found: readonly Found[]
  display: Display
  /** The earlier time in words, such as `a day earlier`; empty without a comparison. */
  when: string
  /** Whether the values count events, so that they may be added. */
  isCount: boolean
  /** The charted query, if there is one. */
  query?: string
  /** Why the chart is empty; empty if it is not. */
  lack: string
  /** Content below the chart, in its frame. */
  foot?: ComponentChildren
  /** Absent if the token may not create annotations. */
  onMark: ((span?: Range) => void) | undefined
}

export function TimeChart(props: TimeChartProps) {
  const { label, frame, display, isCount, lack, foot, onMark } = props
  const place = useRef<HTMLElement>(null)
  const style = useStyle(display)
  const isChart = display.kind !== 'number' && display.kind !== 'top'
  return (
    <figure ref={place} class={hasValues(frame) ? 'card time-chart' : 'card time-chart has-no-values'}>
      <figcaption class="row">
        <h2>{label}</h2>
        {lack === '' && isCount ? (
          <ChartFigures frame={frame} style={style} when={props.when} />
        ) : (
          <span class="hint">{lack || binText(frame, style)}</span>
        )}
        <span class="row push">
          {isChart && lack === '' && <PictureButton place={place} label={label} query={props.query ?? ''} range={props.range} />}
          {onMark && (
            <button type="button" class="quiet" onClick={() => onMark()} aria-label={`Create annotation on ${label}`}>
              Create annotation
            </button>
          )}
        </span>
      </figcaption>
      {display.kind === 'number' && <FrameNumbers frame={firstPane(frame)} display={display} when={props.when} />}
      {display.kind === 'top' && <FrameTop frame={frame} display={display} when={props.when} />}
      {isChart && <Drawn {...props} style={style} />}
      {foot}
    </figure>
  )
}

const IGNORE = () => undefined
const NONE: ReadonlySet<string> = new Set()

type DrawnProps = TimeChartProps & { style: ChartStyle }

function Drawn({ label, frame, annotations, isCount, display, style, onMark = IGNORE, ...rest }: DrawnProps) {
  const { annotations: selected, zone } = view.value
  const [hidden, setHidden] = useState(NONE)
  const marks = useMemo(() => toMarks(annotations), [annotations])
  const drawn = useMemo(() => (isCount ? withoutCutBin(frame, rest.range) : frame), [frame])
  const legend = { frame, hidden, onChange: setHidden }
  return (
    <>
      <Chart
        {...rest}
        {...{ label, marks, hidden, style, onMark, zone }}
        frame={drawn}
        selected={selected}
        onRange={(to, isRepeated) => navigate(formatRange(to), isRepeated)}
        onSelect={select}
      />
      {display.hasFigures && !frame.heat ? (
        <FiguresLegend {...legend} hasTotals={display.addsUp} unit={display.unit} />
      ) : (
        frame.series.length > 1 && !frame.panes && <Legend {...legend} />
      )}
    </>
  )
}

/** Returns the same object for the same style. */
function useStyle({ kind, unit, isLog }: Display): ChartStyle {
  const shape = isDrawn(kind) ? kind : undefined
  return useMemo(() => ({ shape, unit, isLog }), [shape, unit, isLog])
}

function FrameTop({ frame, display: { unit }, when }: { frame: Frame; display: Display; when: string }) {
  const items = eachFigure(frame, 'total').map(({ label, at, value, before }) => ({
    ...{ names: [label], value, before, color: at },
    texts: [formatInUnit(value, unit)],
  }))
  const isCompared = items.some(({ before }) => before !== undefined)
  return (
    <TopList
      heads={[{ name: 'series', column: 0 }]}
      figures={[{ name: 'total', isChosen: true }]}
      items={items}
      when={isCompared ? when : ''}
    />
  )
}
