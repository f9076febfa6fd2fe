/** A chart over time with its title, main numbers and legend. */
import { EVENTS } from '@deployment-annotations/compare/vitals'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { select } from '../annotations/select.ts'
import { askedMs, askWhatChanged, point } from '../changes/moment.ts'
import { ranked } from '../changes/ranked.ts'
import { Chart } from '../chart/chart.tsx'
import { type Frame, totalOf } from '../chart/frame.ts'
import { type Mark, toMarks } from '../chart/marks.ts'
import { whenOf } from './earlier.ts'
import { Legend } from './legend.tsx'

function ChartFigures({ frame }: { frame: Frame }) {
  const events = frame.series.find(({ label }) => label === EVENTS)
  // A series without values has not been loaded yet; an answer without events has no series.
  if (events?.values.every((value) => value === null)) return null
  const total = events ? totalOf(events) : 0
  return (
    <span class="hint">
      <span class="chart-count">
        {total.toLocaleString('en')} {total === 1 ? 'event' : 'events'}
      </span>
      {view.value.bin !== '' && `, ${binText(frame)}`}
    </span>
  )
}

/** What the lines of metrics are, as far as they are drawn. */
function LineKeys({ frame: { series }, when, range }: Pick<TimeChartProps, 'frame' | 'when' | 'range'>) {
  const isToday = when === '' && view.value.endTime === 'now' && range.endMs - range.startMs <= UNIT_MS.d
  const hasEarlier = series.some(({ isDashed, points }) => isDashed && points?.some((one) => one !== undefined))
  const keys = [
    ['is-now', isToday ? 'today' : 'now'],
    ['is-worse', series.some(({ isWorse }) => isWorse) && 'worse'],
    ['is-earlier', hasEarlier && (isToday ? 'yesterday' : when || whenOf('1d'))],
  ]
  return (
    <span class="pane-legend">
      {keys.map(
        ([look, words]) =>
          words && (
            <span key={look}>
              <span class={`line-key ${look}`} aria-hidden="true" /> {words}
            </span>
          ),
      )}
    </span>
  )
}

const ONE: Readonly<Record<string, string>> = { '1 s': 'second', '1 min': 'minute', '1 h': 'hour', '1 d': 'day' }

/** @returns such as `per 5 min` */
function binText({ stepMs }: Frame): string {
  const width = describeDuration(stepMs)
  return `per ${ONE[width] ?? width}`
}

export interface TimeChartProps {
  label: string
  frame: Frame
  range: Range
  annotations: readonly Annotation[]
  /** The marks that a query found, ascending by time. */
  found: readonly Mark[]
  /** The earlier time in words, such as `a day earlier`; empty without a comparison. */
  when: string
  /** Whether it is of the metrics of events, and not of the series of a query. */
  isVitals: boolean
  /** Why the chart is empty; empty if it is not. */
  lack: string
  /** Content beside the name. */
  aside?: ComponentChildren
  /** Content below the chart, in its frame. */
  foot?: ComponentChildren
  /** Absent if the token may not create annotations. */
  onMark: ((span: Range) => void) | undefined
}

const IGNORE = () => undefined
const NONE: ReadonlySet<string> = new Set()

export function TimeChart(props: TimeChartProps) {
  const { label, frame, range, annotations, found, isVitals, lack, aside, foot, onMark = IGNORE } = props
  const { annotations: selected, page, zone } = view.value
  const [hidden, setHidden] = useState(NONE)
  // While they are ranked, what may have caused it is shown on all charts, and nothing else.
  const shown = ranked.value.length > 0 ? ranked.value : annotations
  const marks = useMemo(() => toMarks(shown), [shown])
  const drawn = useMemo(() => ({ ...frame, series: frame.series.filter((one) => !hidden.has(one.label)) }), [frame, hidden])
  return (
    <figure class="card time-chart">
      <figcaption class="row">
        <h2>{label}</h2>
        {lack === '' && isVitals ? <ChartFigures frame={frame} /> : <span class="hint">{lack || binText(frame)}</span>}
        {aside}
        {isVitals && <LineKeys {...props} />}
      </figcaption>
      <Chart
        {...{ label, range, marks, found, selected, zone, onMark }}
        frame={drawn}
        onRange={(to, isRepeated) => navigate(formatRange(to), isRepeated)}
        onSelect={select}
        momentMs={askedMs()}
        onMoment={page === 'views' ? undefined : askWhatChanged}
        onPoint={point}
      />
      {frame.series.length > 1 && !isVitals && <Legend frame={frame} hidden={hidden} onChange={setHidden} />}
      {foot}
    </figure>
  )
}
